// Does one request, or one batch, keep the event loop? Every kind of request at 20,000 skills, each as a batch too, and files as long as
// a skill can have, beside an idle server of the same run: `node test/attack/freeze.js [--skills 20000] [--rounds 3]`, after
// `npm run build`.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeTree } from '../bench/trees.js';
import { get, post, printTable, readFlag, startServer, toCall, toTenth, wait } from './server.js';

const SKILLS = readFlag('skills', 20_000);
const ROUNDS = readFlag('rounds', 3);
const MIB = 1024 * 1024;
const last = `skill-${String(SKILLS - 1).padStart(5, '0')}`;
const query = Array.from(
  { length: 32 },
  (_, i) => ['thing', 'number', 'used', 'somebody'][i % 4] + (i > 3 ? i : ''),
).join(' ');

const INITIALIZE = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'freeze', version: '1' } };
const tool = (name, args) => toCall('tools/call', { name, arguments: args });
const KINDS = [
  ['skills/list', toCall('skills/list')],
  ['resources/list', toCall('resources/list')],
  ['prompts/list', toCall('prompts/list')],
  ['skill_list', tool('skill_list', {})],
  ['skill_list, 32 words', tool('skill_list', { query })],
  ['skill_list, a word of all', tool('skill_list', { query: 'thing' })],
  ['skill_list, part of a word of all', tool('skill_list', { query: 'omebod' })],
  ['skill_list, one long word', tool('skill_list', { query: 'skill-'.repeat(500) })],
  ['skill_list, no such page', tool('skill_list', { cursor: 'c2tpbGxz' })],
  ['skill_list, nothing found', tool('skill_list', { query: 'zebra-skyscraper' })],
  ['skill_load, misspelt', tool('skill_load', { skill: 'skil-0123x' })],
  ['skill_load, misspelt and long', tool('skill_load', { skill: 'skill-'.repeat(20) })],
  ['skill_load, a group', tool('skill_load', { skill: 'all' })],
  ['skill_load, a file', tool('skill_load', { skill: `${last}/references/part-1.md` })],
  ['skill_file, 8 misses', tool('skill_file', { skill: last, paths: Array(8).fill('../skill-00001/reference/x.md') })],
  ['prompts/get, misspelt', toCall('prompts/get', { name: 'skill', arguments: { name: 'skil-0123x' } })],
  [
    'completion of files',
    toCall('completion/complete', {
      ref: { type: 'ref/resource', uri: 'skill://{+path}' },
      argument: { name: 'path', value: 'e' },
    }),
  ],
  [
    'completion of skills',
    toCall('completion/complete', {
      ref: { type: 'ref/prompt', name: 'skill' },
      argument: { name: 'name', value: 'zz' },
    }),
  ],
  ['directory of all', toCall('resources/directory/read', { uri: 'skill://all' })],
  ['directory of a misspelt folder', toCall('resources/directory/read', { uri: 'skill://al' })],
  ['skills/get, none', toCall('skills/get', { uri: `skill://all/${last}` })],
  ['the index of the older draft', toCall('resources/read', { uri: 'skill://index.json' })],
  ['initialize', toCall('initialize', INITIALIZE)],
  ['resources/read, none', toCall('resources/read', { uri: `skill://all/${last}/none` })],
  ['read 6 MiB of text', toCall('resources/read', { uri: 'skill://long/text/text.md' })],
  ['read 16 MiB of text', toCall('resources/read', { uri: 'skill://long/longest/text.md' })],
  ['read 16 MiB of bytes', toCall('resources/read', { uri: 'skill://long/bytes/data.bin' })],
  ['read 16 MiB of controls', toCall('resources/read', { uri: 'skill://long/controls/text.md' })],
];
const BATCHED = KINDS.slice(0, -4)
  // it cannot be part of a batch
  .filter(([name]) => name !== 'initialize')
  .map(([name, call]) => [`100 x ${name}`, Array.from({ length: 100 }, (_, id) => ({ ...call, id }))]);

const root = mkdtempSync(join(tmpdir(), 'freeze-'));
try {
  makeTree(join(root, 'all'), { skills: SKILLS, files: 2, size: 1024 });
  makeLong(join(root, 'long'));
  const limits = ['--rate', '100000', '--legacy-index'];
  const rows = [];
  /** The least of all rounds that a kind kept the loop longer than the idle server's was kept: what else runs only adds to it. */
  const kept = new Map();
  for (let round = 0; round < ROUNDS; round += 1) {
    // new ones each round: what the first request of a kind costs is part of it
    const [server, idle] = await Promise.all([
      startServer(root, { args: limits }),
      startServer(root, { args: limits }),
    ]);
    try {
      for (const [name, call] of [...KINDS, ...BATCHED]) {
        await wait(100);
        await Promise.all([server.delays(), idle.delays()]);
        const asked = post(server.port, call);
        await wait(5);
        const probe = get(server.port, '/healthz');
        const [answer, health] = await Promise.all([asked, probe]);
        await wait(20);
        const [busy, quiet] = await Promise.all([server.delays(), idle.delays()]);
        const least = Math.max(0, busy.max - quiet.max);
        const before = kept.get(name);
        if (before === undefined || least < before.least)
          kept.set(name, { least, quiet: quiet.max, health: health.ms, ms: answer.ms, status: answer.status });
      }
    } finally {
      await Promise.all([server.kill(), idle.kill()]);
    }
  }
  for (const [name, { least, quiet, health, ms, status }] of kept) {
    rows.push([name, status, toTenth(ms), toTenth(least), toTenth(quiet), toTenth(health)]);
  }
  console.log(`${SKILLS} skills, the least of ${ROUNDS} rounds; milliseconds\n`);
  printTable(['request', 'status', 'answered in', 'loop kept longer than idle', 'idle', '/healthz beside it'], rows);
  const over = rows.filter((row) => Number(row[3]) > 50);
  console.log(`\n${over.length} of ${rows.length} keep the event loop for more than 50 ms`);
  process.exitCode = over.length > 0 ? 1 : 0;
} finally {
  rmSync(root, { recursive: true, force: true });
}

/** Skills with one long file each. @param {string} folder */
function makeLong(folder) {
  const line = 'A line of instructions that is about as long as such lines are.\n';
  const files = {
    text: ['text.md', line.repeat((6 * MIB) / line.length)],
    longest: ['text.md', line.repeat((15.9 * MIB) / line.length)],
    bytes: ['data.bin', Buffer.alloc(15.9 * MIB, 0xff)],
    controls: ['text.md', '\u0001'.repeat(15.9 * MIB)],
  };
  for (const [name, [file, content]] of Object.entries(files)) {
    mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(join(folder, name, 'SKILL.md'), `---\nname: ${name}\ndescription: Holds one long file.\n---\n`);
    writeFileSync(join(folder, name, file), content);
  }
}
