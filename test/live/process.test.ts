import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { makeTree, skillMd } from '../tree.ts';

const LIBRARY = pathToFileURL(join(import.meta.dirname, '..', '..', 'dist', 'index.js')).href;

/** Runs a module in a process of its own, with a root as its argument; it has to end by itself. */
function run(code: string, root: string): unknown {
  const source = `import { watchSkills } from ${JSON.stringify(LIBRARY)};
import { writeFileSync } from 'node:fs';
const root = process.argv[1];
${code}`;
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    ['--expose-gc', '--input-type=module', '--eval', source, root],
    { encoding: 'utf8' },
  );
  expect([status, stderr]).toEqual([0, '']);
  return JSON.parse(stdout);
}

test.each(['events', 'poll'])('following by %s keeps no process alive, and waiting for a reload does', (watch) => {
  const root = makeTree({ 'a/SKILL.md': skillMd('a', 'one') });
  const code = `
const live = await watchSkills(root, { watch: '${watch}' });
writeFileSync(root + '/a/SKILL.md', '---\\nname: a\\ndescription: two\\n---\\n');
const { outcome } = await live.reload();
console.log(JSON.stringify([outcome, live.catalog.skills[0].frontmatter.description]));`;
  expect(run(code, root)).toEqual(['changed', 'two']);
});

test('100 reloads of 10 MB with one change each leave no more in memory than a few', { timeout: 120_000 }, () => {
  const nodes = Array.from({ length: 100 }, (_, at) => [
    [`s-${at}/SKILL.md`, skillMd(`s-${at}`)],
    [`s-${at}/data.bin`, new Uint8Array(100_000).fill(at)],
  ]);
  const code = `
const used = async () => {
  // a buffer is let go some turns after what held it
  for (let round = 0; round < 5; round++) {
    gc();
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return { all: heapUsed + arrayBuffers, arrayBuffers };
};
const live = await watchSkills(root, { watch: false, settle: 0 });
const change = async (at) => {
  writeFileSync(root + '/s-0/data.bin', new Uint8Array(1_000_000).fill(at));
  const { outcome } = await live.reload();
  if (outcome !== 'changed') throw new Error(outcome);
};
for (let at = 0; at < 5; at++) await change(at);
const start = await used();
for (let at = 5; at < 105; at++) await change(at);
console.log(JSON.stringify({ grown: (await used()).all - start.all, size: start.arrayBuffers, generation: live.status.generation }));`;
  const { grown, size, generation } = run(code, makeTree(Object.fromEntries(nodes.flat()))) as Record<string, number>;
  expect(generation).toBe(106);
  // the catalog is there once, and not once more for what was read last
  expect(size).toBeLessThan(15_000_000);
  expect(grown).toBeLessThan(5_000_000);
});
