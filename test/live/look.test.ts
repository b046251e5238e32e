import { appendFileSync, mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { listFolders, lookAtRoots } from '../../src/live/look.ts';
import { makeTree, skillMd } from '../tree.ts';

const good = { 'a/SKILL.md': skillMd('a'), 'a/x.md': 'x', 'g/b/SKILL.md': skillMd('b') };

describe('a second look at roots', () => {
  const nodes = { ...good, 'docs/d.md': 'd', 'g/c': { link: '../a' }, '.hidden/x': 'x', 'a/tmp/t': 't' };
  const exclude = ['tmp'];

  test.each<[string, (root: string) => void]>([
    ['a file that was written to', (root) => appendFileSync(join(root, 'a/x.md'), 'y')],
    ['a file that was written to, with its time put back', (root) => utimesSync(join(root, 'a/x.md'), 0, 0)],
    ['another file', (root) => writeFileSync(join(root, 'g/b/n.md'), '')],
    ['a file that is gone', (root) => rmSync(join(root, 'docs/d.md'))],
    ['another folder', (root) => mkdirSync(join(root, 'empty'))],
    ['another hidden name', (root) => writeFileSync(join(root, 'g/.x'), '')],
    ['a folder that was replaced by its copy', (root) => replaceFolder(root, 'g')],
    ['a link that leads elsewhere', (root) => replaceLink(join(root, 'g/c'), '../docs')],
    ['a link that leads to no folder', (root) => renameSync(join(root, 'a'), join(root, 'z'))],
    ['a root that is gone', (root) => renameSync(root, `${root}-gone`)],
  ])('%s makes it another one', async (_, change) => {
    const root = join(
      makeTree(Object.fromEntries(Object.entries(nodes).map(([path, node]) => [`r/${path}`, node]))),
      'r',
    );
    const places = { roots: root, exclude };
    const before = await lookAtRoots(places);
    // more than one tick of the clock that files have
    await setTimeout(20);
    change(root);
    expect((await lookAtRoots(places, before)) === before).toBe(false);
  });

  test('what no reading looks at leaves it as it is', async () => {
    const root = makeTree(nodes);
    const places = { roots: root, exclude };
    const before = await lookAtRoots(places);
    await setTimeout(20);
    appendFileSync(join(root, '.hidden/x'), 'y');
    writeFileSync(join(root, '.hidden/y'), 'y');
    appendFileSync(join(root, 'a/tmp/t'), 'y');
    expect((await lookAtRoots(places, before)) === before).toBe(true);
    const folders = ['', '/a', '/docs', '/g', '/g/b'].map((path) => root + path);
    expect([...listFolders(before)].map(([path]) => path)).toEqual(folders);
  });

  test('a root given through a link changes with what it leads to', async () => {
    const [one, two] = [makeTree(good), makeTree(good)];
    const link = join(makeTree({}), 'current');
    symlinkSync(one, link);
    const places = { roots: link, exclude };
    const before = await lookAtRoots(places);
    replaceLink(link, two);
    expect((await lookAtRoots(places, before)) === before).toBe(false);
    replaceLink(link, one);
    expect((await lookAtRoots(places, before)) === before).toBe(true);
  });

  function replaceLink(link: string, target: string): void {
    rmSync(link);
    symlinkSync(target, link);
  }

  function replaceFolder(root: string, name: string): void {
    const copy = makeTree(good);
    renameSync(join(root, name), join(root, '.old'));
    renameSync(join(copy, name), join(root, name));
    symlinkSync('../a', join(root, name, 'c'));
  }
});
