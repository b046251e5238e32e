import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { CatalogChange } from '../../src/catalog/change.ts';
import type { LiveSkills } from '../../src/catalog/live.ts';
import { makeTree, skillMd } from '../tree.ts';
import { follow, until, untilDescribed, WAYS } from './state.ts';

const uri = (path: string) => `skill://${path}/SKILL.md`;

/** Everything that was reported from now on. */
function record(live: LiveSkills): CatalogChange[] {
  const changes: CatalogChange[] = [];
  live.subscribe((change) => changes.push(change));
  return changes;
}

function write(root: string, path: string, description: string): void {
  const folder = join(root, path);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'SKILL.md'), skillMd(path.split('/').at(-1) ?? '', description));
}

/** As editors save: the new content under another name, which then takes the old one's place. */
function replace(root: string, path: string, description: string): void {
  const temporary = join(root, path, '.SKILL.md.new');
  writeFileSync(temporary, skillMd(path, description));
  renameSync(temporary, join(root, path, 'SKILL.md'));
}

/** Puts a link in the place of another one at once, as Kubernetes and git-sync do. */
function swapLink(folder: string, name: string, target: string): void {
  symlinkSync(target, join(folder, `${name}_tmp`));
  renameSync(join(folder, `${name}_tmp`), join(folder, name));
}

const paths = ({ catalog }: LiveSkills) => catalog.skills.map((skill) => skill.uri.slice(8, -9));

describe.each(WAYS)('with %s', (_, options) => {
  test('a file that is written in place, or replaced, again and again', { timeout: 30_000 }, async () => {
    const root = makeTree({ 'a/SKILL.md': skillMd('a', 'one'), 'b/SKILL.md': skillMd('b') });
    const live = await follow(root, options);
    const before = live.catalog;
    const changes = record(live);
    for (const [at, save] of [write, replace, replace, write, replace].entries()) {
      save(root, 'a', `version ${at}`);
      await untilDescribed(live, 'a', `version ${at}`);
    }
    expect(changes).toHaveLength(5);
    expect(changes[0]).toEqual({
      from: before.digest,
      to: expect.stringMatching(/^sha256:/),
      added: [],
      removed: [],
      changed: [uri('a')],
      files: [uri('a')],
    });
    expect(changes.at(-1)?.to).toBe(live.catalog.digest);
    expect(live.status).toMatchObject({ generation: 6, state: 'current', problems: [], keptSkills: [] });
    // what was served before is as it was
    expect(before.get(uri('a'))?.frontmatter.description).toBe('one');
  });

  test('a folder that is renamed, one that is deleted, and a new group', { timeout: 30_000 }, async () => {
    const root = makeTree({
      'a/SKILL.md': skillMd('a'),
      'b/SKILL.md': skillMd('b'),
      'b/references/x.md': 'x',
      'c/SKILL.md': skillMd('c'),
    });
    const live = await follow(root, { ...options, pathFrom: 'folder' });
    const changes = record(live);
    rmSync(join(root, 'b'), { recursive: true });
    await until(() => live.catalog.get(uri('b')) === undefined);
    expect(changes).toMatchObject([
      { added: [], removed: [uri('b')], changed: [], files: [uri('b'), 'skill://b/references/x.md'] },
    ]);
    write(root, 'group/inner/d', 'new');
    await untilDescribed(live, 'group/inner/d', 'new');
    // a folder that is new is followed as well
    write(root, 'group/inner/d', 'newer');
    await untilDescribed(live, 'group/inner/d', 'newer');
    renameSync(join(root, 'group'), join(root, 'other'));
    await untilDescribed(live, 'other/inner/d', 'newer');
    expect(paths(live)).toEqual(['a', 'c', 'other/inner/d']);
    expect(live.status.state).toBe('current');
  });

  test('a checkout of another branch with 300 files is one reload', { timeout: 60_000 }, async () => {
    const root = makeTree({ 'a/SKILL.md': skillMd('a') });
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], { cwd: root });
    git('init', '-q', '-b', 'main');
    git('add', '.');
    git('commit', '-qm', 'one');
    git('checkout', '-qb', 'many');
    for (let at = 0; at < 150; at++) {
      write(root, `s-${at}`, 'many');
      writeFileSync(join(root, `s-${at}`, 'notes.md'), String(at));
    }
    git('add', '.');
    git('commit', '-qm', 'many');
    git('checkout', '-q', 'main');
    expect(readdirSync(root).sort()).toEqual(['.git', 'a']);
    const live = await follow(root, { ...options, settle: 0.3 });
    const changes = record(live);
    git('checkout', '-q', 'many');
    await until(() => live.catalog.skills.length === 151);
    git('checkout', '-q', 'main');
    await until(() => live.catalog.skills.length === 1);
    expect(changes.map(({ added, removed }) => [added.length, removed.length])).toEqual([
      [150, 0],
      [0, 150],
    ]);
  });

  test('the links of a ConfigMap and of git-sync, which are swapped', { timeout: 30_000 }, async () => {
    const mount = makeTree({
      '..2026_11_01/a/SKILL.md': skillMd('a', 'first'),
      '..2026_11_02/a/SKILL.md': skillMd('a', 'second'),
      '..data': { link: '..2026_11_01' },
    });
    const synced = makeTree({
      '.worktrees/1111/skills/b/SKILL.md': skillMd('b', 'first'),
      '.worktrees/2222/skills/b/SKILL.md': skillMd('b', 'second'),
      link: { link: '.worktrees/1111' },
    });
    const live = await follow([join(mount, '..data'), join(synced, 'link', 'skills')], options);
    swapLink(mount, '..data', '..2026_11_02');
    rmSync(join(mount, '..2026_11_01'), { recursive: true });
    await untilDescribed(live, 'a', 'second');
    swapLink(synced, 'link', '.worktrees/2222');
    await untilDescribed(live, 'b', 'second');
    // what the links lead to now is followed
    write(join(mount, '..2026_11_02'), 'a', 'third');
    await untilDescribed(live, 'a', 'third');
  });

  test('a root that is gone, comes back empty, and is there again', { timeout: 30_000 }, async () => {
    const place = makeTree({ 'skills/a/SKILL.md': skillMd('a', 'kept') });
    const root = join(place, 'skills');
    const live = await follow(root, { ...options, invalid: 'skip' });
    const served = live.catalog;
    renameSync(root, join(place, 'aside'));
    await until(() => live.status.problems.some(({ code }) => code === 'root-missing'));
    mkdirSync(root);
    await until(() => live.status.problems.some(({ code }) => code === 'root-empty'));
    expect(live.status.state).toBe('stale');
    expect(live.catalog).toBe(served);
    rmSync(root, { recursive: true });
    renameSync(join(place, 'aside'), root);
    await until(() => live.status.state === 'current');
    write(root, 'a', 'new');
    await untilDescribed(live, 'a', 'new');
    expect(live.status).toMatchObject({ generation: 2, problems: [] });
  });

  test.each(['fail', 'skip'] as const)(
    'a SKILL.md that is broken keeps its old version until it is repaired, --invalid %s',
    { timeout: 30_000 },
    async (invalid) => {
      const root = makeTree({ 'a/SKILL.md': skillMd('a', 'good'), 'b/SKILL.md': skillMd('b', 'good') });
      const live = await follow(root, { ...options, invalid });
      const { digest } = live.catalog;
      writeFileSync(join(root, 'a', 'SKILL.md'), 'no frontmatter\n');
      await until(() => live.status.state === 'stale');
      expect(live.catalog.digest).toBe(digest);
      expect(live.status.problems).toMatchObject([{ code: 'frontmatter-missing', skill: uri('a') }]);
      // under skip the others go on
      write(root, 'b', 'newer');
      if (invalid === 'skip') {
        await untilDescribed(live, 'b', 'newer');
        expect(live.status.keptSkills).toEqual([uri('a')]);
      }
      expect(live.catalog.get(uri('a'))?.frontmatter.description).toBe('good');
      write(root, 'a', 'repaired');
      await untilDescribed(live, 'a', 'repaired');
      expect(live.catalog.get(uri('b'))?.frontmatter.description).toBe('newer');
      expect(live.status).toMatchObject({ state: 'current', problems: [], keptSkills: [] });
    },
  );
});
