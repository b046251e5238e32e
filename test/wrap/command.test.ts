import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { collect, EXAMPLE, type Outcome, run, start } from '../command.ts';
import { makeTree, skillMd } from '../tree.ts';
import { parse, toRequest } from './wire.ts';

const INITIALIZE = `${JSON.stringify(
  toRequest(0, 'initialize', {
    ...{ protocolVersion: '2025-11-25', capabilities: {} },
    clientInfo: { name: 'test', version: '0' },
  }),
)}\n`;

/** A server that knows a few methods, and writes its arguments first. */
const ECHO = `
  console.error('arguments ' + JSON.stringify(process.argv.slice(1)));
  let rest = '';
  process.stdin.setEncoding('utf8').on('data', (text) => {
    const lines = (rest + text).split('\\n');
    rest = lines.pop();
    for (const line of lines) {
      const { id, method, params } = JSON.parse(line);
      if (method === 'initialize')
        console.log(JSON.stringify({ jsonrpc: '2.0', id, result: { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'echo', version: '0' } } }));
      else if (method === 'say') console.log(params);
      else if (method === 'exit') process.exit(params.status);
      else if (method === 'fill') { process.stdout.write('x'.repeat(33 * 1024 * 1024)); }
      else if (method === 'ping') console.log(JSON.stringify({ jsonrpc: '2.0', id, result: {} }));
      else if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'no' } }));
    }
  });`;

const wrap = (...more: string[]) => [EXAMPLE, '--wrap', '--', process.execPath, '-e', ECHO, ...more];

async function runWith(args: readonly string[], ...requests: object[]): Promise<Outcome> {
  return run(args, { input: INITIALIZE + requests.map((each) => `${JSON.stringify(each)}\n`).join('') });
}

describe('serve --wrap', () => {
  test('serves the skills beside the other server, and ends when the client hangs up', async () => {
    const { status, stdout, stderr } = await runWith(
      wrap('a b', '--', '--http'),
      toRequest(1, 'skills/get', { uri: 'skill://commit-messages/SKILL.md' }),
      toRequest(2, 'ping'),
    );
    expect(status).toBe(0);
    const answers = new Map(parse(stdout).map(({ id, result }) => [id, result as Record<string, unknown>]));
    expect([answers.get(0)?.['serverInfo'], answers.get(2)]).toEqual([{ name: 'echo', version: '0' }, {}]);
    expect(answers.get(1)?.['skill']).toMatchObject({ uri: 'skill://commit-messages/SKILL.md' });
    // what follows the first "--" is the other server's, all of it
    expect(stderr).toBe('arguments ["a b","--","--http"]\n');
  });

  test('passes on to stderr what the other server prints among its messages', async () => {
    const { stdout, stderr } = await runWith(
      wrap(),
      { jsonrpc: '2.0', method: 'say', params: 'hello' },
      toRequest(1, 'ping'),
    );
    expect(parse(stdout).map(({ id }) => id)).toEqual([0, 1]);
    expect(stderr.split('\n').filter((line) => line !== '')).toEqual(['arguments []', 'hello']);
  });

  test.each([
    ['at once', 'process.exit(4)', ''],
    ['when it is asked first', "process.stdin.once('data', () => process.exit(4))", ''],
    [
      'in the middle of a line',
      "process.stdin.once('data', () => process.stdout.write('{\"jsonrpc\":', () => process.exit(4)))",
      '{"jsonrpc":',
    ],
  ])('ends with a server that ends %s', async (_, script, stray) => {
    const child = start([EXAMPLE, '--wrap', '--', process.execPath, '-e', script]);
    const output = collect(child);
    child.stdin?.write(INITIALIZE);
    expect([await once(child, 'close'), output]).toEqual([[4, null], { stdout: '', stderr: stray }]);
  });

  test('ends with the status of the other server', async () => {
    const child = start(wrap());
    child.stdin?.write(INITIALIZE);
    child.stdin?.write(`${JSON.stringify(toRequest(1, 'exit', { status: 7 }))}\n`);
    expect(await once(child, 'exit')).toEqual([7, null]);
  });

  test.skipIf(process.platform === 'win32')(
    'ends with the number of the signal that ended the other server',
    async () => {
      const child = start([EXAMPLE, '--wrap', '--', 'sh', '-c', 'kill -9 $$']);
      child.stdin?.write(INITIALIZE);
      expect(await once(child, 'exit')).toEqual([128 + 9, null]);
    },
  );

  test.skipIf(process.platform === 'win32')('passes a signal on', async () => {
    const child = start(wrap());
    const output = collect(child);
    child.stdin?.write(INITIALIZE);
    await expect.poll(() => output.stdout).toContain('echo');
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([128 + 15, null]);
  });

  test('ends both where a line is longer than any message', async () => {
    const { status, stderr } = await runWith(wrap(), { jsonrpc: '2.0', method: 'fill' });
    expect(status).toBe(3);
    expect(stderr).toContain(
      'mcp-server-skills: the wrapped server wrote a line of more than 32 MiB, and no message is that long: both ends\n',
    );
  });

  test('answers why the other server does not start', async () => {
    const { status, stdout, stderr } = await runWith([EXAMPLE, '--wrap', '--', '/no/such/server']);
    const message = 'the server to wrap does not start: spawn /no/such/server ENOENT';
    expect([status, parse(stdout)]).toEqual([3, [{ jsonrpc: '2.0', id: 0, error: { code: -32603, message } }]]);
    expect(stderr).toBe(`mcp-server-skills: ${message}\n`);
  });

  test('answers why no skill can be served, and ends the other server', async () => {
    const root = makeTree({});
    const { status, stdout } = await runWith([`${root}/none`, ...wrap().slice(1)]);
    const [answer] = parse(stdout) as [{ id: number; error: { code: number; message: string } }];
    expect([status, answer.id, answer.error.code]).toEqual([3, 0, -32603]);
    expect(answer.error.message).toMatch(/^no skills are served: .*none/);
  });

  test('serves nothing where the skills are not those of the lock', async () => {
    const lock = join(makeTree({ 'lock.json': '{}' }), 'skills.lock.json');
    const root = makeTree({ 'a/SKILL.md': skillMd('a') });
    expect((await run(['lock', root, '--out', lock])).status).toBe(0);
    const args = (folder: string) => [folder, `--locked=${lock}`, ...wrap().slice(1)];
    expect(parse((await runWith(args(root), toRequest(1, 'skills/list'))).stdout)).toHaveLength(2);
    const { status, stdout } = await runWith(args(EXAMPLE));
    expect([status, parse(stdout)]).toEqual([
      1,
      [{ jsonrpc: '2.0', id: 0, error: { code: -32603, message: expect.stringMatching(/^no skills are served: /) } }],
    ]);
  });

  test('goes on with the other server where every skill has errors, and reports them', async () => {
    const root = makeTree({ 'bad/SKILL.md': skillMd('good') });
    const { status, stdout, stderr } = await runWith([root, ...wrap().slice(1)], toRequest(1, 'skills/list'));
    expect([status, parse(stdout).find(({ id }) => id === 1)?.['result']]).toEqual([0, { skills: [] }]);
    expect(stderr).toContain('[name-mismatch]');
  });

  test.each([
    [
      ['--wrap'],
      '--wrap needs the command of a server after "--": --wrap -- npx -y @modelcontextprotocol/server-memory',
    ],
    [
      ['--wrap', '--'],
      '--wrap needs the command of a server after "--": --wrap -- npx -y @modelcontextprotocol/server-memory',
    ],
    [['--wrap-prompts'], '--wrap-prompts needs --wrap'],
    [
      ['--wrap', '--http', '3000', '--', 'x'],
      '--http is for HTTP, and --wrap is for stdio: for a remote server, write --wrap -- npx -y mcp-remote URL',
    ],
    [
      ['--wrap', '--watch', '--', 'x'],
      '--watch and --wrap contradict each other: the skills are read once, and a restart reads them again',
    ],
    [
      ['--wrap', '--watch-interval', '5', '--', 'x'],
      '--watch-interval and --wrap contradict each other: the skills are read once, and a restart reads them again',
    ],
    [['--wrap', '--wrap-prompts', '--no-prompts', '--', 'x'], '--wrap-prompts and --no-prompts contradict each other'],
  ])('refuses wrong usage: %j', async (args, message) => {
    const { status, stdout, stderr } = await run([EXAMPLE, ...args]);
    expect([status, stdout, stderr]).toEqual([2, '', `mcp-server-skills: ${message}\n`]);
  });

  test('wants to know which skills', async () => {
    const { status, stderr } = await run(['--wrap', '--', 'x']);
    expect([status, stderr]).toEqual([
      2,
      'mcp-server-skills: --wrap needs a folder of skills: mcp-server-skills ./skills --wrap -- npx -y @modelcontextprotocol/server-memory\n',
    ]);
  });
});
