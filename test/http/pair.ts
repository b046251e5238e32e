import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Client, ProtocolError } from '@modelcontextprotocol/client';
import { z } from 'zod';
import { connectClient, createFixture, findPort, startNginx } from './harness.ts';

const SKILLS = 2_000;

export interface Replica {
  port: number;
  /** Ends it as a crash does. */
  kill(): Promise<void>;
  /** Ends it as a deployment does; resolves with its exit status. */
  stop(): Promise<number | null>;
}

/** Two replicas of the built command behind nginx. */
export interface Pair {
  /** The endpoint, at the proxy. */
  url: string;
  replicas: Replica[];
  /** Starts a replica; `generation` picks the folder that it serves. */
  launch(port: number, generation: number): Promise<Replica>;
  close(): Promise<void>;
}

/** The skills of one generation: all of them stay as they are but one, which says which it is. */
export function createGeneration(generation: number) {
  const text = `---\nname: generation\ndescription: Generation ${generation} of these skills.\n---\n`;
  return createFixture(SKILLS, { 'skill://generation/SKILL.md': text });
}

/**
 * Starts two replicas that serve the first of two generations, and the proxy of docs/http.md in front of them.
 *
 * @param home - the repository
 */
export async function startPair(home: URL): Promise<Pair> {
  const folder = await mkdtemp(join(tmpdir(), 'replicas-'));
  for (const generation of [1, 2]) {
    for (const [uri, text] of createGeneration(generation).contents) {
      const file = join(folder, String(generation), uri.slice('skill://'.length));
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);
    }
  }
  const launch = (port: number, generation: number) => launchReplica(home, join(folder, String(generation)), port);
  const replicas: Replica[] = [];
  for (let i = 0; i < 2; i += 1) replicas.push(await launch(await findPort(), 1));
  const port = await findPort();
  const ports = replicas.map((replica) => replica.port);
  const nginx = await startNginx(folder, await readProxy(home, port, ports));
  const url = `http://127.0.0.1:${port}/mcp`;
  for (let tries = 0; tries < 150; tries += 1) {
    const ready = await fetch(new URL('/readyz', url)).catch(() => undefined);
    if (ready?.status === 200) break;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return {
    ...{ url, replicas, launch },
    async close() {
      await end(nginx);
      await Promise.all(replicas.map((replica) => replica.kill()));
      await rm(folder, { recursive: true });
    },
  };
}

export async function end(child: ChildProcess): Promise<void> {
  const exited = new Promise((resolve) => child.once('exit', resolve));
  if (child.exitCode === null && child.kill('SIGTERM')) await exited;
}

/** Starts the built command, and waits until it serves. */
export async function launchReplica(home: URL, root: string, port: number): Promise<Replica> {
  const bin = new URL('bin/mcp-server-skills.js', home).pathname;
  const child = spawn(process.execPath, [bin, root, '--http', String(port), '--rate', '10000'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exited = new Promise<number | null>((resolve) => child.on('exit', resolve));
  await new Promise<void>((resolve, reject) => {
    child.stderr.on('data', (chunk) => (String(chunk).includes('Serving ') ? resolve() : undefined));
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

/** The proxy of docs/http.md, without TLS and in front of these ports; with another `upstream` block if one is given. */
export async function readProxy(
  home: URL,
  port: number,
  [first, second]: (number | undefined)[],
  upstream?: string,
): Promise<string> {
  const text = await readFile(new URL('docs/http.md', home), 'utf8');
  const block = /```nginx\n(.*?)```/s.exec(text)?.[1] ?? '';
  return (upstream === undefined ? block : block.replace(/^upstream .*?^}\n/ms, upstream))
    .replace('127.0.0.1:3000', `127.0.0.1:${first}`)
    .replace('127.0.0.1:3001', `127.0.0.1:${second}`)
    .replace('listen 443 ssl;', `listen 127.0.0.1:${port};`)
    .replace('server_name skills.example.com;', '')
    .replace(/.*ssl_certificate.*\n/g, '');
}

const page = z.object({ skills: z.array(z.object({ uri: z.string() })), nextCursor: z.string().optional() });

export function listPage(client: Client, cursor: string | undefined) {
  const params = cursor === undefined ? {} : { cursor };
  return client.request({ method: 'skills/list', params }, page);
}

/** Walks the listing as a host does: a cursor that is refused means that the catalog has changed, and to start anew. */
export async function walk(client: Client): Promise<{ uris: string[]; restarts: number }> {
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
export function connectRetrying(
  url: string,
  era: 'modern' | 'legacy',
  onRetry: () => void,
  token?: string,
): Promise<Client> {
  return connectClient(url, era, {
    ...(token === undefined ? {} : { token }),
    fetch: async (input, init) => {
      for (let tries = 0; ; tries += 1) {
        const response = await fetch(input, init).catch(() => undefined);
        if (response?.ok || (response !== undefined && response.status < 500) || tries > 20) {
          return response ?? Response.error();
        }
        // What is no connection error must not hide behind the retries.
        if (response !== undefined && ![502, 503, 504].includes(response.status)) {
          throw new Error(`the answer has the status ${response.status}`);
        }
        onRetry();
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
  });
}

/** What came of reading while replicas are killed. */
export interface Outcome {
  reads: number;
  walks: number;
  kills: number;
  retries: number;
  /** Answers that were not the right ones, or that never came. */
  failed: string[];
}

/** Walks the listing and reads files through the proxy, `reads` at least and until `until`, while one replica after the other is killed. */
export async function readWhileKilled(
  { url, replicas, launch }: Pair,
  era: 'modern' | 'legacy',
  reads: number,
  until = 0,
): Promise<Outcome> {
  const { uris, contents } = createGeneration(1);
  const outcome: Outcome = { reads: 0, walks: 0, kills: 0, retries: 0, failed: [] };
  const client = await connectRetrying(url, era, () => {
    outcome.retries += 1;
  });
  let isOver = false;
  const killing = (async () => {
    while (!isOver) {
      await new Promise((resolve) => setTimeout(resolve, 250));
      const index = outcome.kills % 2;
      const { port, kill } = replicas[index] as Replica;
      await kill();
      await new Promise((resolve) => setTimeout(resolve, 150));
      replicas[index] = await launch(port, 1);
      outcome.kills += 1;
    }
  })();
  const mustRead = () => outcome.reads < reads || performance.now() < until;
  const read = async () => {
    while (mustRead()) {
      const uri = uris[outcome.reads % uris.length] ?? '';
      outcome.reads += 1;
      const right = JSON.stringify([{ uri, mimeType: 'text/markdown', text: contents.get(uri) }]);
      const found = await client.readResource({ uri }).then((result) => JSON.stringify(result.contents), String);
      if (found !== right) outcome.failed.push(`${uri}: ${found}`);
    }
  };
  const list = async () => {
    do {
      const walked = await walk(client).then((result) => JSON.stringify(result), String);
      outcome.walks += 1;
      if (walked !== JSON.stringify({ uris, restarts: 0 })) outcome.failed.push(`walk: ${walked.slice(0, 200)}`);
    } while (mustRead());
  };
  await Promise.all([list(), ...Array.from({ length: 4 }, read)]);
  isOver = true;
  await killing;
  await client.close();
  return outcome;
}
