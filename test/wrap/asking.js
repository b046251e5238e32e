// A server of the official SDK that asks its client for things, in both eras: for tests that wrap it. `node asking.js`
import { setTimeout } from 'node:timers/promises';
import { acceptedContent, inputRequired, inputResponse, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

/** @param {string} text */
const say = (text) => ({ content: [{ type: /** @type {const} */ ('text'), text }] });
const NAME = z.object({ name: z.string() });

serveStdio(() => {
  const server = new McpServer(
    { name: 'asking', version: '1.0.0' },
    { capabilities: { tools: { listChanged: true } }, instructions: 'Ask away.' },
  );
  server.registerTool('greet', { description: 'Asks for a name' }, ({ mcpReq }) => {
    const given = acceptedContent(mcpReq.inputResponses, 'name', NAME);
    if (given !== undefined) return say(`Hello, ${given.name}`);
    const requestedSchema = /** @type {const} */ ({ type: 'object', properties: { name: { type: 'string' } } });
    return inputRequired({
      inputRequests: { name: inputRequired.elicit({ message: 'Your name?', requestedSchema }) },
    });
  });
  server.registerTool('think', { description: 'Asks the model' }, ({ mcpReq }) => {
    const given = inputResponse(mcpReq.inputResponses, 'thought');
    if (given.kind !== 'missing') return say(JSON.stringify(mcpReq.inputResponses?.['thought']));
    const messages = [
      { role: /** @type {const} */ ('user'), content: { type: /** @type {const} */ ('text'), text: 'hm?' } },
    ];
    return inputRequired({ inputRequests: { thought: inputRequired.createMessage({ messages, maxTokens: 5 }) } });
  });
  /** @param {import('@modelcontextprotocol/server').ServerContext} context @param {number} progress */
  const report = async ({ mcpReq }, progress) => {
    const params = { progressToken: mcpReq._meta?.progressToken, progress, total: 3 };
    await mcpReq.notify(/** @type {never} */ ({ method: 'notifications/progress', params }));
    // a client of 1.x drops what comes together with the answer
    await setTimeout(20);
  };
  server.registerTool('count', { description: 'Reports its progress' }, async (context) => {
    for (const progress of [1, 2, 3]) await report(context, progress);
    return say('counted');
  });
  let aborted = 0;
  server.registerTool('wait', { description: 'Waits until it is cancelled' }, async (context) => {
    await report(context, 1);
    await setTimeout(60_000, undefined, { signal: context.mcpReq.signal }).catch(() => {
      aborted += 1;
    });
    return say('done');
  });
  server.registerTool('aborted', { description: 'How often that was' }, () => say(String(aborted)));
  server.registerTool('change', { description: 'Changes the list of tools' }, () => {
    server.sendToolListChanged();
    return say('changed');
  });
  return server;
});
