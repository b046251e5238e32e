import { inputRequired, type McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';
import { createReference } from '../conformance/reference.ts';

type Schema = { readonly type: 'object'; readonly properties: object; readonly required: readonly string[] };

const say = (text: string) => ({ content: [{ type: 'text' as const, text }] });
const toSchema = (properties: object): Schema => ({ type: 'object', properties, required: Object.keys(properties) });
const STRING = { type: 'string' };
const elicit = (message: string, requestedSchema: Schema) =>
  inputRequired.elicit({ message, requestedSchema: requestedSchema as never });
const sample = (text: string) =>
  inputRequired.createMessage({ messages: [{ role: 'user', content: { type: 'text', text } }], maxTokens: 100 });

type Inputs = Readonly<Record<string, ReturnType<typeof sample>>>;

/** What the suite asks of tools that need something of their client: each with what it asks for. */
const ASKING: Readonly<Record<string, () => Inputs>> = {
  test_input_required_result_elicitation: () => ({
    user_name: elicit('What is your name?', toSchema({ name: STRING })),
  }),
  test_input_required_result_sampling: () => ({ capital_question: sample('What is the capital of France?') }),
  test_input_required_result_list_roots: () => ({ client_roots: inputRequired.listRoots() }),
  test_input_required_result_multiple_inputs: () => ({
    user_name: elicit('What is your name?', toSchema({ name: STRING })),
    greeting: sample('Greet somebody'),
    client_roots: inputRequired.listRoots(),
  }),
  test_input_required_result_request_state: () => ({
    confirm: elicit('Please confirm', toSchema({ ok: { type: 'boolean' } })),
  }),
};

/** The suite's server with the tools that ask their client for something, in both eras. */
function createAsking(): McpServer {
  const server = createReference();
  for (const [name, toInputs] of Object.entries(ASKING)) {
    server.registerTool(name, { description: name }, ({ mcpReq: { inputResponses, requestState } }) => {
      const inputRequests = toInputs();
      const given: Readonly<Record<string, unknown>> = inputResponses ?? {};
      const isGiven = Object.keys(inputRequests).every((key) => given[key] !== undefined);
      if (isGiven) return say(`${JSON.stringify(given)} ${requestState() === undefined ? '' : 'state-ok'}`);
      return inputRequired({ inputRequests, requestState: 'state' });
    });
  }
  server.registerTool(
    'test_input_required_result_multi_round',
    { description: 'Two rounds' },
    ({ mcpReq: { inputResponses, requestState } }) => {
      const round = { undefined: 1, one: 2 }[String(requestState())] ?? 3;
      if (inputResponses === undefined || round === 1) {
        const step1 = elicit('Step 1: What is your name?', toSchema({ name: STRING }));
        return inputRequired({ inputRequests: { step1 }, requestState: 'one' });
      }
      if (round === 2) {
        const step2 = elicit('Step 2: What is your favorite color?', toSchema({ color: STRING }));
        return inputRequired({ inputRequests: { step2 }, requestState: 'two' });
      }
      return say(JSON.stringify(inputResponses));
    },
  );
  server.registerPrompt(
    'test_input_required_result_prompt',
    { description: 'Asks first' },
    ({ mcpReq: { inputResponses } }) => {
      if (inputResponses !== undefined) {
        const { content } = say(JSON.stringify(inputResponses));
        return { messages: [{ role: 'user', content: content[0] as { type: 'text'; text: string } }] };
      }
      const user_context = elicit('What context should the prompt use?', toSchema({ context: STRING }));
      return inputRequired({ inputRequests: { user_context } });
    },
  );
  server.registerTool(
    'test_elicitation',
    { description: 'Asks the user', inputSchema: z.object({ message: z.string() }) },
    ({ message }, { mcpReq: { inputResponses } }) => {
      if (inputResponses !== undefined) return say(`User response: ${JSON.stringify(inputResponses)}`);
      const user = elicit(message, toSchema({ username: STRING, email: STRING }));
      return inputRequired({ inputRequests: { user } });
    },
  );
  server.registerTool(
    'test_sampling',
    { description: 'Asks the model', inputSchema: z.object({ prompt: z.string() }) },
    ({ prompt }, { mcpReq: { inputResponses } }) => {
      if (inputResponses !== undefined) return say(`LLM response: ${JSON.stringify(inputResponses)}`);
      return inputRequired({ inputRequests: { model: sample(prompt) } });
    },
  );
  return server;
}

serveStdio(createAsking);
