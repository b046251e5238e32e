import { chmodSync, existsSync, lstatSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { makeCacheFolder } from '../../src/cli/cache.ts';

const work = realpathSync(mkdtempSync(join(tmpdir(), 'cache-')));
afterAll(() => rmSync(work, { recursive: true, force: true }));

let count = 0;
/** A home folder of its own. */
function makeHome(): string {
  count += 1;
  const home = join(work, `home-${count}`);
  mkdirSync(home, { mode: 0o700 });
  return home;
}

const user = process.geteuid?.();
/** A process of this user's on Linux. */
const toProcess = (env: NodeJS.ProcessEnv = {}, uid = user) => ({
  env,
  platform: 'linux' as NodeJS.Platform,
  ...(uid === undefined ? {} : { geteuid: () => uid }),
});

describe.skipIf(process.platform === 'win32')('the folder for what was compiled', () => {
  test('is made for the user alone, in $XDG_CACHE_HOME or in .cache', () => {
    const home = makeHome();
    const named = join(makeHome(), 'caches');
    expect([
      makeCacheFolder(toProcess({ XDG_CACHE_HOME: named }), home),
      makeCacheFolder(toProcess(), home),
      makeCacheFolder(toProcess({ XDG_CACHE_HOME: 'not/absolute' }), home),
    ]).toEqual([join(named, 'mcp-server-skills'), ...Array(2).fill(join(home, '.cache', 'mcp-server-skills'))]);
    for (const folder of [named, join(named, 'mcp-server-skills'), join(home, '.cache')]) {
      expect(lstatSync(folder).mode & 0o777).toBe(0o700);
    }
  });

  test('is where the platform keeps such folders', () => {
    const home = makeHome();
    mkdirSync(join(home, 'Library'));
    expect([
      makeCacheFolder({ ...toProcess(), platform: 'darwin' }, home),
      makeCacheFolder({ env: { LOCALAPPDATA: home }, platform: 'win32' }, '/nowhere'),
      makeCacheFolder({ env: {}, platform: 'win32' }, home),
    ]).toEqual([join(home, 'Library', 'Caches', 'mcp-server-skills'), join(home, 'mcp-server-skills'), undefined]);
  });

  test('is none where there is no home, or a file in its place', () => {
    const home = makeHome();
    expect(makeCacheFolder(toProcess(), join(home, 'missing'))).toBeUndefined();
    expect(existsSync(join(home, 'missing'))).toBe(false);
    expect(makeCacheFolder(toProcess(), '')).toBeUndefined();
    expect(makeCacheFolder(toProcess({ XDG_CACHE_HOME: '/dev/null' }), home)).toBeUndefined();
  });

  test.each([0o770, 0o707, 0o777, 0o1777])('is none where others may write to it: %o', (mode) => {
    const home = makeHome();
    const folder = makeCacheFolder(toProcess(), home) ?? '';
    chmodSync(folder, mode);
    expect(makeCacheFolder(toProcess(), home)).toBeUndefined();
    chmodSync(folder, 0o755);
    expect(makeCacheFolder(toProcess(), home)).toBe(folder);
  });

  test('is none where it is a link', () => {
    const home = makeHome();
    const elsewhere = makeHome();
    mkdirSync(join(home, '.cache'));
    symlinkSync(elsewhere, join(home, '.cache', 'mcp-server-skills'));
    expect(makeCacheFolder(toProcess(), home)).toBeUndefined();
  });

  test('is none where others may put another folder in its place, unless they may only add to the folder above', () => {
    const home = makeHome();
    for (const [mode, isKept] of [
      [0o777, false],
      [0o1777, true],
      [0o755, true],
    ] as const) {
      chmodSync(home, mode);
      expect([mode, makeCacheFolder(toProcess({ XDG_CACHE_HOME: join(home, 'c') }), home) !== undefined]).toEqual([
        mode,
        isKept,
      ]);
    }
  });

  test('is none, and is not made, in a folder of another user', () => {
    const home = makeHome();
    expect(makeCacheFolder(toProcess({}, (user ?? 0) + 1000), home)).toBeUndefined();
    expect(existsSync(join(home, '.cache'))).toBe(user === 0);
  });
});
