import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { describe, expect, test } from 'vitest';
import { keepAttributes } from '../../src/disk/attributes.ts';
import { FolderChain } from '../../src/disk/chain.ts';
import { HeldFolder, withFolder } from '../../src/disk/folder.ts';
import { takeLock } from '../../src/disk/mutex.ts';
import { withFile } from '../../src/disk/replace.ts';
import { judgeSkills } from '../../src/judge/judge.ts';
import { applyPlans } from '../../src/repair/apply.ts';
import { planRepairs } from '../../src/repair/plan.ts';
import { hasPyYaml, PYTHON } from '../python.ts';
import { makeTree } from '../tree.ts';

const OLD = Buffer.from('old');
const NEW = Buffer.from('new');

/** Replaces a file that holds `old` with one that holds `new`. */
function replace(root: string, path: string, name: string): Promise<string[]> {
  return withFolder(root, path, (folder) => withFile(folder, name, (file) => file.replace(OLD, NEW)));
}

/** What a step threw, in words. */
async function reasonOf(run: () => unknown): Promise<string> {
  try {
    await run();
    return 'done';
  } catch (error) {
    return (error as Error).message;
  }
}

describe.skipIf(process.platform === 'win32')('a folder that is swapped', () => {
  const tree = { 'root/a/f': 'old', 'outside/a/f': 'old', 'outside/f': 'old' };

  test('after it was opened: its own file is replaced, and none outside', async () => {
    const base = makeTree(tree);
    await withFolder(join(base, 'root'), 'a', async (folder) => {
      renameSync(join(base, 'root/a'), join(base, 'aside'));
      symlinkSync(join(base, 'outside'), join(base, 'root/a'));
      await withFile(folder, 'f', (file) => file.replace(OLD, NEW));
    });
    expect([readFileSync(join(base, 'outside/f'), 'utf8'), readFileSync(join(base, 'aside/f'), 'utf8')]).toEqual([
      'old',
      process.platform === 'linux' ? 'new' : 'old',
    ]);
    expect(readdirSync(join(base, 'outside')).sort()).toEqual(['a', 'f']);
  });

  test('before it is opened, for a link or for another folder: nothing is replaced', async () => {
    const base = makeTree(tree);
    renameSync(join(base, 'root/a'), join(base, 'aside'));
    symlinkSync(join(base, 'outside'), join(base, 'root/a'));
    expect(await reasonOf(() => replace(join(base, 'root'), 'a', 'f'))).toBe('"a" is not a folder any more');
    expect(readFileSync(join(base, 'outside/f'), 'utf8')).toBe('old');
  });

  test.runIf(process.platform === 'linux')(
    'above the root: the path leads elsewhere, and nothing is replaced',
    async () => {
      const base = makeTree({ 'up/root/a/f': 'old', 'outside/root/a/f': 'old' });
      renameSync(join(base, 'up'), join(base, 'aside'));
      symlinkSync(join(base, 'outside'), join(base, 'up'));
      const root = join(base, 'up/root');
      expect(await reasonOf(() => replace(root, 'a', 'f'))).toBe(`the folder "${root}" was replaced just now`);
      expect(readFileSync(join(base, 'outside/root/a/f'), 'utf8')).toBe('old');
    },
  );

  test('where no folder can be held, it is looked at again before the file gets its name', async () => {
    const base = makeTree(tree);
    const root = join(base, 'root');
    const folder = new HeldFolder(root, 'a', new FolderChain(root, ''));
    renameSync(join(base, 'root/a'), join(base, 'aside'));
    symlinkSync(join(base, 'outside'), join(base, 'root/a'));
    expect(await reasonOf(() => withFile(folder, 'f', (file) => file.replace(OLD, NEW)))).toBe(
      'the folder "a" was replaced just now',
    );
    expect([readFileSync(join(base, 'outside/f'), 'utf8'), readdirSync(join(base, 'outside')).sort()]).toEqual([
      'old',
      ['a', 'f'],
    ]);
  });

  test.runIf(process.platform === 'linux')('all the time, while --fix runs: nothing outside changes', async () => {
    const seen = { done: 0, refused: 0 };
    // until the swaps have come in time for some, and too late for others
    for (let round = 0; round < 40 && (seen.done < 5 || seen.refused < 5); round++) {
      const { before, after, outcomes } = await fixWhileSwapping(30);
      expect(after).toEqual(before);
      for (const { reason } of outcomes) seen[reason === undefined ? 'done' : 'refused']++;
    }
    expect([seen.done >= 5, seen.refused >= 5]).toEqual([true, true]);
  });
});

/** Repairs skills of a group that gives way to a link to the same skills outside, again and again. */
async function fixWhileSwapping(count: number) {
  const names = Array.from({ length: count }, (_, at) => `s${at}`);
  const toText = (name: string) => `---\nname: ${name}\ndescription: d\nday: 2026-10-12\n---\n`;
  const base = makeTree(
    Object.fromEntries(
      names.flatMap((name) => [
        [`root/g/${name}/SKILL.md`, toText(name)],
        [`outside/${name}/SKILL.md`, toText(name)],
      ]),
    ),
  );
  symlinkSync(join(base, 'outside'), join(base, 'link'));
  const { plans } = planRepairs(await judgeSkills(join(base, 'root')), {});
  const look = () =>
    names.map((name) => {
      const { ino, mtimeMs, ctimeMs } = statSync(join(base, 'outside', name, 'SKILL.md'));
      return [name, ino, mtimeMs, ctimeMs, readdirSync(join(base, 'outside', name)).join()];
    });
  const before = look();
  const turns = new Int32Array(new SharedArrayBuffer(8));
  const swapper = new Worker(SWAPPER, { eval: true, workerData: { base, turns } });
  while (Atomics.load(turns, 1) === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  const outcomes = await applyPlans(plans);
  Atomics.store(turns, 0, 1);
  await new Promise((resolve) => swapper.once('exit', resolve));
  return { before, after: look(), outcomes };
}

/** Puts a link to the folder outside in the place of the group, and the group back, until it is told to end. */
const SWAPPER = `
  const { renameSync } = require('node:fs');
  const { base, turns } = require('node:worker_threads').workerData;
  const [group, aside, link] = [base + '/root/g', base + '/aside', base + '/link'];
  while (Atomics.load(turns, 0) === 0) {
    renameSync(group, aside);
    renameSync(link, group);
    Atomics.wait(turns, 0, 0, Atomics.load(turns, 1) % 2);
    renameSync(group, link);
    renameSync(aside, group);
    Atomics.wait(turns, 0, 0, Atomics.add(turns, 1, 1) % 4);
  }
`;

describe.skipIf(process.platform === 'win32')('what a file has besides its content', () => {
  test.runIf(process.platform === 'linux' && hasPyYaml())('is kept: list, attributes and mode', async () => {
    const root = makeTree({ f: 'old' });
    const file = join(root, 'f');
    const python = (script: string) => execFileSync(PYTHON, ['-c', script, file], { encoding: 'utf8' });
    // the user that owns it, user 65534, the group, the mask, and others
    const list = '0200000001000600ffffffff02000600feff000004000400ffffffff10000600ffffffff20000000ffffffff';
    python(
      'import os, sys\n' +
        `os.setxattr(sys.argv[1], "system.posix_acl_access", bytes.fromhex("${list}"))\n` +
        'os.setxattr(sys.argv[1], "user.note", b"mine")',
    );
    const show = () =>
      python(
        'import os, sys\n' +
          'print({name: os.getxattr(sys.argv[1], name).hex() for name in sorted(os.listxattr(sys.argv[1]))})',
      );
    const [before, { mode }] = [show(), statSync(file)];
    expect(before).toContain(list);
    expect(await replace(root, '', 'f')).toEqual([]);
    expect([readFileSync(file, 'utf8'), show(), statSync(file).mode]).toEqual(['new', before, mode]);
  });

  test.runIf(process.getuid?.() === 0)('is kept: owner and group', async () => {
    const root = makeTree({ f: 'old' });
    chownSync(join(root, 'f'), 65_534, 12_345);
    chmodSync(join(root, 'f'), 0o4664);
    expect(await replace(root, '', 'f')).toEqual([]);
    const { uid, gid, mode } = statSync(join(root, 'f'));
    expect([uid, gid, mode & 0o7777]).toEqual([65_534, 12_345, 0o4664]);
  });

  test.runIf(process.getuid?.() === 0)(
    'is said not to be kept: a group that is not ours, which gets no more than all',
    async () => {
      const root = makeTree({ f: 'old' });
      chownSync(root, 65_534, 65_534);
      chownSync(join(root, 'f'), 65_534, 12_345);
      chmodSync(join(root, 'f'), 0o664);
      process.setegid?.(65_534);
      process.seteuid?.(65_534);
      try {
        expect(await replace(root, '', 'f')).toEqual(['its group (12345)']);
      } finally {
        process.seteuid?.(0);
        process.setegid?.(0);
      }
      const { uid, gid, mode } = statSync(join(root, 'f'));
      expect([uid, gid, mode & 0o7777]).toEqual([65_534, 65_534, 0o644]);
    },
  );

  test('is said not to be kept where no program copies it', async () => {
    const root = makeTree({ f: 'old', g: '' });
    const paths = { from: join(root, 'f'), to: join(root, 'g') };
    for (const [copiers, lost] of [
      [['/nowhere/cp', '/bin/cp'], []],
      [['/nowhere/cp'], ['its access control list and extended attributes, if it has any']],
      // one that does not know the options
      [['/bin/false'], ['its access control list and extended attributes, if it has any']],
    ] as const) {
      const handle = await open(paths.to, 'r+');
      expect(await keepAttributes(handle, paths, statSync(paths.from), copiers)).toEqual(lost);
      await handle.close();
    }
  });
});

describe('the lock of a file', () => {
  const age = (path: string) => utimesSync(path, new Date(Date.now() - 61_000), new Date(Date.now() - 61_000));
  const take = (root: string, patience: number) => withFolder(root, '', (folder) => takeLock(folder, 'f', patience));

  test('is waited for, and is gone afterwards', async () => {
    const root = makeTree({ f: 'old' });
    await withFolder(root, '', async (folder) => {
      const first = await takeLock(folder, 'f');
      const order: string[] = [];
      const second = takeLock(folder, 'f').then((lock) => {
        order.push('second');
        return lock.release();
      });
      await new Promise((resolve) => setTimeout(resolve, 60));
      order.push('first');
      await first.release();
      await second;
      expect(order).toEqual(['first', 'second']);
    });
    expect(readdirSync(root)).toEqual(['f']);
  });

  test('is not taken from a process that is alive; one that has ended, or is older than a minute, holds none', async () => {
    const root = makeTree({ f: 'old' });
    const lock = join(root, '.f.lock');
    const held = 'another process is writing it: try again, or remove ".f.lock" if none is';
    const ended = execFileSync(process.execPath, ['-e', 'console.log(process.pid)'], { encoding: 'utf8' }).trim();
    const cases: [string, boolean, string][] = [
      [`${process.pid} ${hostname()} 0a\n`, false, held],
      [`${ended} another-machine 0a\n`, false, held],
      ['', false, held],
      [`${ended} ${hostname()} 0a\n`, false, 'done'],
      [`${process.pid} ${hostname()} 0a\n`, true, 'done'],
      ['', true, 'done'],
    ];
    for (const [content, isOld, expected] of cases) {
      writeFileSync(lock, content);
      if (isOld) age(lock);
      expect([content, isOld, await reasonOf(async () => (await take(root, 30)).release())]).toEqual([
        content,
        isOld,
        expected,
      ]);
    }
    if (existsSync(lock)) unlinkSync(lock);
    expect(readdirSync(root)).toEqual(['f']);
  });

  test('that was taken away meanwhile: nothing is written', async () => {
    const root = makeTree({ f: 'old' });
    const reason = await reasonOf(() =>
      withFolder(root, '', (folder) =>
        withFile(folder, 'f', (file) => {
          unlinkSync(join(root, '.f.lock'));
          writeFileSync(join(root, '.f.lock'), 'another');
          return file.replace(OLD, NEW);
        }),
      ),
    );
    expect([reason, readFileSync(join(root, 'f'), 'utf8'), readdirSync(root).sort()]).toEqual([
      'another process is writing it: try again',
      'old',
      ['.f.lock', 'f'],
    ]);
  });

  test('temporary files of killed runs go after a minute, and no others', async () => {
    const root = makeTree({ f: 'old' });
    const [old, young, other] = ['.f.0123456789ab.tmp', '.f.ba9876543210.tmp', '.f.notes.tmp'];
    for (const name of [old, young, other]) writeFileSync(join(root, name), '');
    for (const name of [old, other]) age(join(root, name));
    mkdirSync(join(root, '.f.00000000000f.tmp'));
    age(join(root, '.f.00000000000f.tmp'));
    await replace(root, '', 'f');
    expect(readdirSync(root).sort()).toEqual(['.f.00000000000f.tmp', young, other, 'f'].sort());
  });
});

test('a file that appears while another is made is not overwritten, and a hard link keeps the old content', async () => {
  const root = makeTree({ f: 'old' });
  linkSync(join(root, 'f'), join(root, 'g'));
  await replace(root, '', 'f');
  expect([readFileSync(join(root, 'f'), 'utf8'), readFileSync(join(root, 'g'), 'utf8')]).toEqual(['new', 'old']);
  const made = (name: string) =>
    withFolder(root, '', (folder) => withFile(folder, name, (file) => file.replace(undefined, NEW)));
  expect(await reasonOf(() => made('f'))).toBe('it was created meanwhile');
  expect([await made('h'), readdirSync(root).sort()]).toEqual([[], ['f', 'g', 'h']]);
});
