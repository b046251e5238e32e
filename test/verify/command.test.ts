import { spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { BIN, EXAMPLE, run, start } from '../command.ts';
import { makeTree, skillMd } from '../tree.ts';

const SERVER = [process.execPath, BIN, EXAMPLE];
const LAST =
  '2 skills, 5 files and 2,023 bytes verified on 2026-07-28 and 2025-11-25 with 58 requests; 0 errors, 0 warnings\n';

/** Serves the example over HTTP until the function is done. */
async function withHttp(options: readonly string[], use: (url: string) => Promise<void>): Promise<void> {
  const child = start([EXAMPLE, '--http', '0', '--log', 'json', ...options], {
    env: { MCP_SKILLS_TOKEN: 'let-me-in' },
  });
  let log = '';
  const url = await new Promise<string>((resolve) => {
    child.stderr?.on('data', (chunk: Buffer) => {
      log += chunk;
      const [found] = /http:\/\/[^\s"]+\/mcp/.exec(log) ?? [];
      if (found !== undefined) resolve(found);
    });
  });
  try {
    await use(url);
  } finally {
    child.kill();
    await new Promise((resolve) => child.once('close', resolve));
  }
}

test('our own server has no problems on stdio, in both eras', async () => {
  const { status, stdout, stderr } = await run(['verify', '--strict', '--', ...SERVER]);
  const { version } = JSON.parse(await readFile(join(EXAMPLE, '..', 'package.json'), 'utf8'));
  expect({ status, stdout, stderr }).toEqual({
    status: 0,
    stdout: `${SERVER.join(' ')}: mcp-server-skills ${version}\n\n${LAST}`,
    stderr: '',
  });
});

test('our own server has no problems over HTTP, in both eras, with a token from the environment', async () => {
  await withHttp([], async (url) => {
    const denied = await run(['verify', url]);
    expect(denied).toEqual({
      status: 3,
      stdout: '',
      stderr: `mcp-server-skills: ${url} wants credentials (HTTP 401): use --token-env or --header\n`,
    });
    const { status, stdout, stderr } = await run(['verify', '--strict', url, '--token-env', 'SECRET'], {
      env: { SECRET: 'let-me-in' },
    });
    expect({ status, last: stdout.split('\n\n')[1], stderr }).toEqual({ status: 0, last: LAST, stderr: '' });
  });
});

test.each([
  [[], 'no server is given: pass its URL, or after "--" the command that starts it'],
  [['skills'], '"skills" is not an http or https URL: to start a server, write its command after "--"'],
  [['http://a.example/', 'b'], 'one URL is expected, and b is another argument: write a command after "--"'],
  [['http://a.example/', '--', 'b'], 'a URL and a command are two servers: leave one out'],
  [['http://user:word@a.example/'], 'a URL with a password shows it to others: use --token-env'],
  [['http://a.example/', '--cwd', '.'], '--cwd is for a command, and a URL is given'],
  [['--token-env', 'X', '--', 'b'], '--token-env is for a URL: pass environment variables to a command with --env'],
  [['http://a.example/', '--token-env', 'NOT_SET'], 'the environment variable NOT_SET is not set'],
  [['--env', 'NOT_SET', '--', 'b'], 'the environment variable NOT_SET is not set'],
  [['http://a.example/', '--header', 'no'], `"no" is not a header: write 'Name: value'`],
  [
    ['http://a.example/', '--header', 'Authorization: Bearer x'],
    'a token on the command line shows in the list of processes: put it into a variable, and use --token-env',
  ],
  [['http://a.example/', '--ignore', 'no-skill'], 'there is no code "no-skill": did you mean no-skills?'],
  [['http://a.example/', '--select', 'nope'], 'there is no code "nope": docs/verify.md has them all'],
])('verify %j is a wrong use', async (args, message) => {
  expect(await run(['verify', ...args])).toEqual({ status: 2, stdout: '', stderr: `mcp-server-skills: ${message}\n` });
});

test('a command gets the variables that are asked for, and no others', async () => {
  const script = 'console.log([process.env.WANTED, process.env.OTHER, process.cwd()].join())';
  const folder = makeTree({});
  const args = ['verify', '--env', 'WANTED', '--cwd', folder, '--', process.execPath, '-e', script];
  const { stderr } = await run(args, { env: { WANTED: 'yes', OTHER: 'secret' } });
  expect(stderr).toContain(`is not a message: "yes,,${folder}"`);
});

test('a run that is interrupted ends the server that it started', async () => {
  const script = `require('fs').writeFileSync('pid', String(process.pid)); process.stderr.write('up'); setInterval(() => {}, 1000)`;
  const folder = makeTree({});
  const child = spawn(process.execPath, [BIN, 'verify', '--', process.execPath, '-e', script], { cwd: folder });
  const readPid = () => readFile(join(folder, 'pid'), 'utf8').catch(() => '');
  await expect.poll(readPid).not.toBe('');
  const pid = Number(await readPid());
  child.kill('SIGTERM');
  expect(await new Promise((resolve) => child.once('close', resolve))).toBe(3);
  expect(() => process.kill(pid, 0)).toThrow('ESRCH');
});

test('a report for a machine goes to a file, and one for people to stdout', async () => {
  const folder = makeTree({});
  const args = ['verify', '--format', 'json', '--output', 'report.json', '--skill', 'documents/*', '--', ...SERVER];
  const { status, stdout } = await run(args, { cwd: folder });
  expect({ status, last: stdout.split('\n\n')[1] }).toEqual({
    status: 0,
    last: expect.stringMatching(/^1 skill, 3 files and [\d,]+ bytes verified/),
  });
  const { skills, files, ok, problems } = JSON.parse(await readFile(join(folder, 'report.json'), 'utf8'));
  expect({ skills, files, ok, problems }).toEqual({ skills: 1, files: 3, ok: true, problems: [] });
});

test('a server has to serve what a lock file holds', async () => {
  const folder = makeTree({ 'a/SKILL.md': skillMd('a'), 'b/SKILL.md': skillMd('b'), 'b/more.md': 'More.\n' });
  const verify = (...server: string[]) =>
    run(['verify', '--expect', 'lock.json', '--', process.execPath, BIN, ...server], { cwd: folder });
  expect(await run(['lock', '.', '--out', 'lock.json'], { cwd: folder })).toMatchObject({ status: 0 });
  expect(await verify('.')).toMatchObject({ status: 0 });
  // what is in no listing is served all the same
  expect(await verify('.', '--unlisted', 'b')).toMatchObject({ status: 0 });
  await writeFile(join(folder, 'b', 'more.md'), 'Less.\n');
  const { status, stdout } = await verify('.', '--exclude', 'a');
  expect({ status, problems: stdout.split('\n').filter((line) => line.endsWith(']')) }).toEqual({
    status: 1,
    problems: [
      'skill://a/SKILL.md: error: the lock file has this skill, and the server does not [lock-differs]',
      'skill://b/SKILL.md#more.md: error: the skill is not the locked one: 1 file changed [lock-differs]',
    ],
  });
});

test('a lock file that is not there, or is none, is a wrong use', async () => {
  const folder = makeTree({ 'lock.json': '{}' });
  const verify = (file: string) => run(['verify', '--expect', file, '--', 'x'], { cwd: folder });
  expect(await verify('none.json')).toEqual({
    status: 2,
    stdout: '',
    stderr: 'mcp-server-skills: there is no lock file "none.json"\n',
  });
  expect(await verify('lock.json')).toEqual({
    status: 2,
    stdout: '',
    stderr:
      'mcp-server-skills: "lock.json" is not a lock: its "lockfileVersion" is undefined, and this version knows 1 alone\n',
  });
});
