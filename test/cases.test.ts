/**
 * Trouble that people have with other tools, each as a small input with the right answer. What the frontmatter's own tests or the
 * tests of the scan, of stdio and of HTTP hold already is not repeated here.
 */
import { execFile, execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills';
import { expect, test } from 'vitest';
import { toMediaType } from '../src/catalog/mediatype.ts';
import { judgeSkills } from '../src/judge/judge.ts';
import { loadSkills } from '../src/load.ts';
import { BIN, connect, run } from './command.ts';
import { makeTree, type Node, skillMd } from './tree.ts';

async function codesOf(nodes: Readonly<Record<string, Node>>): Promise<string[]> {
  const [report] = await judgeSkills(makeTree(nodes));
  return report?.problems.map(({ path, code }) => `${path} ${code}`) ?? [];
}

async function listed(nodes: Readonly<Record<string, Node>>): Promise<string[]> {
  const catalog = await loadSkills(makeTree(nodes), { invalid: 'skip' });
  return catalog.skills.map(({ uri }) => uri);
}

test('one value that is no text keeps no other skill from being listed', async () => {
  const bad = '---\nname: bad\ndescription: d\nmetadata: {internal: true}\n---\n';
  const nodes = { 'good/SKILL.md': skillMd('good'), 'bad/SKILL.md': bad };
  expect(await codesOf(nodes)).toEqual(['bad/SKILL.md metadata-invalid']);
  expect(await listed(nodes)).toEqual(['skill://good/SKILL.md']);
});

test('consecutive, leading and trailing hyphens', async () => {
  expect(
    await codesOf({
      'a--b/SKILL.md': skillMd('a--b'),
      '-x/SKILL.md': skillMd('-x'),
      'x-/SKILL.md': skillMd('x-'),
    }),
  ).toEqual([
    '-x folder-name',
    '-x/SKILL.md name-invalid',
    'a--b folder-name',
    'a--b/SKILL.md name-invalid',
    'x- folder-name',
    'x-/SKILL.md name-invalid',
  ]);
});

test('a name with a namespace colon is refused once, with the name that fits the folder', async () => {
  const [report] = await judgeSkills(makeTree({ 'sync/SKILL.md': skillMd('flow:sync') }));
  expect(report?.problems.map(({ code, hint }) => [code, hint])).toEqual([['name-invalid', 'write "name: sync"']]);
});

test('a hint for a name is the text to write, for a folder whose name is no text to a YAML parser too', async () => {
  const folders = ['456', 'null', 'true', 'no', '1e5', '77', '0x10', 'plain'];
  const hintsOf = async (nameOf: (folder: string) => string) => {
    const nodes = folders.map((folder) => [`${folder}/SKILL.md`, `---\n${nameOf(folder)}\ndescription: d\n---\n`]);
    const [report] = await judgeSkills(makeTree(Object.fromEntries(nodes)));
    return new Map(report?.problems.map(({ path, hint = '' }) => [path.split('/')[0] ?? '', hint]));
  };
  const hints = await hintsOf(() => 'name: other');
  expect(hints.get('456')).toBe(`write 'name: "456"', or rename the folder to "other"`);
  expect(hints.get('plain')).toBe('write "name: plain", or rename the folder to "other"');
  const written = (folder: string) => /^write (["'])(.*?)\1(?=,)/.exec(hints.get(folder) ?? '')?.[2] ?? '';
  expect(await hintsOf(written)).toEqual(new Map());
});

test('a folder that has to be renamed is told the name as it is to be written', async () => {
  const [report] = await judgeSkills(makeTree({ 'No/SKILL.md': skillMd('No!') }));
  expect(report?.problems.map(({ hint }) => hint)).toEqual([
    `rename the folder to "no", and write 'name: "no"' into its SKILL.md`,
    `write 'name: "no"'`,
  ]);
});

test('a skill named like something of a host is a skill like any other', async () => {
  expect(await listed({ 'batch/SKILL.md': skillMd('batch'), 'skill/SKILL.md': skillMd('skill') })).toEqual([
    'skill://batch/SKILL.md',
    'skill://skill/SKILL.md',
  ]);
});

test('one name in two groups makes two skills', async () => {
  expect(await listed({ 'b/deploy/SKILL.md': skillMd('deploy'), 'a/deploy/SKILL.md': skillMd('deploy') })).toEqual([
    'skill://a/deploy/SKILL.md',
    'skill://b/deploy/SKILL.md',
  ]);
});

test('a refused folder is not tried under other rules', async () => {
  expect(await listed({ 'My Skill/SKILL.md': skillMd('my-skill'), 'ok/SKILL.md': skillMd('ok') })).toEqual([
    'skill://ok/SKILL.md',
  ]);
});

test('copies in the hidden folders of agents are not found a second time', async () => {
  expect(
    await listed({
      'a/SKILL.md': skillMd('a'),
      '.agents/skills/a/SKILL.md': skillMd('a'),
      '.claude/b/SKILL.md': skillMd('b'),
    }),
  ).toEqual(['skill://a/SKILL.md']);
});

test('a checkout that changed line ends is another skill: bytes are hashed and served as they are', async () => {
  const text = skillMd('a');
  const [unix, windows] = await Promise.all(
    [text, text.replaceAll('\n', '\r\n')].map((content) => loadSkills(makeTree({ 'a/SKILL.md': content }))),
  );
  expect(unix?.get('skill://a/SKILL.md')?.frontmatter).toEqual(windows?.get('skill://a/SKILL.md')?.frontmatter);
  expect(windows?.read('skill://a/SKILL.md')?.text).toBe(text.replaceAll('\n', '\r\n'));
  expect(windows?.digest).not.toBe(unix?.digest);
});

test('a field without a value is listed as null, not dropped', async () => {
  const catalog = await loadSkills(makeTree({ 'bare/SKILL.md': '---\nname: bare\ndescription: d\nhomepage:\n---\n' }));
  expect(catalog.get('skill://bare/SKILL.md')?.frontmatter).toEqual({ name: 'bare', description: 'd', homepage: null });
});

test('fields that the specification does not know pass through unchanged', async () => {
  const text = '---\nname: ext\ndescription: d\nuser-invocable: true\nversion: "1.0"\nhooks:\n  after: [a, b]\n---\n';
  const catalog = await loadSkills(makeTree({ 'ext/SKILL.md': text }));
  expect(catalog.get('skill://ext/SKILL.md')?.frontmatter).toEqual({
    name: 'ext',
    description: 'd',
    'user-invocable': true,
    version: '1.0',
    hooks: { after: ['a', 'b'] },
  });
});

test('a file that changes while a client is connected is served as it was listed', async () => {
  const root = makeTree({ 'a/SKILL.md': skillMd('a'), 'a/guide.md': 'before' });
  const client = await connect('modern', [root]);
  const skills = new SkillsClient(client);
  const [skill] = (await skills.list()).skills;
  if (skill === undefined) throw new Error('nothing is listed');
  writeFileSync(join(root, 'a/guide.md'), 'after, and longer');
  rmSync(join(root, 'a/SKILL.md'));
  expect((await skills.read(skill, 'guide.md')).text).toBe('before');
  expect((await skills.read(skill)).verified).toBe(true);
  await client.close();
});

test('types fit the content', () => {
  const types = [
    ['SKILL.md', true],
    ['main.ts', true],
    ['latin1.ts', false],
    ['clip.m2ts', false],
    ['main.rs', true],
    ['x.py', true],
    ['x.sh', true],
    ['data.json', true],
    ['data.yaml', true],
    ['page.html', true],
    ['icon.svg', true],
    ['logo.png', false],
    ['logo.PNG', false],
    ['notes.png', true],
    ['latin1.csv', false],
    ['table.csv', true],
    ['doc.pdf', false],
    ['form.docx', false],
    ['LICENSE', true],
    ['Makefile', true],
    ['blob', false],
    ['x.unknown', true],
    ['x.unknown', false],
  ] as const;
  expect(types.map(([path, isText]) => toMediaType(path, isText))).toEqual([
    'text/markdown',
    'text/plain',
    'application/octet-stream',
    'video/mp2t',
    'text/plain',
    'text/plain',
    'text/plain',
    'application/json',
    'text/yaml',
    'text/html',
    'image/svg+xml',
    'image/png',
    'image/png',
    'text/plain',
    'application/octet-stream',
    'text/csv',
    'application/pdf',
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    'text/plain',
    'text/plain',
    'application/octet-stream',
    'text/plain',
    'application/octet-stream',
  ]);
});

test('hosts that list what was not declared get empty lists, and no cursor', async () => {
  const root = makeTree({ 'a/SKILL.md': skillMd('a') });
  const ask = (id: number, method: string, params: object = {}) =>
    `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
  const initialize = ask(0, 'initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'x', version: '1' },
  });
  const complete = ask(4, 'completion/complete', {
    ref: { type: 'ref/resource', uri: 'skill://{+path}' },
    argument: { name: 'path', value: '' },
  });
  const input = [
    initialize,
    ask(1, 'tools/list'),
    ask(2, 'prompts/list'),
    ask(3, 'resources/templates/list'),
    complete,
  ].join('');
  const { stdout } = await run([root, '--tools', 'never', '--no-prompts', '--no-instructions'], { input });
  const answers = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
    .sort((a, b) => a.id - b.id);
  expect(answers[0].result.capabilities).toEqual({
    resources: { listChanged: true },
    extensions: { 'io.modelcontextprotocol/skills': { directoryRead: true } },
  });
  expect(answers[1].result).toEqual({ tools: [] });
  expect(answers[2].result).toEqual({ prompts: [] });
  expect(Object.keys(answers[3].result)).toEqual(['resourceTemplates']);
  expect(answers[4].result).toEqual({ completion: { values: [], total: 0, hasMore: false } });
});

test('a list of 2,000 skills comes in pages below 1 MiB, each skill once', async () => {
  const nodes: Record<string, Node> = {};
  for (let i = 0; i < 2000; i++) {
    nodes[`skill-${i}/SKILL.md`] = skillMd(`skill-${i}`);
    for (let j = 0; j < 3; j++) nodes[`skill-${i}/references/${j}.md`] = `${i} ${j}`;
  }
  const root = makeTree(nodes);
  const { stdout, status } = await promisify(execFile)(process.execPath, [BIN, 'list', root, '--json'], {
    maxBuffer: 64 * 1024 * 1024,
  }).then((output) => ({ ...output, status: 0 }));
  expect([status, JSON.parse(stdout).skills.length]).toEqual([0, 2000]);
  const client = await connect('modern', [root]);
  const skills = await new SkillsClient(client).list();
  expect(new Set(skills.skills.map(({ uri }) => uri)).size).toBe(2000);
  expect(skills.skills.length).toBe(2000);
  await client.close();
});

test('an old Node is told what is missing instead of a syntax error', async () => {
  const disguise = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '14.21.3' } });`;
  const script = `${disguise} await import(${JSON.stringify(pathToFileURL(BIN).href)});`;
  const failed = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]).catch(
    (error: { code: number; stderr: string; stdout: string }) => error,
  );
  expect(failed).toMatchObject({
    code: 1,
    stdout: '',
    stderr: 'mcp-server-skills needs Node 20.12 or newer, and this is 14.21.3\n',
  });
});

test('wrong usage ends with 2, a root that is not there with 3, a bad skill with 1, and stdout stays empty', async () => {
  const bad = makeTree({ 'a/SKILL.md': skillMd('b') });
  const statuses = await Promise.all(
    [
      ['--nope'],
      ['check', ''],
      ['serve', '--ttl', '-1'],
      ['serve', '--invalid', 'maybe'],
      ['list', join(bad, 'none')],
      ['list', bad],
      ['serve', bad, '--invalid', 'fail'],
      ['serve', bad, '--strict'],
      ['serve', bad, '--http', '0'],
      [join(bad, 'none')],
    ].map(async (args) => {
      const { status, stdout } = await run(args);
      return [status, stdout];
    }),
  );
  expect(statuses).toEqual([
    [2, ''],
    [2, ''],
    [2, ''],
    [2, ''],
    [3, ''],
    [1, ''],
    [1, ''],
    [1, ''],
    [1, ''],
    [3, ''],
  ]);
});

test('a git checkout of skills needs no setting that changes bytes', () => {
  const attributes = execFileSync('git', ['check-attr', 'text', 'skills-example/commit-messages/SKILL.md'], {
    cwd: join(BIN, '../..'),
    encoding: 'utf8',
  });
  expect(attributes).toContain('text: unset');
});

test('a SKILL.md below a skill is read and verified by the official client as a file of the outer skill', async () => {
  const root = makeTree({ 'foo/SKILL.md': skillMd('foo'), 'foo/bar/SKILL.md': skillMd('bar'), 'foo/bar/a.md': 'x' });
  for (const given of [root, join(root, 'foo')]) {
    const client = await connect('modern', [given, '--nested', 'files']);
    const skills = new SkillsClient(client);
    const [skill, ...others] = (await skills.list()).skills;
    if (skill === undefined) throw new Error('nothing is listed');
    expect([skill.uri, others]).toEqual(['skill://foo/SKILL.md', []]);
    for (const path of [undefined, 'bar/SKILL.md', 'bar/a.md']) {
      expect((await skills.read(skill, path)).verified).toBe(true);
    }
    await client.close();
  }
});
