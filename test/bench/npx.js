import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { root } from '../../.release/options.js';
import { toOpening } from './peer.js';
import { measure } from './table.js';

const shell = process.platform === 'win32';
const LINE = 'prints-a-line';

/**
 * Compares `npx` of this package, until the server that it starts answers `initialize`, with `npx` of a package that prints a line: from an
 * empty cache of npm, and from a cache that has it. Both come from a registry on loopback, as from the real one: npm unpacks a tarball on
 * disk at every start, only to read its package.json.
 *
 * @param {import('./table.js').Table} table
 * @param {string} work where folders may be made
 * @param {number} rounds
 */
export async function compareNpx(table, work, rounds) {
  const folder = mkdtempSync(join(work, 'npx-'));
  const registry = await startRegistry([pack(makeLine(folder), folder), pack(root, folder)]);
  const calls = { floor: [LINE], ours: ['mcp-server-skills', join(root, 'skills-example')] };
  const npx = (/** @type {'ours' | 'floor'} */ who, /** @type {string} */ cache) =>
    run(calls[who], { npm_config_cache: cache, npm_config_registry: registry.url }, folder);
  try {
    const cold = toBoth((who) => async () => {
      const cache = mkdtempSync(join(folder, 'cache-'));
      const took = await npx(who, cache);
      rmSync(cache, { recursive: true, force: true });
      return took;
    });
    const name = '(floor: a package that prints a line)';
    table.add(`npx to first answer, cold ${name}`, 'ms', await measure(rounds, cold), { floor: 1.3 });
    const caches = toBoth((who) => join(folder, `warm-${who}`));
    for (const who of /** @type {const} */ (['floor', 'ours'])) await npx(who, caches[who]);
    const warm = toBoth((who) => () => npx(who, caches[who]));
    table.add(`npx to first answer, warm ${name}`, 'ms', await measure(rounds, warm), { floor: 1.3 });
  } finally {
    registry.close();
  }
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

/** @typedef {{ manifest: { name: string, version: string }, integrity: string, tarball: Buffer }} Packed */

/** @param {string} from @param {string} into @returns {Packed} */
function pack(from, into) {
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', into];
  const [{ filename, integrity }] = Object.values(
    JSON.parse(execFileSync('npm', args, { cwd: from, encoding: 'utf8', shell })),
  );
  const manifest = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8'));
  return { manifest, integrity, tarball: readFileSync(join(into, filename)) };
}

/** A registry that has these packages and nothing else. @param {readonly Packed[]} packages */
async function startRegistry(packages) {
  const server = createServer(({ url }, response) => {
    const [, name, file] = url?.split('/') ?? [];
    const found = packages.find(({ manifest }) => manifest.name === name);
    if (found === undefined) return response.writeHead(404).end('{}');
    if (file !== undefined) return response.end(found.tarball);
    const { manifest, integrity } = found;
    const { version } = manifest;
    const versions = { [version]: { ...manifest, dist: { integrity, tarball: `${origin}${name}/tarball.tgz` } } };
    return response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ name, 'dist-tags': { latest: version }, versions }));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const origin = `http://127.0.0.1:${port}/`;
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: origin, close };
}

/**
 * @param {readonly string[]} call
 * @param {Record<string, string>} config
 * @param {string} cwd
 * @returns {Promise<number>} milliseconds to the first that it prints
 */
async function run(call, config, cwd) {
  const { SKILLS_DIR: _, ...rest } = process.env;
  const env = { ...rest, npm_config_update_notifier: 'false', npm_config_loglevel: 'error', ...config };
  const start = performance.now();
  const child = spawn('npx', ['--yes', ...call], { cwd, env, shell, stdio: ['pipe', 'pipe', 'inherit'] });
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
