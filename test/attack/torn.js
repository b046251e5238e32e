/**
 * A writer that replaces the content of a skill's files in place, all of them with A and then all of them with B, and puts their times
 * back each time; meanwhile the skill is loaded again and again.
 *
 *     npm run build && node test/attack/torn.js [SECONDS]
 *
 * SECONDS is 20 by default. Prints what became of the loads: `torn` held a file with A and B in it, and `between` held files of A and
 * files of B, which a writer leaves on the disk where the system lets it rest between two files. The exit status is 1 where one was
 * torn, where more than one in twenty was between, or where none was published, so that nothing was tried.
 */
import { mkdirSync, mkdtempSync, openSync, rmSync, statSync, utimesSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { isMainThread, Worker, workerData } from 'node:worker_threads';

const FILES = ['a.txt', 'b.txt', 'c/d.txt', 'c/e.txt'];
const SIZE = 1024 * 1024;
/** How long the writer rests after each round, in milliseconds: without, no load could end. */
const PAUSES = [0, 5, 30, 100];

if (isMainThread) await attack(Number(process.argv[2] ?? 20));
else write(workerData);

async function attack(seconds) {
  const { loadSkills } = await import('../../dist/index.js');
  const root = mkdtempSync(join(tmpdir(), 'torn-'));
  const folder = join(root, 'torn');
  mkdirSync(join(folder, 'c'), { recursive: true });
  writeFileSync(join(folder, 'SKILL.md'), '---\nname: torn\ndescription: Is written while it is read.\n---\n');
  for (const file of FILES) writeFileSync(join(folder, file), Buffer.alloc(SIZE, 'A'));
  const results = { published: 0, refused: 0, torn: 0, between: 0 };
  for (const pause of PAUSES) {
    const writer = new Worker(new URL(import.meta.url), { workerData: { folder, pause } });
    await new Promise((resolve) => writer.once('online', resolve));
    const end = Date.now() + (seconds * 1000) / PAUSES.length;
    while (Date.now() < end) {
      const catalog = await loadSkills(root, { invalid: 'skip' });
      if (catalog.skills.length === 0) results.refused++;
      else {
        results.published++;
        const contents = FILES.map((file) => new Set(catalog.read(`skill://torn/${file}`).bytes));
        if (contents.some(({ size }) => size > 1)) results.torn++;
        else if (new Set(contents.flatMap((letters) => [...letters])).size > 1) results.between++;
      }
      await setTimeout(Math.random() * 10);
    }
    await writer.terminate();
  }
  rmSync(root, { recursive: true });
  console.log(JSON.stringify(results));
  const { published, torn, between } = results;
  process.exitCode = torn > 0 || between > published / 20 || published === 0 ? 1 : 0;
}

function write({ folder, pause }) {
  const files = FILES.map((file) => join(folder, file));
  const open = files.map((file) => openSync(file, 'r+'));
  const { atime, mtime } = statSync(files[0]);
  const waiter = new Int32Array(new SharedArrayBuffer(4));
  for (let round = 1; ; round++) {
    const content = Buffer.alloc(SIZE, round % 2 === 0 ? 'A' : 'B');
    files.forEach((file, at) => {
      writeSync(open[at], content, 0, SIZE, 0);
      utimesSync(file, atime, mtime);
    });
    if (pause > 0) Atomics.wait(waiter, 0, 0, pause);
  }
}
