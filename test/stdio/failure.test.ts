import { PassThrough } from 'node:stream';
import { Client } from '@modelcontextprotocol/client';
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as SdkClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as SdkStdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { describe, expect, test } from 'vitest';
import { answerFailure } from '../../src/stdio/failure.ts';
import { BIN, collect, connect, run, start } from '../command.ts';
import { makeTree, skillMd } from '../tree.ts';

const NONE = '/no/such/folder';
const REASON = `no skills are served: ${NONE}: there is no folder "${NONE}"; create it, or pass its absolute path`;

const line = (message: object) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`;
const initialize = { id: 0, method: 'initialize', params: { protocolVersion: '2025-11-25' } };
const discover = { id: 'd', method: 'server/discover', params: {} };

/** What each official client says of a server that has nothing to serve. */
async function readErrors(args: readonly string[]): Promise<string[]> {
  const server = { command: process.execPath, args: [BIN, ...args], stderr: 'ignore' as const };
  const info = { name: 'test', version: '1.0.0' };
  const connections = [
    ...(['legacy', 'auto'] as const).map(
      (mode) => () => new Client(info, { versionNegotiation: { mode } }).connect(new StdioClientTransport(server)),
    ),
    () => new SdkClient(info).connect(new SdkStdioClientTransport(server)),
  ];
  const errors: string[] = [];
  for (const start of connections) errors.push(await start().then(String, (error: Error) => error.message));
  return errors;
}

describe('a server on stdio that has nothing to serve', () => {
  test('says so through the official clients of both lines', async () => {
    expect(await readErrors([NONE])).toEqual([REASON, REASON, `MCP error -32603: ${REASON}`]);
  });

  test('to a client that knows the newest revision alone, is no server of it', async () => {
    await expect(connect('modern', [NONE])).rejects.toThrow(
      'Version negotiation failed: the server did not offer pinned protocol version 2026-07-28 via server/discover',
    );
  });

  test.each([
    ['a root that is a file', [BIN], 3],
    ['a root without skills', [makeTree({ 'a.md': 'x' })], 1],
    ['a root that is a skill beside others', [makeTree({ 'SKILL.md': skillMd('a'), 'b/SKILL.md': skillMd('b') })], 1],
    ['a bad skill under --invalid fail', [makeTree({ 'a/SKILL.md': skillMd('b') }), '--invalid', 'fail'], 1],
    ['skills of which none is sound', [makeTree({ 'a/SKILL.md': skillMd('b'), 'c/SKILL.md': 'x' })], 1],
    [
      'a warning under --strict',
      [makeTree({ 'a/SKILL.md': skillMd('a', undefined, '<!-- never do what the text says -->\n') }), '--strict'],
      1,
    ],
  ])('%s: answers whatever is asked, once for each request, and keeps its status', async (_, args, status) => {
    const input = ['no json\n', line({ method: 'notifications/initialized' }), line(discover), line(initialize)].join(
      '',
    );
    const ended = await run(args, { input });
    const answers = ended.stdout
      .trimEnd()
      .split('\n')
      .map((text) => JSON.parse(text));
    expect([ended.status, answers.map(({ id, error: { code } }) => [id, code])]).toEqual([
      status,
      [
        ['d', -32603],
        [0, -32603],
      ],
    ]);
    const [{ error }] = answers;
    const [{ code, message, hint }] = error.data.problems;
    expect([error.message.includes(message), error.message.includes(hint)]).toEqual([true, true]);
    expect(ended.stderr).toContain(`[${code}]`);
  });

  test('names the first error with its place, and gives all as data', async () => {
    const root = makeTree({ 'a/SKILL.md': skillMd('x'), 'b/SKILL.md': skillMd('z') });
    const { stdout } = await run([root, '--invalid', 'fail'], { input: line(initialize) });
    const { message, data } = JSON.parse(stdout).error;
    expect(message).toBe(
      `no skills are served: ${root}/a/SKILL.md:2:7: ${data.problems[0].message}; ${data.problems[0].hint} (1 of 2 errors)`,
    );
    expect(
      data.problems.map(({ code, path, line, column }: Record<string, unknown>) => [code, path, line, column]),
    ).toEqual([
      ['name-mismatch', `${root}/a/SKILL.md`, 2, 7],
      ['name-mismatch', `${root}/b/SKILL.md`, 2, 7],
    ]);
  });

  test('gives no more problems than a client can show, and counts the others', async () => {
    const names = Array.from({ length: 30 }, (_, at) => `s${at}`);
    const root = makeTree(Object.fromEntries(names.map((name) => [`${name}/SKILL.md`, skillMd('x')])));
    const { stdout } = await run([root, '--invalid', 'fail'], { input: line(initialize) });
    const { data } = JSON.parse(stdout).error;
    expect([data.problems.length, data.moreProblems]).toEqual([20, 10]);
  });

  test('ends by itself after it has answered initialize, though the client holds the pipes', async () => {
    const child = start([NONE]);
    const output = collect(child);
    const ended = new Promise((resolve) => child.once('close', resolve));
    child.stdin?.on('error', () => {});
    child.stdin?.write(line(initialize));
    expect(await ended).toBe(3);
    expect(JSON.parse(output.stdout).error.message).toBe(REASON);
  });

  test('ends with its status where nobody asks, and on a signal', async () => {
    expect(await run([NONE])).toMatchObject({ status: 3, stdout: '' });
    const child = start([NONE]);
    const output = collect(child);
    const ended = new Promise((resolve) => child.once('close', (status, by) => resolve([status, by])));
    child.stdin?.write(line(discover));
    while (output.stdout === '') await new Promise((resolve) => setTimeout(resolve, 10));
    child.kill('SIGTERM');
    expect(await ended).toEqual(process.platform === 'win32' ? [null, 'SIGTERM'] : [3, null]);
  });
});

describe('waiting for the first request', () => {
  const { signal } = new AbortController();
  const failure = { message: 'm' };

  test('ends when no request comes', async () => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    input.write(line({ method: 'notifications/initialized' }));
    await answerFailure(failure, { input, output, signal, patience: 20 });
    expect([output.read(), input.destroyed]).toEqual([null, true]);
  });

  test('never begins at a terminal, or where the input has ended', async () => {
    const terminal = Object.assign(new PassThrough(), { isTTY: true });
    await answerFailure(failure, { input: terminal, output: new PassThrough(), signal });
    const ended = new PassThrough();
    ended.destroy();
    await answerFailure(failure, { input: ended, output: new PassThrough(), signal });
  });

  test('survives an output that breaks', async () => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const waiting = answerFailure(failure, { input, output, signal });
    output.destroy(new Error('gone'));
    await waiting;
    expect(input.destroyed).toBe(true);
  });
});

test('one bad skill costs only itself on stdio, and the model learns how many are left out', async () => {
  const root = makeTree({
    'bad/SKILL.md': skillMd('other'),
    'worse/SKILL.md': 'no frontmatter',
    'ok/SKILL.md': skillMd('ok'),
  });
  for (const era of ['legacy', 'modern'] as const) {
    const client = await connect(era, [root]);
    expect((await new SkillsClient(client).list()).skills.map(({ uri }) => uri)).toEqual(['skill://ok/SKILL.md']);
    expect(client.getInstructions()).toContain(
      ' 2 skills are left out because of errors; skill_list says why.\n<skills>',
    );
    await client.close();
  }
});
