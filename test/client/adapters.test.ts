import { readdirSync, readFileSync } from 'node:fs';
import { createOpenAI } from '@ai-sdk/openai';
import { ChatOpenAI } from '@langchain/openai';
import { Agent, OpenAIProvider, Runner } from '@openai/agents';
import { generateText, stepCountIs, streamText } from 'ai';
import { createAgent } from 'langchain';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { SkillRegistry } from '../../src/client/index.ts';
import { KEY } from '../hosts/model.ts';
import { type Stub, startStub } from '../hosts/stub.ts';
import { toAiTools } from './adapters/ai-sdk.ts';
import { toLangChainTools } from './adapters/langchain.ts';
import { toAgentTools } from './adapters/openai-agents.ts';
import { createModel, createRegistry, LAST_WORDS, OUTCOME, toOutcome } from './play.ts';

const ASK = 'I want my money back.';

let registry: SkillRegistry;
let stub: Stub;
let play: ReturnType<typeof createModel>;

beforeEach(async () => {
  registry = await createRegistry();
  play = createModel();
  stub = await startStub(play.model);
});

afterEach(() => stub.close());

/** Each framework with the model's answers whole and as a stream. */
const HOSTS: Readonly<Record<string, (url: string) => Promise<string | undefined>>> = {
  'AI SDK, generateText': async (url) => {
    const model = createOpenAI({ baseURL: `${url}/v1`, apiKey: KEY }).chat('stub');
    const tools = toAiTools(registry, 'c');
    const { text } = await generateText({
      model,
      system: registry.toPrompt(),
      tools,
      stopWhen: stepCountIs(5),
      prompt: ASK,
    });
    return text;
  },
  'AI SDK, streamText': (url) => {
    const model = createOpenAI({ baseURL: `${url}/v1`, apiKey: KEY }).responses('stub');
    const tools = toAiTools(registry, 'c');
    return Promise.resolve(
      streamText({ model, system: registry.toPrompt(), tools, stopWhen: stepCountIs(5), prompt: ASK }).text,
    );
  },
  'OpenAI Agents': async (url) => {
    const modelProvider = new OpenAIProvider({ baseURL: `${url}/v1`, apiKey: KEY });
    const agent = new Agent({
      name: 'host',
      model: 'stub',
      instructions: registry.toPrompt(),
      tools: toAgentTools(registry, 'c'),
    });
    const runner = new Runner({ modelProvider, tracingDisabled: true });
    return (await runner.run(agent, ASK)).finalOutput;
  },
  LangChain: async (url) => {
    const model = new ChatOpenAI({ model: 'stub', apiKey: KEY, configuration: { baseURL: `${url}/v1` } });
    const tools = toLangChainTools(registry, 'c');
    const agent = createAgent({ model, tools, systemPrompt: registry.toPrompt() });
    const { messages } = await agent.invoke({ messages: [{ role: 'user', content: ASK }] });
    return messages.at(-1)?.text;
  },
};

describe.each(Object.entries(HOSTS))('%s', (_, converse) => {
  test('loads a skill and reads its file', async () => {
    expect(await converse(stub.url)).toBe(LAST_WORDS);
    expect(toOutcome(play, registry.toPrompt())).toEqual(OUTCOME);
    expect(registry.active('c').map(({ name }) => name)).toEqual(['hf:refunds']);
  });
});

test.each(['adapters', 'examples'])('the documentation shows all %s as they are', (name) => {
  const folder = new URL(`${name}/`, import.meta.url);
  const text = readFileSync(new URL('../../docs/client.md', import.meta.url), 'utf8');
  const shown = [...text.matchAll(/<!-- test\/client\/(\w+)\/([\w-]+\.ts) -->\n```ts\n(.*?)```/gs)].filter(
    ([, place]) => place === name,
  );
  expect(shown.map(([, , file]) => file).sort()).toEqual(readdirSync(folder).sort());
  for (const [, , file, code] of shown) expect(code).toBe(readFileSync(new URL(file ?? '', folder), 'utf8'));
});
