import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startChild } from '../../src/verify/spawned.ts';
import { type VerifyOptions, verifyServer } from '../../src/verify/verification.ts';
import { makeTree } from '../tree.ts';
import { runMeasured } from './measured.ts';
import { OPTIONS, toFailure } from './options.ts';

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
    'the server sent more than 10,000 messages that are not responses to a request',
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
    'sends more lists than fit into memory',
    toServer(
      `() => process.stdout.write('{"jsonrpc":"2.0","id":2,"result":{"skills":["\\\\\\"]",' + '[],'.repeat(1_000_000) + '[]]}}\\n')`,
    ),
    {},
    'the server sent a message of more than 600,000 values',
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

test.skipIf(process.platform !== 'linux').each([
  ['1 GiB', GIBIBYTE, 'a message of more than 16,777,216 bytes'],
  ['messages without end', FLOOD, 'more than 10,000 messages'],
])('the command stays below 300 MB of memory while a server sends %s, and exits with 3', async (_, script, message) => {
  const { status, stdout, stderr, kilobytes } = await runMeasured(['verify', '--', process.execPath, '-e', script]);
  expect([status, stdout]).toEqual([3, '']);
  expect(stderr).toMatch(new RegExp(`^mcp-server-skills: the server sent ${message}[^\\n]*\\n$`));
  expect(kilobytes).toBeLessThan(300_000);
});
