import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, openSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { BIN, EXAMPLE, run, start } from '../command.ts';
import { makeTree } from '../tree.ts';
import { post, toCall } from './harness.ts';

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

interface Served {
  url: string;
  child: ChildProcess;
  stderr: NodeJS.ReadableStream & { destroy(): void };
  exited: Promise<[number | null, string | null]>;
}

/** Starts the built command, and waits until it says where it serves. */
async function serve(...args: string[]): Promise<Served> {
  const child = start(['serve', EXAMPLE, '--http', '0', '--log', 'json', ...args]);
  children.push(child);
  const exited = new Promise<[number | null, string | null]>((resolve) => {
    child.once('exit', (status, signal) => resolve([status, signal]));
  });
  const { stderr } = child;
  if (stderr === null) throw new Error('no stderr');
  const lines = createInterface({ input: stderr });
  const [line] = await new Promise<string[]>((resolve) => lines.once('line', (text) => resolve([text])));
  lines.close();
  return { url: JSON.parse(line ?? '').url, child, stderr, exited };
}

test('serves on when the reader of its log is gone, and ends well', async () => {
  const { url, child, stderr, exited } = await serve();
  stderr.destroy();
  for (let i = 0; i < 5; i += 1) expect((await post(url, toCall('ping'))).status).toBe(200);
  child.kill('SIGTERM');
  expect(await exited).toEqual([0, null]);
});

test('ends when it is told to, whatever the reader of its log does', async () => {
  const { url, child, stderr, exited } = await serve('--grace', '1', '--rate', '1000000');
  stderr.pause();
  const call = toCall('resources/read', { uri: `skill://${'x'.repeat(600)}/SKILL.md` });
  for (let round = 0; round < 40; round += 1) {
    await Promise.all(Array.from({ length: 50 }, async () => (await post(url, call)).arrayBuffer()));
  }
  child.kill('SIGTERM');
  expect(await exited).toEqual([0, null]);
});

test('survives a hang-up as soon as it says where it serves', async () => {
  const { url, child, exited } = await serve();
  child.kill('SIGHUP');
  expect((await post(url, toCall('ping'))).status).toBe(200);
  child.kill('SIGTERM');
  expect(await exited).toEqual([0, null]);
});

test.each([
  [['--http', 'nowhere'], '--http takes a port or HOST:PORT, not "nowhere": --http 127.0.0.1:3000'],
  [['--http', '0', '--oauth-issuer', 'https://a.example'], '--oauth-issuer and --oauth-audience go together'],
  [['--http', '0.0.0.0:0'], '0.0.0.0 can be reached from other machines'],
  [['--http', '0', '--allow-host', '1.2.3'], '"1.2.3" is not a host name'],
  [['--http', '0', '--oauth-issuer', 'a', '--oauth-audience', 'b'], '--oauth-issuer "a" is not an http or https URL'],
])('judges %j before the skills', async (args, message) => {
  const broken = makeTree({ 'Not A Name/SKILL.md': 'nothing' });
  const { status, stderr } = await run(['serve', broken, ...args]);
  expect([status, stderr.startsWith(`mcp-server-skills: ${message}`)]).toEqual([2, true]);
  expect((await run(['serve', broken, '--http', '0'])).status).toBe(1);
});

test('says that it is open to the network', async () => {
  const child = start(['serve', EXAMPLE, '--http', '0.0.0.0:0', '--no-auth', '--allow-host', 'a.example']);
  children.push(child);
  let text = '';
  child.stderr?.on('data', (chunk) => {
    text += chunk;
  });
  await expect
    .poll(() => text)
    .toMatch(
      /^anyone who can reach 0\.0\.0\.0:(\d+) can read, without a token\nServing 2 skills at http:\/\/127\.0\.0\.1:\1\/mcp\n$/,
    );
});

test('gives the reader of its log time for the last lines', async () => {
  const { url, child, stderr, exited } = await serve('--rate', '1000000');
  stderr.pause();
  const call = toCall('resources/read', { uri: `skill://${'x'.repeat(600)}/SKILL.md` });
  for (let round = 0; round < 10; round += 1) {
    await Promise.all(Array.from({ length: 50 }, async () => (await post(url, call)).arrayBuffer()));
  }
  child.kill('SIGTERM');
  await setTimeout(300);
  let text = '';
  for await (const chunk of stderr) text += chunk;
  expect(text.trimEnd().split('\n').length).toBe(500);
  expect(await exited).toEqual([0, null]);
});

test.skipIf(!existsSync('/dev/full'))('serves on where its log cannot be written', async () => {
  const child = spawn(process.execPath, [BIN, EXAMPLE], { stdio: ['pipe', 'pipe', openSync('/dev/full', 'w')] });
  children.push(child);
  const answer = new Promise((resolve) => child.stdout?.once('data', (line) => resolve(JSON.parse(line).id)));
  // what is no JSON is said on stderr
  child.stdin?.write(`no JSON\n{"jsonrpc":"2.0","id":7,"method":"ping"}\n`);
  expect(await answer).toBe(7);
});
