import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Client, ProtocolError } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { BIN } from '../command.ts';
import { isRequired } from '../required.ts';
import { connectClient, createFixture, findPort, NGINX, startNginx } from './harness.ts';

const SKILLS = 2_000;
const READS = 1_000;

interface Replica {
  port: number;
  /** Ends it as a crash does. */
  kill(): Promise<void>;
  /** Ends it as a deployment does; resolves with its exit status. */
  stop(): Promise<number | null>;
}

let folder: string;
let nginx: ChildProcess;
let url: string;
const replicas: Replica[] = [];

/** The skills of one generation: all of them stay as they are but one, which says which it is. */
function createGeneration(generation: number) {
  const text = `---\nname: generation\ndescription: Generation ${generation} of these skills.\n---\n`;
  return createFixture(SKILLS, { 'skill://generation/SKILL.md': text });
}

/** Starts the built command; `generation` picks the folder that it serves. */
async function launch(port: number, generation: number): Promise<Replica> {
  const root = join(folder, String(generation));
  const child = spawn(process.execPath, [BIN, root, '--http', String(port), '--rate', '10000'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exited = new Promise<number | null>((resolve) => child.on('exit', resolve));
  await new Promise<void>((resolve, reject) => {
    child.stderr.on('data', (chunk) => (String(chunk).includes('Serving 2001 skills') ? resolve() : undefined));
    child.once('exit', (code) => reject(new Error(`a replica ended with ${code}`)));
  });
  return {
    port,
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
    stop() {
      child.kill('SIGTERM');
      return exited;
    },
  };
}

async function restart(index: number, generation: number): Promise<void> {
  const { port, kill } = replicas[index] as Replica;
  await kill();
  await new Promise((resolve) => setTimeout(resolve, 150));
  replicas[index] = await launch(port, generation);
}

/** The proxy of docs/http.md, without TLS and in front of these ports. */
async function readProxy(port: number, [first, second]: (number | undefined)[]): Promise<string> {
  const text = await readFile(new URL('../../docs/http.md', import.meta.url), 'utf8');
  return (/```nginx\n(.*?)```/s.exec(text)?.[1] ?? '')
    .replace('127.0.0.1:3000', `127.0.0.1:${first}`)
    .replace('127.0.0.1:3001', `127.0.0.1:${second}`)
    .replace('listen 443 ssl;', `listen 127.0.0.1:${port};`)
    .replace('server_name skills.example.com;', '')
    .replace(/.*ssl_certificate.*\n/g, '');
}

const page = z.object({ skills: z.array(z.object({ uri: z.string() })), nextCursor: z.string().optional() });

function listPage(client: Client, cursor: string | undefined) {
  const params = cursor === undefined ? {} : { cursor };
  return client.request({ method: 'skills/list', params }, page);
}

/** Walks the listing as a host does: a cursor that is refused means that the catalog has changed, and to start anew. */
async function walk(client: Client): Promise<{ uris: string[]; restarts: number }> {
  for (let restarts = 0; restarts < 50; restarts += 1) {
    try {
      const uris: string[] = [];
      let cursor: string | undefined;
      do {
        const { skills, nextCursor } = await listPage(client, cursor);
        uris.push(...skills.map((skill) => skill.uri));
        cursor = nextCursor;
      } while (cursor !== undefined);
      return { uris, restarts };
    } catch (error) {
      if (!(error instanceof ProtocolError) || error.code !== -32602) throw error;
    }
  }
  throw new Error('the catalog never settled');
}

/** A client that tries again when the connection fails or the proxy says that it did. */
function connectRetrying(era: 'modern' | 'legacy', onRetry: () => void): Promise<Client> {
  return connectClient(url, era, {
    fetch: async (input, init) => {
      for (let tries = 0; ; tries += 1) {
        const response = await fetch(input, init).catch(() => undefined);
        if (response?.ok || (response !== undefined && response.status < 500) || tries > 20) {
          return response ?? Response.error();
        }
        // What is no connection error must not hide behind the retries.
        if (response !== undefined) expect([502, 503, 504]).toContain(response.status);
        onRetry();
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
  });
}

describe.skipIf(NGINX === undefined && !isRequired)('two replicas behind nginx', () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'replicas-'));
    for (const generation of [1, 2]) {
      for (const [uri, text] of createGeneration(generation).contents) {
        const file = join(folder, String(generation), uri.slice('skill://'.length));
        await mkdir(dirname(file), { recursive: true });
        await writeFile(file, text);
      }
    }
    for (let i = 0; i < 2; i += 1) replicas.push(await launch(await findPort(), 1));
    const port = await findPort();
    const ports = replicas.map((replica) => replica.port);
    nginx = await startNginx(folder, await readProxy(port, ports));
    url = `http://127.0.0.1:${port}/mcp`;
    await vi.waitFor(async () => expect((await fetch(new URL('/readyz', url))).status).toBe(200), 15_000);
  });
  afterAll(async () => {
    nginx?.kill('SIGTERM');
    await Promise.all(replicas.map((replica) => replica.kill()));
    if (folder !== undefined) await rm(folder, { recursive: true });
  });

  test('answer every page for each other', async () => {
    const [a, b] = await Promise.all(
      replicas.map(({ port }) => connectClient(`http://127.0.0.1:${port}/mcp`, 'modern')),
    );
    let cursor: string | undefined;
    let pages = 0;
    do {
      const ours = await listPage(a as Client, cursor);
      expect(await listPage(b as Client, cursor)).toEqual(ours);
      cursor = ours.nextCursor;
      pages += 1;
    } while (cursor !== undefined);
    expect(pages).toBe(21);
    await Promise.all([a?.close(), b?.close()]);
  });

  test.each(['modern', 'legacy'] as const)('give every answer right while one is killed, %s', async (era) => {
    const fixture = createGeneration(1);
    let retries = 0;
    const client = await connectRetrying(era, () => {
      retries += 1;
    });
    let stirring = true;
    let kills = 0;
    const stir = (async () => {
      while (stirring) {
        await new Promise((resolve) => setTimeout(resolve, 250));
        await restart(kills % 2, 1);
        kills += 1;
      }
    })();
    try {
      const listing = walk(client);
      const left = fixture.uris.slice(0, READS);
      const readers = Array.from({ length: 4 }, async () => {
        for (let uri = left.pop(); uri !== undefined; uri = left.pop()) {
          const { contents } = await client.readResource({ uri });
          expect(contents).toEqual([{ uri, mimeType: 'text/markdown', text: fixture.contents.get(uri) }]);
        }
      });
      const [walked] = await Promise.all([listing, ...readers]);
      expect(walked).toEqual({ uris: fixture.uris, restarts: 0 });
    } finally {
      stirring = false;
      await stir;
    }
    expect(kills).toBeGreaterThan(0);
    // The proxy asks the other replica itself, so a client seldom has to.
    expect(retries).toBeLessThan(READS / 10);
    await client.close();
  });

  test('refuse old cursors after a rolling change, and the client starts anew', async () => {
    const client = await connectRetrying('modern', () => {});
    const before = await listPage(client, undefined);
    const walking = walk(client);
    const stopped: (number | null)[] = [];
    for (const index of [0, 1]) {
      const { port, stop } = replicas[index] as Replica;
      stopped.push(await stop());
      replicas[index] = await launch(port, 2);
    }
    expect(stopped).toEqual([0, 0]);
    await expect(listPage(client, before.nextCursor)).rejects.toMatchObject({ code: -32602 });
    await walking;
    const after = await walk(client);
    expect(after).toEqual({ uris: createGeneration(2).uris, restarts: 0 });
    const { contents } = await client.readResource({ uri: 'skill://generation/SKILL.md' });
    expect(contents).toMatchObject([{ text: expect.stringContaining('Generation 2') }]);
    await client.close();
  });
});
