import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, test } from 'vitest';
import { capFetch } from '../../src/client/cap.ts';
import { type ClosableConnection, connectHttp, SkillRegistry } from '../../src/client/index.ts';
import { connectStdio } from '../../src/client/spawn.ts';
import { BIN, EXAMPLE, start } from '../command.ts';
import { makeTree } from '../tree.ts';

const closers: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

function opened<T extends ClosableConnection>(connection: T): T {
  closers.push(() => connection.close());
  return connection;
}

/** What a host gets of the example, over any connection. */
async function loadExample(connection: ClosableConnection): Promise<unknown> {
  const registry = new SkillRegistry();
  const added = await registry.addServer(connection, 'example');
  const { outcome } = await registry.activate('example:documents/pdf-forms', 'c');
  return [added, outcome, (await registry.readFile('example:documents/pdf-forms', 'scripts/fields.py', 'c')).outcome];
}

const LOADED = [{ skills: 2, unavailable: 0 }, 'activated', 'read'];
const ERAS = [
  ['auto', true],
  ['modern', true],
  ['legacy', false],
] as const;

describe('connectStdio', () => {
  const start = (options: Parameters<typeof connectStdio>[2] = {}) =>
    connectStdio(process.execPath, [BIN, EXAMPLE], options);

  test.each(ERAS)('starts a server and speaks the newest revision that it may: %s', async (era, modern) => {
    const connection = opened(await start({ era }));
    expect([connection.modern, connection.serverInfo?.name]).toEqual([modern, 'mcp-server-skills']);
    // the server sees that its host knows skills, and offers no tools for them
    expect(await connection.listTools()).toEqual([]);
    expect(await loadExample(connection)).toEqual(LOADED);
  });

  test('ends it', async () => {
    const script = join(makeTree({ 'server.mjs': SERVER }), 'server.mjs');
    const connection = await connectStdio(process.execPath, [script], { era: 'legacy' });
    const { pid } = (await connection.request('pid', {})) as { pid: number };
    await connection[Symbol.asyncDispose]();
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    await expect(connection.request('pid', {})).rejects.toThrow();
  });

  test('gives it few variables, those of the host, and a folder', async () => {
    process.env['A_SECRET_OF_THE_HOST'] = 'x';
    const folder = makeTree({ 'server.mjs': SERVER });
    const options = { era: 'legacy' as const, env: { EXTRA: 'y' }, cwd: folder };
    const connection = opened(await connectStdio(process.execPath, ['server.mjs'], options));
    delete process.env['A_SECRET_OF_THE_HOST'];
    const { env, cwd } = (await connection.request('env', {})) as { env: Record<string, string>; cwd: string };
    expect([env['A_SECRET_OF_THE_HOST'], env['EXTRA'], env['PATH'], cwd]).toEqual([
      undefined,
      'y',
      process.env['PATH'],
      folder,
    ]);
  });

  test('passes on what it logs, a line at a time and safe to show', async () => {
    const lines: string[] = [];
    const script = join(makeTree({ 'server.mjs': SERVER }), 'server.mjs');
    const log = (line: string) => lines.push(line);
    opened(await connectStdio(process.execPath, [script], { era: 'legacy', log }));
    await expect.poll(() => lines).toEqual(['first \\u{1b}[2J', 'second']);
  });

  test.each(['auto', 'legacy'] as const)('fails where there is no such program: %s', async (era) => {
    await expect(connectStdio('no-such-program-anywhere', [], { era })).rejects.toThrow(/ENOENT/);
  });

  test('fails where the server does not answer, or ends', async () => {
    const silent = join(makeTree({ 'server.mjs': 'process.stdin.resume();' }), 'server.mjs');
    const options = { era: 'legacy', timeout: 300 } as const;
    await expect(connectStdio(process.execPath, [silent], options)).rejects.toThrow(/timed out/);
    await expect(connectStdio(process.execPath, ['-e', ''], { era: 'legacy' })).rejects.toThrow(/closed/);
  });

  test('closes a connection whose server sends a message that is too long', async () => {
    const script = join(makeTree({ 'server.mjs': SERVER }), 'server.mjs');
    const connection = opened(
      await connectStdio(process.execPath, [script], { era: 'legacy', maxMessageBytes: 1 << 20 }),
    );
    await expect(connection.request('flood', {})).rejects.toThrow();
  });
});

/** A server on stdio that says what it was started with. */
const SERVER = `
import { createInterface } from 'node:readline';
process.stderr.write('first \\u001b[2J\\nsec');
process.stderr.write('ond\\n');
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (id === undefined) return;
  const results = {
    initialize: { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'x', version: '1' } },
    pid: { pid: process.pid },
    env: { env: process.env, cwd: process.cwd() },
    flood: method === 'flood' ? { text: 'x'.repeat(3 << 20) } : {},
  };
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] ?? {} }) + '\\n');
});
`;

describe('connectHttp', () => {
  async function serve(...options: readonly string[]): Promise<string> {
    const child = start([EXAMPLE, '--http', '0', ...options]);
    closers.push(() => child.kill());
    let told = '';
    for await (const chunk of child.stderr ?? []) {
      told += chunk;
      const [url] = /http:\/\/\S+\/mcp/.exec(told) ?? [];
      if (url !== undefined) return url;
    }
    throw new Error(told);
  }

  test.each(ERAS)('speaks the newest revision that it may: %s', async (era, modern) => {
    const connection = opened(await connectHttp(await serve(), { era }));
    expect(connection.modern).toBe(modern);
    expect(await loadExample(connection)).toEqual(LOADED);
  });

  test('sends its headers with each request, and nothing of them is in an error', async () => {
    const seen = new Set<string | undefined>();
    const url = await answer(({ headers }, response) => {
      seen.add(headers.authorization);
      response.writeHead(401).end();
    });
    const error = await connectHttp(url, { headers: { authorization: 'Bearer secret-token' } }).catch(
      (reason: Error) => reason,
    );
    expect(error).toBeInstanceOf(Error);
    expect(String(error)).not.toContain('secret-token');
    expect([...seen]).toEqual(['Bearer secret-token']);
  });

  test('asks through the host’s own fetch', async () => {
    const urls: string[] = [];
    const own = (url: string | URL, init?: RequestInit) => {
      urls.push(String(url));
      return fetch(url, init);
    };
    const url = await serve();
    const connection = opened(await connectHttp(url, { fetch: own }));
    await connection.request('skills/list', {});
    expect([new Set(urls), urls.length > 1]).toEqual([new Set([url]), true]);
  });

  test.each(['application/json', 'text/event-stream'])('fails at a message that is too long: %s', async (type) => {
    const url = await answer(async (request, response) => {
      // the stream that a client may open for what a server says unasked
      if (request.method === 'GET') return response.writeHead(405).end();
      const { id, method } = JSON.parse(await text(request)) as { id: number; method: string };
      const result =
        method === 'initialize'
          ? { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'x', version: '1' } }
          : { text: 'x'.repeat(100_000) };
      const json = JSON.stringify({ jsonrpc: '2.0', id, result });
      response.writeHead(id === undefined ? 202 : 200, { 'content-type': type });
      response.end(type === 'application/json' ? json : `event: message\ndata: ${json}\n\n`);
    });
    const connect = (maxMessageBytes: number) => connectHttp(url, { era: 'legacy', maxMessageBytes });
    await expect(opened(await connect(200_000)).request('any', {})).resolves.toBeDefined();
    await expect(
      opened(await connect(50_000)).request('any', {}, { signal: AbortSignal.timeout(1000) }),
    ).rejects.toThrow();
  });

  test('fails where nobody listens', async () => {
    await expect(connectHttp('http://127.0.0.1:9/mcp')).rejects.toThrow();
    await expect(connectHttp('not a url')).rejects.toThrow(TypeError);
  });

  async function answer(listener: (request: IncomingMessage, response: ServerResponse) => unknown): Promise<string> {
    const server = createServer((request, response) => void listener(request, response)).listen(0, '127.0.0.1');
    closers.push(() => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    });
    await new Promise((resolve) => server.once('listening', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  }
});

describe('a body with a limit', () => {
  const read = async (chunks: readonly string[], type: string, most: number) => {
    const encoder = new TextEncoder();
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(encoder.encode(chunk));
        controller.close();
      },
    });
    const response = new Response(body, {
      status: 201,
      statusText: 'Made',
      headers: { 'content-type': type, 'x-own': '1' },
    });
    const capped = await capFetch(async () => response, most)('http://x');
    expect([capped.status, capped.statusText, capped.headers.get('x-own')]).toEqual([201, 'Made', '1']);
    return capped.text().catch((error: Error) => error.message);
  };
  const TOO_LONG = 'the server sent a message of more than 10 bytes';

  test.each<readonly [string, readonly string[], string, string]>([
    ['a whole body counts as one', ['12345', '67890'], 'application/json', '1234567890'],
    ['one byte more fails', ['12345', '678901'], 'application/json', TOO_LONG],
    [
      'each event counts by itself',
      ['data: 1\n\n', 'data: 2\n\ndata', ': 3\r\n\r', '\n'],
      'text/event-stream; charset=utf-8',
      'data: 1\n\ndata: 2\n\ndata: 3\r\n\r\n',
    ],
    ['an event that is too long fails', ['data: 1\n\n', 'data: ', '23456'], 'text/event-stream', TOO_LONG],
    ['lines of one event count together', ['data: 1\n', 'data: 2\n\n'], 'text/event-stream', TOO_LONG],
  ])('%s', async (_, chunks, type, expected) => {
    expect(await read(chunks, type, 10)).toBe(expected);
  });
});
