// Compares this project with the official loader, behind the same stdio and HTTP, and with the floor: walk, read and hash, nothing
// else. `npm run bench` prints the table, `npm run bench -- --write` also writes results.md; `--quick` runs each line once on small trees
// and never writes.
import { execFile, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { OPTIONS } from '../../.release/options.js';
import { describeBusy } from './busy.js';
import { compareNpx } from './npx.js';
import { HttpPeer, StdioPeer, toCall, toOpening } from './peer.js';
import { measure, Table, toMedian } from './table.js';
import { makeBig, makeTree, toCount, toTitle, toTrees } from './trees.js';

const isQuick = process.argv.includes('--quick');
const isWritten = process.argv.includes('--write') && !isQuick;
const ROUNDS = isQuick ? 1 : 5;
/** Answers come to much the same on both sides, so more rounds have to tell. */
const ANSWER_ROUNDS = isQuick ? 1 : 15;
const STARTS = isQuick ? 2 : 15;
const INSTALLS = isQuick ? 1 : 7;
const CALLS = isQuick ? 50 : 2000;
const BIGS = isQuick ? 5 : 50;
const TREES = toTrees(isQuick);

const here = fileURLToPath(new URL('.', import.meta.url));
const root = join(here, '..', '..');
const bin = join(root, 'bin', 'mcp-server-skills.js');
const work = mkdtempSync(join(tmpdir(), 'bench-'));
process.env['XDG_CACHE_HOME'] = join(work, 'caches');
const server = join(work, 'server.cjs');
const loader = join(work, 'load.cjs');
/** What other programs asked of the machine before, and after. */
const busy = { before: await describeBusy(), after: '' };
console.log(`Before: ${busy.before}\n`);
const table = new Table();

try {
  execFileSync('npm', ['run', 'build', '--silent'], {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  for (const [name, outfile] of /** @type {const} */ ([
    ['server', server],
    ['load', loader],
  ])) {
    await build({ ...OPTIONS, entryPoints: [join(here, `${name}.ts`)], outfile });
  }
  await compareNpx(table, work, INSTALLS);
  await compareStarts();
  await compareWrapped();
  await compareLoads();
  await compareAnswers();
  await compareBig();
  await compareMemory();
  busy.after = await describeBusy();
  console.log(`\nAfter: ${busy.after}`);
  if (isWritten) writeFileSync(join(here, 'results.md'), toPage());
} finally {
  rmSync(work, { recursive: true, force: true });
}

/** Makes a tree once and says where it is. @param {keyof typeof TREES} name */
function useTree(name) {
  const folder = join(work, name);
  makeTree(folder, TREES[name]);
  return folder;
}

/** What an MCP server is started with. @param {'ours' | 'sdk'} who @param {string} folder */
function toArgs(who, folder) {
  // the surfaces for hosts without the extension are no part of what the official loader does
  const plain = ['--tools', 'never', '--no-prompts', '--no-instructions'];
  return who === 'ours' ? [bin, 'serve', ...plain, folder] : [server, 'sdk', folder, 'stdio'];
}

async function compareStarts() {
  const one = useTree('one');
  // the first start of an installation leaves what was compiled for the others, where it may end by itself
  execFileSync(process.execPath, [bin, 'serve', one], { input: '' });
  const middle = useTree('middle');
  const bare = async () => {
    const start = performance.now();
    const child = spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' });
    await new Promise((resolve) => child.once('exit', resolve));
    return performance.now() - start;
  };
  /** @param {readonly string[]} args @param {'initialize' | 'server/discover'} method */
  const first = async (args, method) => {
    const start = performance.now();
    const peer = new StdioPeer(args);
    await peer.ask([toOpening(method)]);
    const took = performance.now() - start;
    await peer.stop();
    return took;
  };
  for (const method of /** @type {const} */ (['initialize', 'server/discover'])) {
    const values = await measure(STARTS, {
      floor: bare,
      ours: () => first([bin, 'serve', one], method),
      sdk: () => first(toArgs('sdk', one), method),
    });
    table.add(`spawn to first answer, one skill, \`${method}\` (floor: \`node -e 0\`)`, 'ms', values, { floor: 2.2 });
  }
  const values = await measure(ROUNDS, {
    ours: () => first([bin, 'serve', middle], 'initialize'),
    sdk: () => first(toArgs('sdk', middle), 'initialize'),
  });
  table.add(`spawn to first answer, ${toTitle(TREES.middle)}`, 'ms', values);
}

/** What a start of another server costs more with the skills beside it. */
async function compareWrapped() {
  const one = join(work, 'one');
  for (const name of ['memory', 'filesystem']) {
    const server = [join(root, 'node_modules', '@modelcontextprotocol', `server-${name}`, 'dist', 'index.js'), work];
    /** @param {readonly string[]} args */
    const first = async (args) => {
      const start = performance.now();
      const peer = new StdioPeer(args, 'ignore');
      await peer.ask([toOpening('initialize')]);
      const took = performance.now() - start;
      await peer.stop();
      return took;
    };
    const { ours = Number.NaN, floor = Number.NaN } = await measure(STARTS * 2, {
      floor: () => first(server),
      ours: () => first([bin, one, '--wrap', '--', process.execPath, ...server]),
    });
    const alone = `${Math.round(floor)} ms`;
    table.add(`start of the ${name} server wrapped, above ${alone} alone`, 'ms', { ours: ours - floor }, { most: 60 });
  }
}

async function compareLoads() {
  /** @param {string} who @param {string} folder */
  const load = async (who, folder) => {
    const { stdout } = await promisify(execFile)(process.execPath, [loader, who, folder]);
    return Number(JSON.parse(stdout).ms);
  };
  /** @type {Record<string, number | undefined>} */
  const took = {};
  for (const name of /** @type {const} */ (['small', 'middle', 'flat', 'large', 'heavy'])) {
    const folder = name === 'middle' ? join(work, name) : useTree(name);
    const values = await measure(name === 'large' ? 3 : ROUNDS, {
      floor: () => load('floor', folder),
      ours: () => load('ours', folder),
      // a minute for each round, and no target
      ...(name === 'flat' ? {} : { sdk: () => load('sdk', folder) }),
    });
    took[name] = values.ours;
    table.add(`load, ${toTitle(TREES[name])}`, 'ms', values, name === 'middle' ? { official: 6, floor: 2 } : {});
  }
  const middle = join(work, 'middle');
  const sites = await measure(ROUNDS, { floor: () => load('ours', middle), ours: () => load('site', middle) });
  table.add(`a static site, ${toTitle(TREES.middle)} (floor: loading them)`, 'ms', sites, { floor: 3 });
  const growth = (took['large'] ?? Number.NaN) / (took['flat'] ?? Number.NaN);
  const sizes = `${toCount(TREES.large.skills)} against ${toCount(TREES.flat.skills)}`;
  table.add(`load, ${sizes} skills of the same shape`, 'times', { ours: growth }, { most: 11 });
}

async function compareAnswers() {
  const folder = join(work, 'small');
  const uris = [];
  for (let skill = 0; skill < 100; skill += 1) uris.push(`skill://skill-${String(skill).padStart(5, '0')}/SKILL.md`);
  /** @param {string} method */
  const toCalls = (method) =>
    Array.from({ length: CALLS }, (_, index) => toCall(method, { uri: uris[(index * 37) % 100] }));
  const peers = {
    stdio: { ours: new StdioPeer(toArgs('ours', folder)), sdk: new StdioPeer(toArgs('sdk', folder)) },
    HTTP: { ours: new HttpPeer(server, ['ours', folder]), sdk: new HttpPeer(server, ['sdk', folder]) },
  };
  for (const [transport, pair] of Object.entries(peers)) {
    for (const [what, calls, target] of /** @type {const} */ ([
      ['list of 100 entries', Array.from({ length: CALLS / 10 }, () => toCall('skills/list')), 1],
      ['get', toCalls('skills/get'), 1],
      ['read of 8 KiB', toCalls('resources/read'), 3],
    ])) {
      const values = await measure(ANSWER_ROUNDS, {
        ours: () => rate(pair.ours, calls),
        sdk: () => rate(pair.sdk, calls),
      });
      table.add(`${what}, ${transport}, pipelined`, '/s', values, { official: target });
    }
    await Promise.all([pair.ours.stop(), pair.sdk.stop()]);
  }
  for (const name of /** @type {const} */ (['middle', 'large'])) {
    const pair = {
      ours: new StdioPeer(toArgs('ours', join(work, name))),
      sdk: new StdioPeer(toArgs('sdk', join(work, name))),
    };
    await Promise.all([pair.ours.ask([toOpening('server/discover')]), pair.sdk.ask([toOpening('server/discover')])]);
    const values = await measure(ANSWER_ROUNDS, { ours: () => walk(pair.ours), sdk: () => walk(pair.sdk) });
    table.add(`walk the whole listing, ${toTitle(TREES[name])}`, 'ms', values, { official: 1 });
    await Promise.all([pair.ours.stop(), pair.sdk.stop()]);
  }
}

async function compareBig() {
  const folder = join(work, 'big');
  makeBig(folder);
  const peers = {
    stdio: { ours: new StdioPeer(toArgs('ours', folder)), sdk: new StdioPeer(toArgs('sdk', folder)) },
    HTTP: { ours: new HttpPeer(server, ['ours', folder]), sdk: new HttpPeer(server, ['sdk', folder]) },
  };
  for (const [transport, pair] of Object.entries(peers)) {
    for (const [what, name] of /** @type {const} */ ([
      ['text', 'text.md'],
      ['blob', 'data.bin'],
    ])) {
      const calls = Array.from({ length: BIGS }, () => toCall('resources/read', { uri: `skill://big/${name}` }));
      const values = await measure(ROUNDS, { ours: () => rate(pair.ours, calls), sdk: () => rate(pair.sdk, calls) });
      table.add(`read of 1 MiB ${what}, ${transport}`, '/s', values);
    }
    await Promise.all([pair.ours.stop(), pair.sdk.stop()]);
  }
}

/** Peak of the resident memory, above that of a Node that runs nothing but a timer. */
async function compareMemory() {
  const idle = new StdioPeer(['-e', "process.stdin.on('data', () => process.stdout.write('\\n'))"]);
  await idle.ask([toOpening('initialize')]);
  const bare = idle.peak();
  await idle.stop();
  if (bare === undefined) return;
  for (const name of /** @type {const} */ (['small', 'middle', 'large', 'heavy'])) {
    const folder = join(work, name);
    /** @type {Record<'ours' | 'sdk', { loaded: number[], read: number[] }>} */
    const peaks = { ours: { loaded: [], read: [] }, sdk: { loaded: [], read: [] } };
    let bytes = 0;
    for (let round = 0; round < (isQuick || name === 'large' ? 1 : 3); round += 1) {
      for (const who of /** @type {const} */ (['ours', 'sdk'])) {
        const peer = new StdioPeer(toArgs(who, folder));
        await peer.ask([toOpening('server/discover')]);
        peaks[who].loaded.push(((peer.peak() ?? 0) - bare) / 1024);
        bytes = 0;
        for (let cursor; ; ) {
          const { result } = JSON.parse(
            await peer.ask([toCall('skills/list', cursor === undefined ? {} : { cursor })]),
          );
          const files = /** @type {{ resources: { uri: string, size: number }[] }[]} */ (result.skills).flatMap(
            (skill) => skill.resources,
          );
          bytes += files.reduce((sum, { size }) => sum + size, 0);
          await peer.ask(files.map(({ uri }) => toCall('resources/read', { uri })));
          cursor = result.nextCursor;
          if (cursor === undefined) break;
        }
        peaks[who].read.push(((peer.peak() ?? 0) - bare) / 1024);
        await peer.stop();
      }
    }
    const most = bytes / 1024 / 1024 + 60;
    for (const when of /** @type {const} */ (['loaded', 'read'])) {
      const values = { ours: toMedian(peaks.ours[when]), sdk: toMedian(peaks.sdk[when]) };
      const what = when === 'loaded' ? 'after load' : 'after reading everything';
      table.add(`peak memory ${what}, ${toTitle(TREES[name])}`, 'MiB', values, { most });
    }
  }
}

/** @param {StdioPeer | HttpPeer} peer @param {readonly import('./peer.js').Call[]} calls */
async function rate(peer, calls) {
  await peer.ask(calls.slice(0, 5));
  const start = performance.now();
  const last = await peer.ask(calls);
  if (!last.includes('"result"')) throw new Error(last.slice(0, 500));
  return (calls.length / (performance.now() - start)) * 1000;
}

/** @param {StdioPeer} peer */
async function walk(peer) {
  const start = performance.now();
  for (let cursor; ; ) {
    const answer = await peer.ask([toCall('skills/list', cursor === undefined ? {} : { cursor })]);
    cursor = /"nextCursor":"([^"]+)"/.exec(answer)?.[1];
    if (cursor === undefined) return performance.now() - start;
  }
}

function toPage() {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const sdk = JSON.parse(
    readFileSync(join(root, 'node_modules', '@modelcontextprotocol', 'server', 'package.json'), 'utf8'),
  );
  return `# Results of the benchmark

Written by \`npm run bench -- --write\`: mcp-server-skills ${version} against \`loadSkills\` of @modelcontextprotocol/server ${sdk.version}, on
Node ${process.versions.node}, ${process.platform} ${process.arch}, ${availableParallelism()} cores, ${Math.round(totalmem() / 1024 ** 3)} GiB;
before: ${busy.before}; after: ${busy.after}.

Each number is the median of several rounds, in each of which everything in its line was measured in turn. "Official" is the loader of
the SDK behind the same stdio and HTTP as this project's, bundled in the same way. "Floor" is a walk that reads and hashes every file
and does nothing else, or what its line says. "Against official": how many times as fast, or how many times less memory. Peak memory is
the most that the process ever had resident, less what a bare Node has that echoes its input.

${table.rows.join('\n')}
`;
}
