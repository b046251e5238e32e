import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as SdkClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as SdkStdioTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { CreateMessageRequestSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, describe, expect, test } from 'vitest';
import { loadSkills } from '../../src/load.ts';
import { BIN, EXAMPLE } from '../command.ts';
import { type AnyClient, verifySkills } from '../embed/clients.ts';

const ASKING = fileURLToPath(new URL('asking.js', import.meta.url));
const LINES = ['1.x', 'legacy', 'modern'] as const;

const clients: AnyClient[] = [];
afterAll(async () => {
  for (const client of clients) await client.close();
});

const INFO = { name: 'test', version: '1.0.0' };
const CAPABILITIES = { elicitation: {}, sampling: {}, roots: {} };
const NAMED = { action: 'accept' as const, content: { name: 'Ada' } };
const THOUGHT = { model: 'm', role: 'assistant' as const, content: { type: 'text' as const, text: 'hm' } };

/** A client of 1.x, or of 2.x in one era, connected to a server that asks for things; alone or wrapped. */
async function connect(line: (typeof LINES)[number], isWrapped: boolean): Promise<AnyClient> {
  const args = isWrapped ? [BIN, EXAMPLE, '--wrap', '--wrap-prompts', '--', process.execPath, ASKING] : [ASKING];
  const place = { command: process.execPath, args, stderr: 'ignore' as const };
  if (line === '1.x') {
    const client = new SdkClient(INFO, { capabilities: CAPABILITIES });
    client.setRequestHandler(ElicitRequestSchema, () => NAMED);
    client.setRequestHandler(CreateMessageRequestSchema, () => THOUGHT);
    await client.connect(new SdkStdioTransport(place));
    clients.push(client);
    return client;
  }
  const client = new Client(INFO, {
    capabilities: CAPABILITIES,
    versionNegotiation: { mode: line === 'legacy' ? 'legacy' : 'auto' },
  });
  client.setRequestHandler('elicitation/create', () => NAMED);
  client.setRequestHandler('sampling/createMessage', () => THOUGHT);
  await client.connect(new StdioClientTransport(place));
  clients.push(client);
  return client;
}

async function call(client: AnyClient, name: string, options: object = {}): Promise<unknown> {
  const request = { name, arguments: {} };
  const result =
    client instanceof SdkClient
      ? await client.callTool(request, undefined, options)
      : await client.callTool(request, options);
  return (result['content'] as { text: string }[])[0]?.text;
}

/** What a client sees of the tools that need it. */
async function use(client: AnyClient): Promise<unknown> {
  const seen: unknown[] = [];
  const progress: unknown[] = [];
  for (const name of ['greet', 'think']) seen.push(await call(client, name));
  seen.push(await call(client, 'count', { onprogress: (each: unknown) => progress.push(each) }));
  const abort = new AbortController();
  const onprogress = () => abort.abort('enough');
  seen.push(await call(client, 'wait', { signal: abort.signal, onprogress }).catch(() => 'cancelled'));
  await expect.poll(() => call(client, 'aborted')).toBe('1');
  return { seen, progress, version: client.getServerVersion() };
}

describe.each(LINES)('an official client (%s) of a wrapped server', (line) => {
  test('is asked, told of progress, and can cancel, as without the wrapping', async () => {
    const [alone, wrapped] = [await connect(line, false), await connect(line, true)];
    const plain = await use(alone);
    expect(plain).toMatchObject({
      seen: ['Hello, Ada', expect.stringContaining('hm'), 'counted', 'cancelled'],
      progress: [{ progress: 1 }, { progress: 2 }, { progress: 3 }],
      version: { name: 'asking' },
    });
    expect(await use(wrapped)).toEqual(plain);
  });

  test('finds every skill, byte for byte, beside the tools of the server', async () => {
    const client = await connect(line, true);
    expect(await verifySkills(client, await loadSkills(EXAMPLE), line === 'modern')).toBeGreaterThan(3);
    const { tools } = await client.listTools();
    const own = ['greet', 'think', 'count', 'wait', 'aborted', 'change'];
    expect(tools.map(({ name }) => name)).toEqual([...own, 'skill_list', 'skill_load', 'skill_file']);
    expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual([
      'commit-messages',
      'documents_pdf-forms',
    ]);
    expect(client.getInstructions()).toMatch(/^Ask away\.\n\nSkills to load with skill_load/);
  });
});

test('a client of 2026-07-28 hears of changes that it subscribed to', async () => {
  const client = (await connect('modern', true)) as Client;
  let heard = 0;
  client.setNotificationHandler('notifications/tools/list_changed', () => {
    heard += 1;
  });
  const subscription = await client.listen({ toolsListChanged: true, promptsListChanged: true });
  expect(subscription.honoredFilter).toEqual({ toolsListChanged: true });
  await call(client, 'change');
  await expect.poll(() => heard).toBe(1);
  await subscription.close();
  await call(client, 'change');
  expect([await call(client, 'aborted'), heard]).toEqual(['0', 1]);
});

test('a wrapped server can be wrapped again', async () => {
  const inner = [BIN, EXAMPLE, '--wrap', '--', process.execPath, ASKING];
  const outer = [BIN, `outer=${join(EXAMPLE, 'commit-messages')}`, '--tool-prefix', 'outer', '--wrap', '--'];
  const client = new Client(INFO, { versionNegotiation: { mode: 'auto' } });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [...outer, process.execPath, ...inner],
      stderr: 'ignore',
    }),
  );
  clients.push(client);
  expect((await client.listTools()).tools.map(({ name }) => name).slice(-6)).toEqual([
    ...['skill_list', 'skill_load', 'skill_file'],
    ...['outer_skill_list', 'outer_skill_load', 'outer_skill_file'],
  ]);
  const { resources } = await client.listResources();
  expect(resources.map(({ uri }) => uri)).toEqual([
    ...['skill://commit-messages/SKILL.md', 'skill://documents/pdf-forms/SKILL.md'],
    'skill://outer/commit-messages/SKILL.md',
  ]);
});
