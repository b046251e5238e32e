import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runIn } from '../fixtures.ts';
import { makeTree, skillMd } from '../tree.ts';

const npm = (cwd: string, ...args: string[]) =>
  execFileSync('npm', [...args, '--silent', '--no-audit', '--no-fund'], { cwd, shell: process.platform === 'win32' });

/** Packs a package as its author does, and gives the tarball. */
function packPackage(name: string, version: string, files: Record<string, string>): string {
  const cwd = makeTree({ 'package.json': JSON.stringify({ name, version, exports: './x.js' }), 'x.js': '', ...files });
  npm(cwd, 'pack');
  return join(cwd, readdirSync(cwd).find((file) => file.endsWith('.tgz')) ?? '');
}

const list = async (cwd: string, ...args: string[]) => {
  const { status, stdout, stderr } = await runIn(cwd, ['list', ...args, '--json']);
  if (status !== 0) return [status, stderr.trimEnd()];
  const { skills, sources } = JSON.parse(stdout);
  return [skills.map(({ uri }: { uri: string }) => uri), sources];
};

describe('packages that npm installed', () => {
  const project = makeTree({ 'package.json': '{"name":"project","private":true}', 'deep/er/x': '' });
  npm(
    project,
    'install',
    '--offline',
    packPackage('plain', '1.2.3', { 'skills/a/SKILL.md': skillMd('a'), 'docs/own/b/SKILL.md': skillMd('b') }),
    packPackage('@scope/tools', '2.0.0', { 'skills/a/SKILL.md': skillMd('a'), 'skills/g/c/SKILL.md': skillMd('c') }),
    packPackage('without', '1.0.0', { 'lib/x.js': '' }),
  );

  test('are found as Node finds them, from the working directory on', async () => {
    const plain = [['skill://a/SKILL.md'], [{ root: 'npm:plain', revision: 'plain@1.2.3' }]];
    expect(await list(project, 'npm:plain')).toEqual(plain);
    expect(await list(join(project, 'deep/er'), 'npm:plain')).toEqual(plain);
    expect(await list(project, 'npm:plain#docs/own')).toEqual([
      ['skill://b/SKILL.md'],
      [{ root: 'npm:plain#docs/own', revision: 'plain@1.2.3' }],
    ]);
    expect(await list(project, 'x/y=npm:@scope/tools')).toEqual([
      ['skill://x/y/a/SKILL.md', 'skill://x/y/g/c/SKILL.md'],
      [{ root: 'npm:@scope/tools', revision: '@scope/tools@2.0.0' }],
    ]);
  });

  test('are all taken by npm:*, each below its own name', async () => {
    const uris = ['skill://plain/a/SKILL.md', 'skill://scope/tools/a/SKILL.md', 'skill://scope/tools/g/c/SKILL.md'];
    expect(await list(project, 'npm:*')).toEqual([
      uris,
      [
        { root: 'npm:@scope/tools', revision: '@scope/tools@2.0.0' },
        { root: 'npm:plain', revision: 'plain@1.2.3' },
      ],
    ]);
    expect((await list(project, 'all=npm:*'))[0]).toEqual(uris.map((uri) => uri.replace('://', '://all/')));
  });

  test('are named in what is wrong with them, and not repaired', async () => {
    const cwd = makeTree({
      'node_modules/bad/package.json': '{"name":"bad","version":"1.0.0"}',
      'node_modules/bad/skills/a/SKILL.md': skillMd('other'),
    });
    expect((await runIn(cwd, ['check', 'npm:bad'])).stdout).toMatch(/^npm:bad:a\/SKILL\.md:2:7: error: /);
    expect((await runIn(cwd, ['check', 'npm:bad', '--fix=name'])).status).toBe(2);
  });

  test.each([
    ['npm:none', 3, 'npm:none: error: the package "none" is not installed here [root-missing]'],
    ['npm:without', 3, 'npm:without: error: the package "without" has no folder "skills" [root-missing]'],
    ['npm:plain#none', 3, 'npm:plain#none: error: the package "plain" has no folder "none" [root-missing]'],
    ['npm:../project', 2, '"npm:../project" is not a root: "../project" is not the name of a package'],
  ])('%s is not a root', async (root, status, message) => {
    expect(await list(project, root)).toEqual([status, expect.stringContaining(message)]);
  });
});

test('a name that makes no prefix needs one', async () => {
  const cwd = makeTree({
    'package.json': '{"dependencies":{"lodash.skills":"*","fine":"*"}}',
    ...Object.fromEntries(
      ['lodash.skills', 'fine'].flatMap((name) => [
        [`node_modules/${name}/package.json`, JSON.stringify({ name, version: '1.0.0' })],
        [`node_modules/${name}/skills/a/SKILL.md`, skillMd('a')],
      ]),
    ),
  });
  expect(await list(cwd, 'npm:*')).toEqual([
    2,
    'mcp-server-skills: the name of the package "lodash.skills" is not a prefix of URIs: give it one, and leave npm:* out: PREFIX=npm:lodash.skills',
  ]);
  expect((await list(cwd, 'lodash=npm:lodash.skills', 'npm:fine'))[0]).toEqual([
    'skill://a/SKILL.md',
    'skill://lodash/a/SKILL.md',
  ]);
});

test.skipIf(process.platform === 'win32')('a link may be a package, and none leads out of one', async () => {
  const cwd = makeTree({
    'package.json': '{"dependencies":{"linked":"*"}}',
    'store/linked/package.json': '{"name":"linked","version":"1.0.0"}',
    'store/linked/skills/a/SKILL.md': skillMd('a'),
    'node_modules/evil/package.json': '{"name":"evil","version":"1.0.0"}',
    'secret/a/SKILL.md': skillMd('a'),
  });
  symlinkSync('../store/linked', join(cwd, 'node_modules/linked'));
  symlinkSync('../../secret', join(cwd, 'node_modules/evil/skills'));
  expect((await list(cwd, 'npm:linked'))[0]).toEqual(['skill://a/SKILL.md']);
  expect(await list(cwd, 'npm:evil')).toEqual([
    3,
    expect.stringContaining('"skills" of the package "evil" is a link that leads out of it [root-unreadable]'),
  ]);
});

test('without a project, there are no dependencies', async () => {
  const cwd = makeTree({ 'a/x': '' });
  mkdirSync(join(cwd, 'b'));
  writeFileSync(join(cwd, 'b/package.json'), '{');
  const [status] = await list(join(cwd, 'a'), 'npm:*');
  expect(status).toBe(3);
  expect(await list(join(cwd, 'b'), 'npm:*')).toEqual([3, expect.stringContaining('package.json" cannot be read: ')]);
});
