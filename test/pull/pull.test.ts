import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, expect, test } from 'vitest';
import { runCommand } from '../../src/cli/main.ts';
import { makeTree } from '../tree.ts';
import { FaultyServer, listen, toSkillMd, type Wrong } from '../verify/faulty.ts';

const open: { close(): Promise<void> }[] = [];

afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

/** A server to pull from, and a folder to work in. */
async function serve(wrong: Wrong = {}) {
  const server = new FaultyServer(wrong);
  const listening = await listen(server);
  open.push(listening);
  const cwd = makeTree({});
  return { server, cwd, pull: (...args: string[]) => pull(cwd, [listening.url, ...args]) };
}

interface Answer {
  /** What a person types at the question; without it there is nobody. */
  readonly typed?: string;
}

async function pull(cwd: string, args: readonly string[], { typed }: Answer = {}) {
  const tty = typed === undefined ? {} : { isTTY: true };
  const [input, output, error] = [new PassThrough(), new PassThrough(), new PassThrough()];
  if (typed !== undefined) input.end(`${typed}\n`);
  const written = Promise.all([text(output), text(error)]);
  const status = await runCommand(['pull', '--out', 'got', ...args], {
    input: Object.assign(input, tty),
    output: Object.assign(output, tty),
    error,
    env: { NO_COLOR: '1' },
    home: cwd,
    version: '0',
    platform: process.platform,
    cwd,
    userHome: cwd,
    execPath: process.execPath,
    uid: undefined,
    hangups: { on: () => {}, off: () => {} } as never,
    signal: new AbortController().signal,
  });
  output.end();
  error.end();
  const [stdout, stderr] = await written;
  const told = stdout.slice(stdout.search(/^(?:added|changed|removed|no skill)/m));
  return { status, stderr, last: stdout.trimEnd().split('\n').at(-1), told };
}

/** Every file below a folder with its content, hidden ones too. */
function readTree(folder: string): Record<string, string> {
  return Object.fromEntries(
    (existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [])
      .filter((path) => lstatSync(join(folder, path)).isFile())
      .sort()
      .map((path) => [path.replaceAll('\\', '/'), readFileSync(join(folder, path), 'latin1')]),
  );
}

function edit({ server }: { server: FaultyServer }, changes: Record<string, string | undefined>): void {
  for (const [uri, content] of Object.entries(changes)) {
    if (content === undefined) server.files.delete(uri);
    else server.files.set(uri, content);
  }
  server.makeEntries();
}

const GUIDE = 'skill://alpha/references/guide.md';
const BETA = 'skill://group/beta/SKILL.md';

test('writes every skill, each file with its bytes and none executable, and a lock', async () => {
  const { cwd, server, pull } = await serve();
  expect(await pull()).toMatchObject({ status: 0, last: '3 skills written, 0 unchanged, 0 removed' });
  const { 'mcp-skills.lock.json': lock = '{}', ...files } = readTree(join(cwd, 'got'));
  expect(files).toEqual(
    Object.fromEntries(
      [...server.files].map(([uri, content]) => [
        uri.slice('skill://'.length),
        Buffer.from(content).toString('latin1'),
      ]),
    ),
  );
  expect(Object.keys(files).filter((path) => (lstatSync(join(cwd, 'got', path)).mode & 0o111) !== 0)).toEqual([]);
  expect(JSON.parse(lock).skills.map(({ uri }: { uri: string }) => uri)).toEqual([
    ...server.entries.map(({ uri }) => uri),
  ]);
  expect(await pull()).toMatchObject({
    status: 0,
    told: expect.stringMatching(/^no skill differs/),
    last: '0 skills written, 3 unchanged, 0 removed',
  });
});

test('prints what would change and writes nothing with --dry-run', async () => {
  const { cwd, pull } = await serve();
  expect(await pull('--dry-run')).toMatchObject({
    status: 0,
    told: expect.stringContaining('added skill://alpha/SKILL.md\n'),
  });
  expect(existsSync(join(cwd, 'got'))).toBe(false);
});

test('overwrites a skill that changed only where --yes or a person says so, after the difference', async () => {
  const { cwd, server, pull: run } = await serve();
  await run();
  edit({ server }, { [GUIDE]: '# New\n', 'skill://alpha/extra.md': 'More\n' });
  const told = expect.stringMatching(
    /changed skill:\/\/alpha\/SKILL.md\n {2}\+ extra.md .*\n {2}~ references\/guide.md .*\n {4}revokes approvals/,
  );
  expect(await run()).toMatchObject({ status: 1, told, last: '0 skills written, 2 unchanged, 0 removed' });
  expect(readTree(join(cwd, 'got'))['alpha/references/guide.md']).toBe('# Guide\n');
  expect(await run('--yes')).toMatchObject({ status: 0, told, last: '1 skill written, 2 unchanged, 0 removed' });
  expect(readTree(join(cwd, 'got'))).toMatchObject({
    'alpha/references/guide.md': '# New\n',
    'alpha/extra.md': 'More\n',
  });
});

test.each([
  ['y', 0, '# New\n'],
  ['', 1, '# Guide\n'],
])('asks a person at a terminal, who types "%s"', async (typed, status, content) => {
  const { cwd, server, pull: run } = await serve();
  await run();
  edit({ server }, { [GUIDE]: '# New\n' });
  const listening = await listen(server);
  open.push(listening);
  const asked = await pull(cwd, [listening.url], { typed });
  expect(asked).toMatchObject({ status, stderr: expect.stringContaining('overwrite 1 changed skill? [y/N]') });
  expect(readTree(join(cwd, 'got'))['alpha/references/guide.md']).toBe(content);
});

test('writes no skill that has an error, and keeps what was pulled of it', async () => {
  const { cwd, server, pull } = await serve({
    answer: ({ method, params }, usual, { wrong: _, files }) => {
      const answer = usual();
      if (method !== 'resources/read' || params.uri !== BETA || files.has('skill://new/SKILL.md') || 'error' in answer)
        return answer;
      return { result: { ...answer.result, contents: [{ ...answer.result.contents[0], text: 'Obey.' }] } };
    },
  });
  expect(await pull()).toMatchObject({ status: 1, last: '2 skills written, 0 unchanged, 0 removed' });
  expect(Object.keys(readTree(join(cwd, 'got'))).filter((path) => path.includes('beta'))).toEqual([]);
  expect(server.entries).toHaveLength(3);
});

test('removes with --prune what is no longer served, and keeps what was edited or was not pulled', async () => {
  const { cwd, server, pull } = await serve();
  await pull();
  const got = join(cwd, 'got');
  writeFileSync(join(got, 'alpha', 'references', 'guide.md'), 'My notes\n');
  writeFileSync(join(got, 'group', 'beta', 'own.md'), 'My own\n');
  edit(
    { server },
    Object.fromEntries([...server.files.keys()].filter((uri) => !uri.includes('gamma')).map((uri) => [uri, undefined])),
  );
  expect(await pull()).toMatchObject({
    status: 0,
    told: expect.stringContaining('no longer served, skill://alpha/SKILL.md: --prune removes it\n'),
  });
  expect(readTree(got)['alpha/SKILL.md']).toBeDefined();
  expect(await pull('--prune')).toMatchObject({
    status: 0,
    told: expect.stringContaining('kept, because it was edited: alpha/references/guide.md\n'),
    last: '0 skills written, 1 unchanged, 2 removed',
  });
  const { 'mcp-skills.lock.json': lock = '{}', ...files } = readTree(got);
  expect(files).toEqual({
    'alpha/references/guide.md': 'My notes\n',
    'group/beta/own.md': 'My own\n',
    'group/gamma/SKILL.md': toSkillMd('name: gamma\ndescription: The third.\nlicense: MIT\n'),
  });
  expect(JSON.parse(lock).skills).toHaveLength(1);
});

test('prunes nothing where the listing fails or is empty', async () => {
  let isBroken = false;
  const { cwd, server, pull } = await serve({
    answer: ({ method }, usual) =>
      isBroken && method === 'skills/list' ? { error: { code: -32603, message: 'no' } } : usual(),
  });
  await pull();
  const before = readTree(join(cwd, 'got'));
  isBroken = true;
  expect(await pull('--prune')).toMatchObject({ status: 1 });
  isBroken = false;
  server.entries = [];
  expect(await pull('--prune')).toMatchObject({ status: 1 });
  expect(readTree(join(cwd, 'got'))).toEqual(before);
});

test('overwrites nothing that it did not write, and follows no link', async () => {
  const { cwd, pull } = await serve();
  const got = join(cwd, 'got');
  const outside = makeTree({ 'keep.md': 'Keep.\n' });
  mkdirSync(join(got, 'alpha'), { recursive: true });
  writeFileSync(join(got, 'alpha', 'SKILL.md'), 'Mine.\n');
  symlinkSync(outside, join(got, 'group'), 'junction');
  const { status, told } = await pull('--yes', '--prune');
  expect({ status, told: told.split('\n').filter((line) => line.startsWith('not written')) }).toEqual({
    status: 1,
    told: [
      'not written, skill://alpha/SKILL.md: "alpha" is there, and was not pulled: remove it, or use another --out',
      'not written, skill://group/beta/SKILL.md: "group" is there, and is not a folder',
      'not written, skill://group/gamma/SKILL.md: "group" is there, and is not a folder',
    ],
  });
  expect(readTree(outside)).toEqual({ 'keep.md': 'Keep.\n' });
  expect(readTree(join(got, 'alpha'))).toEqual({ 'SKILL.md': 'Mine.\n' });
});

test.each([
  ['con.md', 'the name "con.md" is the device CON on Windows'],
  ['REFERENCES/guide.md', '"alpha/REFERENCES" and "alpha/references" are one path on some systems'],
  ['.hidden', 'a file of the skill has no uri below skill://alpha/, but "skill://alpha/.hidden"'],
  ['inner/SKILL.md', 'skill://alpha/inner/SKILL.md: a skill inside the skill skill://alpha/SKILL.md'],
  ['a%2fb.md', 'a segment that'],
])('writes no skill with the file %s', async (name, reason) => {
  const { cwd, pull } = await serve({ files: (files) => void files.set(`skill://alpha/${name}`, 'x\n') });
  const { status, told } = await pull();
  expect(status).toBe(1);
  if (!name.includes('%')) expect(told).toContain(`not written, skill://alpha/SKILL.md: ${reason}\n`);
  expect(Object.keys(readTree(join(cwd, 'got'))).sort()).toEqual([
    'group/beta/SKILL.md',
    'group/gamma/SKILL.md',
    'mcp-skills.lock.json',
  ]);
});

test('leaves no stage behind, also where the server fails or the folder cannot be written', async () => {
  const { cwd, pull: run } = await serve();
  await run();
  const failed = await pull(cwd, ['http://127.0.0.1:1/mcp']);
  expect(failed).toMatchObject({ status: 3, stderr: expect.stringMatching(/could not be reached[^\n]*\n$/) });
  expect(readdirSync(join(cwd, 'got')).sort()).toEqual(['alpha', 'group', 'mcp-skills.lock.json']);
  writeFileSync(join(cwd, 'file'), '');
  expect(await run('--out', 'file')).toMatchObject({
    status: 3,
    stderr: 'mcp-server-skills: "file/mcp-skills.lock.json" cannot be read: ENOTDIR\n',
  });
});

test('takes the skills that match --skill, and leaves the others as they are', async () => {
  const { cwd, pull } = await serve();
  expect(await pull('--skill', 'group/*')).toMatchObject({
    status: 0,
    last: '2 skills written, 0 unchanged, 0 removed',
  });
  expect(await pull('--skill', 'alpha', '--prune')).toMatchObject({
    status: 0,
    last: '1 skill written, 0 unchanged, 0 removed',
  });
  expect(JSON.parse(readTree(join(cwd, 'got'))['mcp-skills.lock.json'] ?? '').skills).toHaveLength(3);
});
