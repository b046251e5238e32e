import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { startChild } from '../../src/verify/child.ts';
import { createPost } from '../../src/verify/post.ts';
import { type VerifyOptions, verifyServer } from '../../src/verify/verification.ts';
import { ConnectionError } from '../../src/verify/wire.ts';
import { BIN, run } from '../command.ts';
import { makeTree } from '../tree.ts';
import { FaultyServer, serveFetch } from './faulty.ts';
import { OPTIONS } from './options.ts';

/** The sentence with which a run fails. */
async function toFailure(run: Promise<unknown>): Promise<string> {
  const error = await run.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return error instanceof ConnectionError ? error.message : `no failure of a connection: ${error}`;
}

/** Answers the handshake of 2026-07-28 and then what is asked next with `next`, a JavaScript function of the message. */
const toServer = (next: string) => `
  const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
  const capabilities = { resources: {}, extensions: { 'io.modelcontextprotocol/skills': {} } };
  const next = ${next};
  require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const message = JSON.parse(line);
    if (message.method !== 'server/discover') return next(message);
    send({ id: message.id, result: { supportedVersions: ['2026-07-28'], capabilities, resultType: 'complete' } });
  });`;

const HANG = 'setInterval(() => {}, 1000)';
const GIBIBYTE = `
  const chunk = Buffer.alloc(1 << 20, 'x');
  let left = 1024;
  const write = () => { while (left-- > 0) if (!process.stdout.write(chunk)) return process.stdout.once('drain', write); };
  process.stdout.write('{"jsonrpc":"2.0","id":1,"result":{"x":"');
  write();`;
const FLOOD = toServer(
  `() => { const flood = () => { while (process.stdout.write('{"jsonrpc":"2.0","method":"notifications/message"}\\n')); process.stdout.once('drain', flood); }; flood(); }`,
);

function verifyChild(script: string, options: Partial<VerifyOptions> = {}): Promise<unknown> {
  const child = { command: process.execPath, args: ['-e', script], cwd: '.', env: {}, platform: process.platform };
  return verifyServer(() => startChild(child), { ...OPTIONS, eras: ['modern'], ...options });
}

test.each<[string, string, Partial<VerifyOptions>, string]>([
  ['does not respond', HANG, { startTimeout: 1 }, 'no response to server/discover within 1 seconds'],
  ['stops responding', toServer('() => {}'), { timeout: 1 }, 'no response to skills/list within 1 seconds'],
  [
    'sends notifications without end',
    FLOOD,
    {},
    'the server sent more than 10,000 messages that are no response to a request',
  ],
  ['sends one message of 1 GiB', GIBIBYTE, {}, 'the server sent a message of more than 16,777,216 bytes'],
  [
    'prints rubbish on stdout',
    `console.log('Server is \\u001b[31mrunning'); ${HANG}`,
    {},
    'the server printed something on stdout that is not a message: "Server is \\u001b[31mrunning"',
  ],
  [
    'ends in the middle',
    toServer(
      `() => { console.error('starting'); console.error('out of luck'); process.exitCode = 7; process.stdin.destroy(); }`,
    ),
    {},
    'the server ended with exit status 7; the last line on its stderr is "out of luck"',
  ],
  [
    'lists without end in pages that are large',
    toServer(
      `({ id }) => send({ id, result: { skills: ['x'.repeat(5_000_000)], nextCursor: String(id), resultType: 'complete' } })`,
    ),
    {},
    'the pages of skills/list have more than 33,554,432 bytes',
  ],
])('a server on stdio that %s is a failure of one sentence', async (_, script, options, message) => {
  expect(await toFailure(verifyChild(script, options))).toBe(message);
});

test('a server that cannot be started is a failure of one sentence', async () => {
  const child = { command: 'no-such-command', args: [], cwd: '.', env: {}, platform: process.platform };
  expect(await toFailure(verifyServer(() => startChild(child), OPTIONS))).toBe(
    '"no-such-command" could not be started: there is no such command or working directory',
  );
});

test.skipIf(process.platform === 'win32')('a server that ignores every signal ends, and what it started', async () => {
  const folder = await makeTree({});
  const pids = join(folder, 'pids');
  const stubborn = `process.on('SIGTERM', () => {}); ${HANG};`;
  const script = `
    const inner = require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(stubborn)}], { stdio: 'ignore' });
    require('fs').writeFileSync(${JSON.stringify(pids)}, process.pid + ' ' + inner.pid);
    ${stubborn} process.stdin.on('data', () => console.log('no'));`;
  expect(await toFailure(verifyChild(script))).toMatch(/not a message: "no"$/);
  const isAlive = (pid: number) => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };
  const [outer = 0, inner = 0] = (await readFile(pids, 'utf8')).split(' ').map(Number);
  await expect.poll(() => [isAlive(outer), isAlive(inner)]).toEqual([false, false]);
});

test.skipIf(process.platform === 'win32').each([
  ['1 GiB', GIBIBYTE, 'a message of more than 16,777,216 bytes'],
  ['messages without end', FLOOD, 'more than 10,000 messages'],
])('the command stays below 300 MB of memory while a server sends %s, and exits with 3', async (_, script, message) => {
  const folder = await makeTree({});
  const [probe, peak] = [join(folder, 'probe.cjs'), join(folder, 'peak')];
  await writeFile(
    probe,
    `process.on('exit', () => require('fs').writeFileSync(${JSON.stringify(peak)}, String(process.resourceUsage().maxRSS)));
     process.argv.splice(1, 1, ${JSON.stringify(BIN)});
     require(${JSON.stringify(BIN)});`,
  );
  const args = ['verify', '--', process.execPath, '-e', script];
  const { status, stdout, stderr } = await run(args, { command: probe });
  expect([status, stdout]).toEqual([3, '']);
  expect(stderr).toMatch(new RegExp(`^mcp-server-skills: the server sent ${message}[^\\n]*\\n$`));
  expect(Number(await readFile(peak, 'utf8'))).toBeLessThan(300_000);
});

/** A body of 1 GiB, of which it is known how much was taken. */
function createGibibyte(head: string, type: string) {
  const taken = { bytes: 0 };
  const chunk = new TextEncoder().encode(' '.repeat(1 << 20));
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode(head)),
    pull: (controller) => {
      taken.bytes += chunk.length;
      if (taken.bytes > 2 ** 30) controller.close();
      else controller.enqueue(chunk);
    },
  });
  return { taken, response: new Response(body, { headers: { 'content-type': type } }) };
}

const URL_ = new URL('http://127.0.0.1:1/mcp?key=secret');

function verifyPost(fetch: typeof globalThis.fetch, options: Partial<VerifyOptions> = {}): Promise<unknown> {
  const connect = (version: () => string | undefined) => createPost({ url: URL_, headers: {}, version, fetch });
  return verifyServer(connect, { ...OPTIONS, eras: ['modern'], ...options });
}

test.each([
  ['as JSON', '{"jsonrpc":"2.0","id":1,"result":{"x":"', 'application/json'],
  ['as one event', 'data: {"jsonrpc":"2.0","id":1,"result":{"x":"', 'text/event-stream'],
])('a response of 1 GiB over HTTP %s is read up to the limit', async (_, head, type) => {
  const { taken, response } = createGibibyte(head, type);
  const message = 'the server sent a message of more than 16,777,216 bytes';
  expect(await toFailure(verifyPost(async () => response))).toBe(message);
  expect(taken.bytes).toBeLessThan(20_000_000);
});

test.each<[string, () => Response | Promise<Response>, string]>([
  [
    'is a web page',
    () => new Response('<!doctype html>'),
    'the server answered with HTTP 200 and "<!doctype html>", not with a JSON-RPC response',
  ],
  [
    'wants credentials',
    () => new Response('', { status: 401 }),
    'http://127.0.0.1:1/mcp wants credentials (HTTP 401): use --token-env or --header',
  ],
  [
    'redirects',
    () => new Response(null, { status: 307, headers: { location: 'http://elsewhere.example/' } }),
    'http://127.0.0.1:1/mcp redirects to "http://elsewhere.example/": use that URL if you trust it',
  ],
  [
    'closes the stream',
    () =>
      new Response('data: {"jsonrpc":"2.0","method":"notifications/message"}\n\n', {
        headers: { 'content-type': 'text/event-stream' },
      }),
    'the server closed the stream before it responded',
  ],
  [
    'breaks off',
    () =>
      new Response(
        new ReadableStream({
          start: (controller) => controller.enqueue(new TextEncoder().encode('{"json')),
          pull: (controller) => controller.error(new Error('reset')),
        }),
      ),
    'the response to server/discover broke off: reset',
  ],
  [
    'is not there',
    () => Promise.reject(new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') })),
    'http://127.0.0.1:1/mcp could not be reached: connect ECONNREFUSED',
  ],
])(
  'a server over HTTP that %s is a failure of one sentence, without the query of the URL',
  async (_, answer, message) => {
    expect(await toFailure(verifyPost(async () => answer()))).toBe(message);
  },
);

test('a server over HTTP that does not respond is a failure of one sentence', async () => {
  const hang: typeof fetch = (_, init) =>
    new Promise((_resolve, reject) => init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)));
  expect(await toFailure(verifyPost(hang, { startTimeout: 1 }))).toBe(
    'no response to server/discover within 1 seconds',
  );
});

test('a server of one era that fails over the other one is verified in its own', async () => {
  const usual = serveFetch(new FaultyServer({}));
  const fetch: typeof globalThis.fetch = async (url, init) =>
    String(init?.body).includes('2026-07-28') ? new Response('bad request', { status: 400 }) : usual(url, init);
  const { eras, problems } = (await verifyPost(fetch, { eras: ['modern', 'legacy'] })) as Record<string, unknown>;
  expect({ eras, problems }).toEqual({
    eras: [
      { era: 'modern', refused: 'HTTP 400' },
      { era: 'legacy', revision: '2025-11-25' },
    ],
    problems: [],
  });
  expect(await toFailure(verifyPost(fetch))).toBe(
    'the server speaks no revision that was asked for; it refuses 2026-07-28: HTTP 400',
  );
});

test('what a server compresses is counted as it is unpacked', async () => {
  const { createServer } = await import('node:http');
  const packed = gzipSync(Buffer.alloc(100 << 20, ' '));
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(packed);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const url = new URL(`http://127.0.0.1:${port}/mcp`);
  expect(
    await toFailure(
      verifyServer(() => createPost({ url, headers: {}, version: () => undefined }), { ...OPTIONS, eras: ['modern'] }),
    ),
  ).toBe('the server sent a message of more than 16,777,216 bytes');
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});
