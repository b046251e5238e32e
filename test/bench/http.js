// How fast the server answers and how much memory it takes: this loader and the SDK's own, behind the same HTTP.
// Needs wrk (Debian: wrk). `npm run bench:http -- 5` measures each line for five seconds instead of three.
import { execFile, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';

const SKILLS = 1000;
const SECONDS = process.argv[2] ?? '3';
const CALLS = [
  ['list, 100 entries', { METHOD: 'skills/list' }],
  ['list, gzip', { METHOD: 'skills/list', ENCODING: 'gzip' }],
  ['list, br', { METHOD: 'skills/list', ENCODING: 'br' }],
  ['get', { METHOD: 'skills/get', URI: 'skill://skill-0500/SKILL.md' }],
  ['read 4 KiB', { METHOD: 'resources/read', URI: 'skill://skill-0500/SKILL.md' }],
  ['read 1 MiB text', { METHOD: 'resources/read', URI: 'skill://skill-0000/text.md' }],
  ['read 1 MiB bytes', { METHOD: 'resources/read', URI: 'skill://skill-0000/data.bin' }],
];

if (spawnSync('wrk', ['--version']).error !== undefined) {
  console.error('wrk is missing, which sends the requests: install it (Debian: apt-get install wrk)');
  process.exit(1);
}

const here = new URL('.', import.meta.url).pathname;
const work = mkdtempSync(join(tmpdir(), 'bench-'));
const root = join(work, 'skills');
const script = join(work, 'server.mjs');

const readMemory = (pid) =>
  Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024);

try {
  makeSkills();
  await build({
    entryPoints: [join(here, 'server.ts')],
    outfile: script,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
    // what stays CommonJS inside asks for Node's own modules this way
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  });
  console.log(`${SKILLS} skills, 16 connections, ${SECONDS} s a line; MiB is the resident memory afterwards\n`);
  console.log('| loader | call | requests/s | MB/s | p50 ms | p99 ms | errors | MiB |');
  console.log('| --- | --- | --: | --: | --: | --: | --: | --: |');
  for (const loader of ['ours', 'sdk']) await measure(loader);
} finally {
  rmSync(work, { recursive: true, force: true });
}

function makeSkills() {
  for (let i = 0; i < SKILLS; i += 1) {
    const name = `skill-${String(i).padStart(4, '0')}`;
    mkdirSync(join(root, name, 'references'), { recursive: true });
    const description = `Does the thing number ${i}, and is to be used when somebody asks for just that thing and no other.`;
    const body = 'A line of instructions that is about as long as such lines are.\n'.repeat(60);
    writeFileSync(
      join(root, name, 'SKILL.md'),
      `---\nname: ${name}\ndescription: ${description}\n---\n# ${name}\n${body}`,
    );
    for (let j = 0; j < 4; j += 1)
      writeFileSync(join(root, name, 'references', `part-${j}.md`), `# Part ${j} of ${i}\n`);
  }
  writeFileSync(
    join(root, 'skill-0000', 'text.md'),
    'Sixty-four bytes of a text that is not very interesting to read.\n'.repeat(16_132),
  );
  writeFileSync(join(root, 'skill-0000', 'data.bin'), randomBytes(1024 * 1024));
}

/** @param {string} loader */
async function measure(loader) {
  const server = spawn(process.execPath, [script, loader, root], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => server.once('exit', resolve));
  try {
    const url = await new Promise((resolve, reject) => {
      server.stdout.once('data', (text) => resolve(String(text).trim()));
      ended.then((status) => reject(new Error(`the server ended with status ${status}`)));
    });
    console.log(`| ${loader} | idle | | | | | | ${readMemory(server.pid)} |`);
    for (const [name, env] of CALLS) {
      const args = ['-t1', '-c16', `-d${SECONDS}s`, '-s', join(here, 'post.lua'), url];
      const { stdout } = await promisify(execFile)('wrk', args, { env: { ...process.env, ...env } });
      const [requests, rate, p50, p99, errors] = /RESULT (.*)/.exec(stdout)?.[1]?.split(' ') ?? [];
      console.log(
        `| ${loader} | ${name} | ${requests} | ${rate} | ${p50} | ${p99} | ${errors} | ${readMemory(server.pid)} |`,
      );
    }
  } finally {
    server.kill('SIGTERM');
    await ended;
  }
}
