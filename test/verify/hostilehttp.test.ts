import { spawn } from 'node:child_process';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { createPost } from '../../src/verify/post.ts';
import { type VerifyOptions, verifyServer } from '../../src/verify/verification.ts';
import { FaultyServer, serveFetch } from './faulty.ts';
import { runMeasured } from './measured.ts';
import { OPTIONS, toFailure } from './options.ts';

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

test('a request that the server refuses for its rate is made again after the wait that the server asks for', async () => {
  let asked = 0;
  const wire = createPost({
    url: URL_,
    headers: {},
    version: () => undefined,
    fetch: async () => {
      asked += 1;
      if (asked < 3) return new Response('', { status: 429, headers: { 'retry-after': '0' } });
      return new Response('{"jsonrpc":"2.0","id":1,"result":{}}', { headers: { 'content-type': 'application/json' } });
    },
  });
  const message = { jsonrpc: '2.0', id: 1, method: 'skills/list', params: {} } as const;
  const { message: received } = await wire.ask(message, new AbortController().signal, 1000);
  expect([received, asked]).toEqual([{ jsonrpc: '2.0', id: 1, result: {} }, 3]);
});

test.each(['', '60', 'Wed, 21 Oct 2026 07:28:00 GMT'])(
  'a server that refuses for the rate and asks for the wait "%s" is a failure at once',
  async (wait) => {
    const limited = async () => new Response('', { status: 429, headers: wait === '' ? {} : { 'retry-after': wait } });
    expect(await toFailure(verifyPost(limited))).toBe(
      'http://127.0.0.1:1/mcp limits the rate of requests (HTTP 429): lower --concurrency, or try later',
    );
  },
);

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

test('a server that refuses both handshakes for one reason is reported once', async () => {
  const fetch: typeof globalThis.fetch = async (_, init) => {
    const { id } = JSON.parse(String(init?.body)) as { id: number };
    return Response.json({ jsonrpc: '2.0', id, error: { code: -32603, message: 'no skills are served' } });
  };
  expect(await toFailure(verifyPost(fetch, { eras: ['modern', 'legacy'] }))).toBe(
    'the server refuses the handshake of each revision: no skills are served (-32603)',
  );
});

test('a server that names no revision is reported as one', async () => {
  const fetch: typeof globalThis.fetch = async () => Response.json({ jsonrpc: '2.0', id: 1, result: {} });
  expect(await toFailure(verifyPost(fetch, { eras: ['modern', 'legacy'] }))).toBe(
    'the server speaks no revision that was asked for; it refuses 2026-07-28: its supported revisions: missing; it refuses 2025-11-25: the revision that it chose: missing',
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

/** Lists four skills of a file each, and answers every read with 33 million bytes, mostly of characters that are no ASCII. */
const LARGE = `
  const text = '\\u20ac'.repeat(11_000_000);
  const names = [...'abcd'].map((name) => ({ name, uri: 'skill://' + name + '/SKILL.md' }));
  const digest = 'sha256:' + '0'.repeat(64);
  const skills = names.map(({ name, uri }) => ({ uri, frontmatter: { name, description: 'x' }, resources: [{ uri, digest, size: 9_000_000 }] }));
  const answers = {
    'server/discover': () => ({ supportedVersions: ['2026-07-28'], capabilities: { resources: {}, extensions: { 'io.modelcontextprotocol/skills': {} } } }),
    'skills/list': () => ({ skills }),
    'skills/get': ({ uri }) => ({ skill: skills.find((skill) => skill.uri === uri) }),
    'resources/read': ({ uri }) => ({ contents: [{ uri, text }] }),
  };
  require('http').createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const { id, method, params } = JSON.parse(Buffer.concat(chunks));
    const result = { ...answers[method](params), resultType: 'complete', ttlMs: 1, cacheScope: 'private' };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', id, result }));
  }).listen(0, '127.0.0.1', function () { console.log(this.address().port); });`;

test.skipIf(process.platform !== 'linux')(
  'the command stays below 300 MB of memory while a server over HTTP sends one large file after another',
  async () => {
    const server = spawn(process.execPath, ['-e', LARGE]);
    try {
      const port = await new Promise<number>((resolve) =>
        server.stdout.once('data', (text: Buffer) => resolve(Number(text))),
      );
      const { status, stderr, kilobytes } = await runMeasured([
        'verify',
        '--era',
        'modern',
        `http://127.0.0.1:${port}/mcp`,
      ]);
      expect({ status, stderr }).toEqual({
        status: 3,
        stderr: 'mcp-server-skills: the server sent a message of more than 16,777,216 bytes\n',
      });
      expect(kilobytes).toBeLessThan(300_000);
    } finally {
      server.kill();
    }
  },
);
