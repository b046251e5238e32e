import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { post } from './harness.ts';

const PROBE = fileURLToPath(new URL('../attack/probe.cjs', import.meta.url));
const SKILLS = 5000;

/** A server in a process of its own, which says how long its event loop was kept. */
interface Probed {
  readonly url: string;
  readonly child: ChildProcess;
  /** The longest delay since it was asked last, in milliseconds. */
  readDelay(): Promise<number>;
}

const folder = mkdtempSync(join(tmpdir(), 'delay-'));
const servers: Probed[] = [];

async function startProbed(script: string): Promise<Probed> {
  const child = spawn(process.execPath, ['--require', PROBE, script, String(SKILLS)], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const port = await new Promise<string>((resolve, reject) => {
    child.stdout?.once('data', (text) => resolve(String(text).trim()));
    child.once('exit', (status) => reject(new Error(`the server ended with status ${status}`)));
  });
  const readDelay = () =>
    new Promise<number>((resolve) => {
      child.once('message', ({ max }: { max: number }) => resolve(max));
      child.send('delays');
    });
  return { url: `http://127.0.0.1:${port}/mcp`, child, readDelay };
}

beforeAll(async () => {
  const outfile = join(folder, 'large.mjs');
  await build({
    entryPoints: [fileURLToPath(new URL('large.ts', import.meta.url))],
    ...{ outfile, bundle: true, platform: 'node', format: 'esm', logLevel: 'error' },
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  });
  servers.push(...(await Promise.all([startProbed(outfile), startProbed(outfile)])));
});
afterAll(() => {
  for (const { child } of servers) child.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

const call = (method: string, params: object) => ({ jsonrpc: '2.0', method, params });
const tool = (name: string, args: object) => call('tools/call', { name, arguments: args });
const kinds: [string, object][] = [
  ['pages', call('skills/list', {})],
  ['a search of 32 words', tool('skill_list', { query: 'second look at a change pull requests '.repeat(5) })],
  ['a skill that is misspelt', tool('skill_load', { skill: 'skil-012x' })],
  ['a skill that nobody has', tool('skill_load', { skill: 'zebra-skyscraper' })],
  [
    'completions',
    call('completion/complete', {
      ref: { type: 'ref/resource', uri: 'skill://{+path}' },
      argument: { name: 'path', value: 'e' },
    }),
  ],
];

/** How much longer the loop was kept than that of an idle server in the same time: the least of three, since what else runs only adds. */
async function measure(messages: readonly object[]): Promise<number> {
  const [server, idle] = servers as [Probed, Probed];
  const kept: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    await Promise.all([server.readDelay(), idle.readDelay()]);
    const body = JSON.stringify(messages.map((message, id) => ({ ...message, id })));
    const response = await post(server.url, body, { 'mcp-protocol-version': '2025-03-26' });
    await response.text();
    expect([200, 400]).toContain(response.status);
    await new Promise((resolve) => setTimeout(resolve, 20));
    const [busy, quiet] = await Promise.all([server.readDelay(), idle.readDelay()]);
    kept.push(busy - quiet);
  }
  return Math.max(0, Math.min(...kept));
}

test.each(kinds)(
  'a batch of 50 keeps the event loop about as long as one message of it does: %s',
  async (_, message) => {
    // what the first one makes is made
    await measure([message]);
    const one = await measure([message]);
    const batch = await measure(Array(50).fill(message));
    expect(batch / Math.max(one, 10)).toBeLessThan(10);
  },
);
