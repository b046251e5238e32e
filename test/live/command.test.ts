import type { ChildProcess } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterEach, describe, expect, test } from 'vitest';
import { BIN, collect, ERAS, type Era, run, start } from '../command.ts';
import { ask, askInVain } from '../embed/clients.ts';
import { makeTree, skillMd } from '../tree.ts';
import { until } from './state.ts';

const A = 'skill://a/SKILL.md';
const closing: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const makeSkills = () => makeTree({ 'a/SKILL.md': skillMd('a', 'one'), 'b/SKILL.md': skillMd('b', 'one') });

/** Keeps what a connection brings that nobody asked for. */
function hear(transport: StdioClientTransport | StreamableHTTPClientTransport): string[] {
  const heard: string[] = [];
  const take = transport.onmessage as ((message: unknown, extra?: unknown) => void) | undefined;
  transport.onmessage = (message: unknown, extra?: unknown) => {
    const { method = '', params } = message as { method?: string; params?: { uri?: string } };
    if (method !== '') heard.push([method.replace('notifications/', ''), params?.uri].filter(Boolean).join(' '));
    take?.(message, extra);
  };
  return heard;
}

function createClient(era: Era): Client {
  const client = new Client(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode: era === 'legacy' ? 'legacy' : { pin: '2026-07-28' } } },
  );
  closing.push(() => client.close());
  return client;
}

const LISTEN = { resourcesListChanged: true, promptsListChanged: true, toolsListChanged: true };
const HONORED = { resourcesListChanged: true, promptsListChanged: true };

async function connectStdio(era: Era, args: readonly string[]) {
  const client = createClient(era);
  const transport = new StdioClientTransport({ command: process.execPath, args: [BIN, ...args], stderr: 'pipe' });
  let log = '';
  transport.stderr?.on('data', (chunk) => {
    log += chunk;
  });
  await client.connect(transport);
  return { client, heard: hear(transport), log: () => log };
}

describe.each(ERAS)('on stdio, to a client of the %s era', (era) => {
  test('a change is followed and told', { timeout: 30_000 }, async () => {
    const root = makeSkills();
    const { client, heard, log } = await connectStdio(era, [root]);
    expect(client.getServerCapabilities()).toMatchObject({
      resources: era === 'modern' ? { listChanged: true, subscribe: true } : { listChanged: true },
      prompts: { listChanged: true },
    });
    expect(client.getServerCapabilities()?.tools).toEqual({});
    if (era === 'modern') {
      const { honoredFilter } = await client.listen({ ...LISTEN, resourceSubscriptions: [A] });
      expect(honoredFilter).toEqual({ ...HONORED, resourceSubscriptions: [A] });
      heard.length = 0;
    }
    writeFileSync(join(root, 'a/SKILL.md'), skillMd('a', 'two'));
    const expected = ['resources/list_changed', 'prompts/list_changed'];
    if (era === 'modern') expected.push(`resources/updated ${A}`);
    await until(() => heard.length >= expected.length);
    expect(heard).toEqual(expected);
    expect(log()).toMatch(/^mcp-server-skills: reload changed \+0 -0 ~1 sha256:[0-9a-f]{64} in \d+ ms$/m);
    expect(await ask(client, 'skills/get', { uri: A })).toMatchObject({
      skill: { frontmatter: { description: 'two' } },
      ...(era === 'modern' ? { ttlMs: 60_000 } : {}),
    });
    // a mistake costs only itself, and is told to people and models
    writeFileSync(join(root, 'b/SKILL.md'), 'no frontmatter\n');
    await until(() => log().includes('[frontmatter-missing]'));
    expect(log()).toMatch(/reload unchanged sha256:\w+ in \d+ ms, keeping 1 skill from before$/m);
    const [text] = (await ask(client, 'tools/call', { name: 'skill_list', arguments: {} }))['content'] as {
      text: string;
    }[];
    expect(text?.text).toContain(
      '- "b/SKILL.md":1:1: frontmatter-missing: SKILL.md does not start with frontmatter; served: previous version',
    );
  });

  test('--no-watch serves what was read at the start, and declares no changes', async () => {
    const root = makeSkills();
    const { client } = await connectStdio(era, [root, '--no-watch']);
    const { resources, prompts } = client.getServerCapabilities() ?? {};
    expect([resources, prompts]).toEqual([{}, {}]);
    expect((await ask(client, 'skills/get', { uri: A }))['ttlMs']).toBe(era === 'modern' ? 300_000 : undefined);
  });
});

test('more than 1,000 files in one stream of stdio are refused', async () => {
  const { client } = await connectStdio('modern', [makeSkills()]);
  const uris = (count: number) => Array.from({ length: count }, (_, at) => `skill://none-${at}/SKILL.md`);
  const { honoredFilter } = await client.listen({ resourceSubscriptions: uris(1000) });
  expect(honoredFilter.resourceSubscriptions).toHaveLength(1000);
  await expect(client.listen({ resourceSubscriptions: uris(1001) })).rejects.toMatchObject({
    code: -32602,
    message: expect.stringContaining('1001 URIs in "resourceSubscriptions" are more than 1000'),
  });
});

interface Served {
  readonly child: ChildProcess;
  readonly url: string;
  readonly log: () => string;
  readonly get: (path: string) => Promise<{ status: number; body: unknown }>;
}

async function serve(args: readonly string[]): Promise<Served> {
  const child = start([...args, '--http', '0']);
  const output = collect(child);
  closing.push(() => {
    const ended = new Promise((resolve) => child.once('exit', resolve));
    if (child.exitCode === null && child.kill()) return ended;
    return undefined;
  });
  const url = await until(() => /(?:Serving .* at |"url":")(http:\S+?\/mcp)/.exec(output.stderr)?.[1]);
  return {
    child,
    url,
    log: () => output.stderr,
    async get(path) {
      const response = await fetch(new URL(path, url));
      const text = await response.text();
      return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : text };
    },
  };
}

describe('over HTTP', () => {
  async function connect(url: string, era: Era) {
    const client = createClient(era);
    const transport = new StreamableHTTPClientTransport(new URL(url));
    await client.connect(transport);
    return { client, heard: hear(transport) };
  }

  test('SIGHUP reads tokens and skills, without --watch', { timeout: 30_000 }, async () => {
    const root = makeSkills();
    const tokens = join(makeTree({ tokens: 'one:first-token-of-all\n' }), 'tokens');
    chmodSync(tokens, 0o600);
    const { child, log, get, url } = await serve([root, '--token-file', tokens]);
    expect((await get('/healthz')).body).toMatchObject({ generation: 1, state: 'current', problems: 0, skills: 2 });
    writeFileSync(tokens, 'two:second-token-of-all\n');
    mkdirSync(join(root, 'c'));
    writeFileSync(join(root, 'c/SKILL.md'), skillMd('c', 'new'));
    child.kill('SIGHUP');
    await until(() => log().includes('reload changed +1 -0 ~0') && log().includes('the token file was read again'));
    expect((await get('/healthz')).body).toMatchObject({ generation: 2, skills: 3 });
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const body = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
    const post = (token: string) =>
      fetch(url, { method: 'POST', body, headers: { ...headers, authorization: `Bearer ${token}` } });
    expect((await post('first-token-of-all')).status).toBe(401);
    expect((await post('second-token-of-all')).status).toBe(200);
  });

  test('SIGHUP is answered with a line where nothing is new, or an error still is there', {
    timeout: 30_000,
  }, async () => {
    const root = makeSkills();
    const { child, log } = await serve([root]);
    const lines = () => log().match(/^reload .*$/gm) ?? [];
    const hangUp = async () => {
      const { length } = lines();
      child.kill('SIGHUP');
      await until(() => lines().length > length);
      return lines().slice(length);
    };
    expect(await hangUp()).toEqual([expect.stringMatching(/^reload unchanged sha256:[0-9a-f]{64} in \d+ ms$/)]);
    writeFileSync(join(root, 'a/SKILL.md'), 'none');
    const refused = ['reload refused: 1 error, still serving generation 1'];
    expect([await hangUp(), await hangUp()]).toEqual([refused, refused]);
    expect(log().match(/frontmatter-missing/g)).toHaveLength(1);
  });

  test('a log of text quotes a lock that is none on one line, and escapes it', { timeout: 30_000 }, async () => {
    const root = makeSkills();
    const lock = join(root, '..', `${basename(root)}.lock.json`);
    expect((await run(['lock', root, '--out', lock])).status).toBe(0);
    const { log } = await serve([root, '--watch', `--locked=${lock}`]);
    writeFileSync(lock, '\x1b[31mX\nreload changed');
    await until(() => log().includes('reload refused'));
    expect(log().split('\n').slice(1)).toEqual([
      expect.stringMatching(
        /^reload refused: .* it is not JSON: .*\\u\{1b\}\[31mX\\u\{a\}.*, still serving generation 1$/,
      ),
      '',
    ]);
    rmSync(lock);
  });

  test('a mistake is refused, and probes and metrics tell of it', { timeout: 30_000 }, async () => {
    const root = makeSkills();
    const { log, get } = await serve([root, '--watch', '--metrics', '--log', 'json']);
    const before = (await get('/healthz')).body as { digest: string };
    writeFileSync(join(root, 'b/SKILL.md'), 'no frontmatter\n');
    const refused = await until(() => /^.*"result":"refused".*$/m.exec(log())?.[0]);
    expect(JSON.parse(refused)).toEqual({
      time: expect.any(String),
      level: 'error',
      event: 'reload',
      result: 'refused',
      added: 0,
      removed: 0,
      changed: 0,
      kept: 0,
      generation: 1,
      digest: before.digest,
      duration_ms: expect.any(Number),
      errors: 1,
      problems: [
        {
          code: 'frontmatter-missing',
          path: 'b/SKILL.md',
          line: 1,
          column: 1,
          message: 'the first line is "no frontmatter", not "---"',
        },
      ],
    });
    expect(await get('/readyz')).toEqual({
      status: 200,
      body: { status: 'ok', catalog: 'stale', since: expect.stringMatching(/^\d{4}-.*Z$/) },
    });
    expect((await get('/healthz')).body).toMatchObject({ digest: before.digest, state: 'stale', problems: 1 });
    const metrics = String((await get('/metrics')).body);
    expect(metrics).toContain('mcp_skills_catalog_stale 1\n');
    expect(metrics).toMatch(/^mcp_skills_reloads_total\{result="refused"\} [1-9]/m);
    writeFileSync(join(root, 'b/SKILL.md'), skillMd('b', 'two'));
    await until(() => log().includes('"result":"changed"'));
    expect(await get('/readyz')).toEqual({ status: 200, body: { status: 'ok' } });
    const after = String((await get('/metrics')).body);
    const { digest } = (await get('/healthz')).body as { digest: string };
    expect(after.match(/^mcp_skills_catalog_(?:info|generation|stale).*$/gm)).toEqual([
      `mcp_skills_catalog_info{digest="${digest}"} 1`,
      'mcp_skills_catalog_generation 2',
      'mcp_skills_catalog_stale 0',
    ]);
  });

  test('a client of 2026-07-28 hears of it, with models told how many problems there are', {
    timeout: 30_000,
  }, async () => {
    const root = makeSkills();
    const { url, log } = await serve([root, '--watch', '--invalid', 'skip']);
    const { client, heard } = await connect(url, 'modern');
    const { honoredFilter } = await client.listen({ ...LISTEN, resourceSubscriptions: [A, 'skill://b/SKILL.md'] });
    expect(honoredFilter).toEqual({ ...HONORED, resourceSubscriptions: [A, 'skill://b/SKILL.md'] });
    await until(() => heard.length > 0);
    heard.length = 0;
    writeFileSync(join(root, 'a/SKILL.md'), skillMd('a', 'two'));
    await until(() => heard.length >= 3);
    expect(heard).toEqual(['resources/list_changed', 'prompts/list_changed', `resources/updated ${A}`]);
    const uris = Array.from({ length: 1001 }, (_, at) => `skill://none-${at}/SKILL.md`);
    await expect(client.listen({ resourceSubscriptions: uris })).rejects.toMatchObject({ code: -32602 });
    writeFileSync(join(root, 'b/SKILL.md'), 'no frontmatter\n');
    await until(() => log().includes('keeping 1 skill from before'));
    const [text] = (await ask(client, 'tools/call', { name: 'skill_list', arguments: {} }))['content'] as {
      text: string;
    }[];
    expect(text?.text.split('\n').slice(-2)).toEqual(['Not published because of errors:', '- frontmatter-missing: 1']);
    rmSync(join(root, 'a'), { recursive: true });
    await until(() => log().includes('reload changed +0 -1 ~0'));
    expect(await askInVain(client, 'resources/read', { uri: A })).toEqual([
      -32602,
      `no resource is served at ${A} any more: its skill ${A} is no longer published`,
    ]);
  });

  test('a client of 2025 is promised nothing', async () => {
    const { url } = await serve([makeSkills(), '--watch']);
    const { client } = await connect(url, 'legacy');
    const { resources, prompts } = client.getServerCapabilities() ?? {};
    expect([resources, prompts]).toEqual([{}, {}]);
  });
});

test.each([
  [['--watch=often'], "option '--watch [how]' argument 'often' is invalid. Allowed choices are auto, events, poll."],
  [['--watch-interval', '5'], '--watch-interval needs --watch'],
  [['--watch=poll', '--watch-interval', '0'], 'It must be a whole number from 1 to 86400.'],
  [['--watch=poll', '--watch-interval', '2147484'], 'It must be a whole number from 1 to 86400.'],
])('serve %j is refused', async (flags, message) => {
  const { status, stderr } = await run([makeSkills(), ...flags]);
  expect([status, stderr]).toEqual([2, expect.stringContaining(message)]);
});
