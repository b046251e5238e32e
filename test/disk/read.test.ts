import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { areUntouched, FolderChain } from '../../src/disk/chain.ts';
import { openFolder } from '../../src/disk/open.ts';
import { createPace, readAtOnce } from '../../src/disk/overlap.ts';
import { readFiles, recheckFiles, settleFiles, statFiles } from '../../src/disk/read.ts';
import { scanRoot } from '../../src/disk/scan.ts';
import type { FoundFile } from '../../src/disk/skilltree.ts';
import { type WalkedFolder, walkRoot } from '../../src/disk/walk.ts';
import { makeTree, skillMd } from '../tree.ts';

describe('a folder that changes while it is read', () => {
  /** The files of a tree as the walk finds them, and by path the folders. */
  const walk = (root: string) => {
    const folders = new Map<string, WalkedFolder>();
    const files: FoundFile[] = [];
    const visit = (folder: WalkedFolder) => {
      folders.set(folder.path, folder);
      for (const name of folder.files)
        files.push({ path: folder.path === '' ? name : `${folder.path}/${name}`, folder });
      folder.folders.forEach(visit);
    };
    visit(walkRoot(openFolder(root), []));
    return { folders, files, seen: statFiles(root, files).seen };
  };
  const toTexts = ({ files }: ReturnType<typeof readFiles>) =>
    files.map(({ path, bytes }) => [path, Buffer.from(bytes).toString()]);
  const replaced = (path: string) => ({ path, code: 'changed-while-reading', reason: 'folder' });
  // a tree that was just made, and one that was left alone before the walk
  const starts = [Date.now(), Date.now() + 3_600_000];

  test('a file replaced by a link, a FIFO, another file or nothing is a problem of its skill alone', async () => {
    for (const start of starts) {
      const root = makeTree({
        'a/SKILL.md': 'x',
        'a/link.md': 'x',
        'a/gone.md': 'x',
        'a/grown.md': 'x',
        'a/other.md': 'x',
      });
      const { seen } = walk(root);
      rmSync(join(root, 'a/link.md'));
      symlinkSync('/etc/hostname', join(root, 'a/link.md'));
      rmSync(join(root, 'a/gone.md'));
      writeFileSync(join(root, 'a/grown.md'), 'xyz');
      writeFileSync(join(root, 'a/new.md'), 'z');
      renameSync(join(root, 'a/new.md'), join(root, 'a/other.md'));
      const reading = readFiles(root, seen, start);
      // what is read at once is not to be had where a folder was touched
      expect(await readAtOnce(root, seen, start)).toBeUndefined();
      expect(toTexts(reading)).toEqual([['a/SKILL.md', 'x']]);
      expect(reading.faults).toEqual([
        { path: 'a/gone.md', code: 'changed-while-reading', reason: 'removed' },
        { path: 'a/grown.md', code: 'changed-while-reading', reason: 'resized', sizes: [1, 3] },
        { path: 'a/link.md', code: 'changed-while-reading', reason: 'link' },
        { path: 'a/other.md', code: 'changed-while-reading', reason: 'other' },
      ]);
    }
  });

  test('a folder replaced by a link out of the root or by another folder, at any depth, before its files are looked at or after', () => {
    for (const start of starts) {
      for (const path of ['g', 'g/a', 'g/a/sub']) {
        for (const isLink of [true, false]) {
          const nodes = { 'g/a/SKILL.md': 'inside', 'g/a/sub/x.md': 'inside' };
          const [root, outside] = [makeTree(nodes), makeTree({ ...nodes, 'g/a/SKILL.md': 'secret' })];
          const found = walk(root);
          renameSync(join(root, path), join(root, 'moved'));
          if (isLink) symlinkSync(join(outside, path), join(root, path));
          else renameSync(join(outside, path), join(root, path));
          const left = path === 'g/a/sub' ? [['g/a/SKILL.md', 'inside']] : [];
          for (const { seen } of [found, statFiles(root, found.seen)]) {
            const reading = readFiles(root, seen, start);
            expect([path, isLink, toTexts(reading), reading.faults]).toEqual([path, isLink, left, [replaced(path)]]);
          }
        }
      }
    }
  });

  test('a group replaced by a link between two skills costs the second', async () => {
    const root = makeTree({ 'a/SKILL.md': skillMd('a'), 'g/b/SKILL.md': skillMd('b') });
    const outside = makeTree({ 'b/SKILL.md': skillMd('b', 'A secret.') });
    const read: unknown[] = [];
    for await (const { path, files, faults } of scanRoot(openFolder(root)).readSkills()) {
      if (read.length === 0) {
        renameSync(join(root, 'g'), join(root, 'moved'));
        symlinkSync(outside, join(root, 'g'));
      }
      read.push([path, files.length, faults]);
    }
    expect(read).toEqual([
      ['a', 1, []],
      ['g/b', 0, [replaced('g')]],
    ]);
  });

  test.skipIf(process.platform !== 'linux')(
    'a folder once opened leads where it led, whatever becomes of its path',
    () => {
      const root = makeTree({ 'g/a/SKILL.md': 'inside', 'h/SKILL.md': 'inside' });
      const { folders } = walk(root);
      const before = readdirSync('/proc/self/fd').length;
      const chain = new FolderChain(root);
      const enter = (path: string) => chain.enter(folders.get(path) as WalkedFolder);
      const place = enter('g/a');
      renameSync(join(root, 'g'), join(root, 'moved'));
      symlinkSync(makeTree({ 'a/SKILL.md': 'secret' }), join(root, 'g'));
      expect(readFileSync(`${place}/SKILL.md`, 'utf8')).toBe('inside');
      expect(readFileSync(`${enter('h')}/SKILL.md`, 'utf8')).toBe('inside');
      expect(enter('g/a')).toEqual(replaced('g'));
      expect(chain.recheck()).toEqual([]);
      chain.close();
      expect(readdirSync('/proc/self/fd').length).toBe(before);
    },
  );

  test('without paths that begin at a descriptor, folders are looked at before and behind', () => {
    const root = makeTree({ 'g/a/SKILL.md': 'inside', 'g/b/SKILL.md': 'inside' });
    const { folders } = walk(root);
    const chain = new FolderChain(root, '');
    expect(chain.enter(folders.get('g/a') as WalkedFolder)).toBe(`${root}/g/a`);
    expect(chain.recheck()).toEqual([]);
    renameSync(join(root, 'g/a'), join(root, 'moved'));
    mkdirSync(join(root, 'g/a'));
    renameSync(join(root, 'g/b'), join(root, 'other'));
    symlinkSync(join(root, 'moved'), join(root, 'g/b'));
    expect(chain.enter(folders.get('g/b') as WalkedFolder)).toEqual(replaced('g/b'));
    expect(chain.recheck()).toEqual([replaced('g/a')]);
  });

  test('a file that was written to, its size and its time put back, is not as it was seen', async () => {
    for (const start of starts) {
      const root = makeTree({ 'a/x.md': 'before' });
      const { seen } = walk(root);
      const [{ stats } = { stats: undefined }] = seen;
      await setTimeout(50);
      writeFileSync(join(root, 'a/x.md'), 'behind');
      utimesSync(join(root, 'a/x.md'), stats?.atime ?? 0, stats?.mtime ?? 0);
      expect(readFiles(root, seen, start)).toEqual({
        files: [],
        faults: [{ path: 'a/x.md', code: 'changed-while-reading', reason: 'rewritten' }],
      });
    }
  });

  test('files that were just written are read when they are left alone, or not at all', async () => {
    const root = makeTree({ 'a/x.md': 'x', 'a/y.md': 'y' });
    const { files } = walk(root);
    writeFileSync(join(root, 'a/x.md'), 'z');
    const { seen, faults } = await settleFiles(root, files);
    expect([seen.map(({ path }) => path), faults]).toEqual([['a/x.md', 'a/y.md'], []]);
    expect(Math.max(...seen.map(({ stats }) => stats.ctimeMs))).toBeLessThan(Date.now() - 15);

    const write = () => writeFileSync(join(root, 'a/x.md'), 'z');
    write();
    const writer = setInterval(write, 1);
    const busy = await settleFiles(root, files);
    clearInterval(writer);
    expect([busy.seen.map(({ path }) => path), busy.faults]).toEqual([
      ['a/y.md'],
      [{ path: 'a/x.md', code: 'changed-while-reading', reason: 'busy' }],
    ]);
  });

  test('a file that is written to behind the reading of a skill that was just written costs it', async () => {
    const root = makeTree({ 'a/x.md': 'x' });
    const { seen } = walk(root);
    const checking = recheckFiles(root, seen);
    writeFileSync(join(root, 'a/x.md'), 'xy');
    expect(await checking).toEqual([
      { path: 'a/x.md', code: 'changed-while-reading', reason: 'resized', sizes: [1, 2] },
    ]);
  });

  test('files of another clock, whose time is still to come, keep nobody waiting', async () => {
    const root = makeTree({ 'a/x.md': 'x' });
    const ahead = walk(root).seen.map((file) => {
      return { ...file, stats: Object.assign(file.stats, { ctimeMs: Date.now() + 3_600_000 }) };
    });
    // nothing was waited for where a change of right now is not seen
    const checking = recheckFiles(root, ahead);
    writeFileSync(join(root, 'a/x.md'), 'xy');
    expect(await checking).toEqual([]);
  });

  test('a folder that was moved away and back is not untouched', async () => {
    const root = makeTree({ 'g/a/SKILL.md': 'x' });
    const folders = [...walk(root).folders.values()];
    expect(areUntouched(root, folders)).toBe(true);
    // more than what file systems round times by here
    await setTimeout(50);
    renameSync(join(root, 'g/a'), join(root, 'moved'));
    renameSync(join(root, 'moved'), join(root, 'g/a'));
    expect(areUntouched(root, folders)).toBe(false);
  });

  test.skipIf(process.platform === 'win32')('a FIFO in the place of a file never blocks', () => {
    const root = makeTree({ 'a/x.md': 'x' });
    const { seen } = walk(root);
    rmSync(join(root, 'a/x.md'));
    execFileSync('mkfifo', [join(root, 'a/x.md')]);
    for (const start of starts) {
      expect(readFiles(root, seen, start).faults).toEqual([
        { path: 'a/x.md', code: 'changed-while-reading', reason: 'other' },
      ]);
    }
  });
});

describe('a disk that takes its time', () => {
  test('counts as slow when many files in a row took long, and not for a pause of the machine', () => {
    const pace = createPace();
    for (let round = 0; round < 100; round++) for (const ms of [500, 3, 3, 0.1]) pace.note(ms);
    expect([pace.isSlow(), pace.ahead()]).toEqual([false, 1]);
    for (let round = 0; round < 16; round++) pace.note(5);
    expect([pace.isSlow(), pace.ahead()]).toEqual([true, 8]);
  });

  test('skills that are read ahead are the same in the same order, and those that nobody asks for end quietly', async () => {
    const root = makeTree(
      Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`s${at}/SKILL.md`, skillMd(`s${at}`)])),
    );
    const tree = openFolder(root);
    let reading = 0;
    let most = 0;
    const ahead = {
      ...tree,
      ahead: () => 4,
      async read(...args: Parameters<typeof tree.read>) {
        most = Math.max(most, ++reading);
        await setTimeout(5);
        reading--;
        return tree.read(...args);
      },
    };
    const collect = async (from: typeof tree) => {
      const paths: [string, number][] = [];
      for await (const { path, files } of scanRoot(from).readSkills()) paths.push([path, files.length]);
      return paths;
    };
    expect(await collect(ahead)).toEqual(await collect(tree));
    expect(most).toBe(4);
    const failing = { ...ahead, read: () => Promise.reject(new RangeError('too much')) };
    await expect(collect(failing)).rejects.toThrow('too much');
  });

  test('a file that was written to is a fault there as well', async () => {
    const root = makeTree({ 'a/SKILL.md': 'x', 'a/grown.md': 'x', 'a/same.md': 'x' });
    const folder = walkRoot(openFolder(root), []).folders[0] as WalkedFolder;
    const { seen } = statFiles(
      root,
      ['a/SKILL.md', 'a/grown.md', 'a/same.md'].map((path) => ({ path, folder })),
    );
    writeFileSync(join(root, 'a/grown.md'), 'xyz');
    const reading = await readAtOnce(root, seen, Date.now() + 3_600_000);
    expect(reading).toEqual(readFiles(root, seen, Date.now() + 3_600_000));
    expect(reading?.faults).toEqual([
      { path: 'a/grown.md', code: 'changed-while-reading', reason: 'resized', sizes: [1, 3] },
    ]);
  });

  test('as many files as a skill may have are read at once, each with its own bytes', async () => {
    const nodes = Object.fromEntries(Array.from({ length: 512 }, (_, at) => [`a/${at}.md`, `file ${at}`]));
    const root = makeTree(nodes);
    const files: FoundFile[] = [];
    const folder = walkRoot(openFolder(root), []).folders[0] as WalkedFolder;
    for (const name of folder.files) files.push({ path: `a/${name}`, folder });
    const { seen } = statFiles(root, files);
    const reading = await readAtOnce(root, seen, Date.now() + 3_600_000);
    expect(reading?.faults).toEqual([]);
    expect(reading?.files.map(({ path, bytes }) => [path, Buffer.from(bytes).toString()])).toEqual(
      files.map(({ path }) => [path, nodes[path]]),
    );
  });
});
