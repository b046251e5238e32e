import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../.release/options.js';
import { toOpening } from './peer.js';
import { measure } from './table.js';

const shell = process.platform === 'win32';
const LINE = 'prints-a-line';

/**
 * Compares `npx` of this package, until the server that it starts answers `initialize`, with `npx` of a package that prints a line: from an
 * empty cache of npm, and from a cache that has it. Both are tarballs on disk, so that no network is measured.
 *
 * @param {import('./table.js').Table} table
 * @param {string} work where folders may be made
 * @param {number} rounds
 */
export async function compareNpx(table, work, rounds) {
  const folder = mkdtempSync(join(work, 'npx-'));
  const packages = {
    floor: { file: pack(makeLine(folder), folder), call: [LINE] },
    ours: { file: pack(root, folder), call: ['mcp-server-skills', join(root, 'skills-example')] },
  };
  const cold = (/** @type {'ours' | 'floor'} */ who) => async () => {
    const cache = mkdtempSync(join(folder, 'cache-'));
    const took = await run(packages[who], cache, folder);
    rmSync(cache, { recursive: true, force: true });
    return took;
  };
  const name = '(floor: a package that prints a line)';
  table.add(`npx to first answer, cold ${name}`, 'ms', await measure(rounds, toBoth(cold)), { floor: 1.3 });
  const caches = toBoth((who) => join(folder, `warm-${who}`));
  for (const who of /** @type {const} */ (['floor', 'ours'])) await run(packages[who], caches[who], folder);
  const warm = toBoth((who) => () => run(packages[who], caches[who], folder));
  table.add(`npx to first answer, warm ${name}`, 'ms', await measure(rounds, warm), { floor: 1.3 });
}

/** @template T @param {(who: 'ours' | 'floor') => T} toValue */
function toBoth(toValue) {
  return { floor: toValue('floor'), ours: toValue('ours') };
}

/** @param {string} work */
function makeLine(work) {
  const folder = join(work, LINE);
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: LINE, version: '1.0.0', bin: 'line.js' }));
  writeFileSync(join(folder, 'line.js'), "#!/usr/bin/env node\nconsole.log('a line');\n");
  return folder;
}

/** @param {string} from @param {string} into */
function pack(from, into) {
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', into];
  const [{ filename }] = Object.values(JSON.parse(execFileSync('npm', args, { cwd: from, encoding: 'utf8', shell })));
  return join(into, filename);
}

/**
 * @param {{ file: string, call: readonly string[] }} what
 * @param {string} cache
 * @param {string} cwd
 * @returns {Promise<number>} milliseconds to the first that it prints
 */
async function run({ file, call }, cache, cwd) {
  const { SKILLS_DIR: _, ...rest } = process.env;
  const env = { ...rest, npm_config_cache: cache, npm_config_update_notifier: 'false', npm_config_loglevel: 'error' };
  const start = performance.now();
  const child = spawn('npx', ['--yes', `--package=${file}`, ...call], {
    cwd,
    env,
    shell,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.on('error', () => {});
  const closed = new Promise((resolve) => child.once('close', resolve));
  const first = new Promise((resolve) => child.stdout.once('data', () => resolve(performance.now() - start)));
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, ...toOpening('initialize') })}\n`);
  const took = await Promise.race([first, closed.then(() => undefined)]);
  child.stdin.end();
  await closed;
  if (typeof took !== 'number') throw new Error(`npx of ${call[0]} ended and printed nothing`);
  return took;
}
