import { expect, test } from 'vitest';
import { readContent } from '../../src/verify/content.ts';
import { judgeEntry } from '../../src/verify/entry.ts';
import { compareFrontmatter } from '../../src/verify/parsers.ts';
import { FaultyServer } from './faulty.ts';

/** Numbers from 0 to 1, the same in every run. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

const ODD: readonly unknown[] = [
  null,
  true,
  -1,
  1.5,
  '',
  'x',
  '/',
  'skill://',
  'skill:///SKILL.md',
  '\ud800',
  '%',
  [],
  {},
  'dynamic',
  [[]],
  { uri: 1 },
];

/** A copy in which one value, somewhere, is another one. */
function mutate(value: unknown, random: () => number): unknown {
  if (random() < 0.25 || typeof value !== 'object' || value === null) return ODD[Math.floor(random() * ODD.length)];
  const copy = structuredClone(value) as Record<string, unknown>;
  const keys = Object.keys(copy);
  const key = keys[Math.floor(random() * keys.length)] ?? 'more';
  if (random() < 0.1) delete copy[key];
  else copy[key] = mutate(copy[key], random);
  return copy;
}

test('an entry that is anything is judged: it has a fault, or it is one that can be read', () => {
  const random = createRandom(7);
  const [entry] = new FaultyServer({}).entries;
  let refused = 0;
  for (let round = 0; round < 5000; round++) {
    const { skill, faults } = judgeEntry(mutate(entry, random));
    if (skill === undefined) {
      refused += 1;
      expect(faults).not.toEqual([]);
    } else if (skill.resources !== 'dynamic') {
      // what is read is below the folder, whatever the entry says
      expect(
        skill.resources.filter(({ uri }) => !uri.startsWith(skill.folder) || /\/\.\.?(?:\/|$)|\/\//.test(uri.slice(8))),
      ).toEqual([]);
    }
  }
  expect(refused).toBeGreaterThan(1000);
});

test('a read that returned anything is judged: it has a fault, or bytes', () => {
  const random = createRandom(11);
  const result = { contents: [{ uri: 'skill://a/b', mimeType: 'text/plain', text: 'x' }], resultType: 'complete' };
  for (let round = 0; round < 5000; round++) {
    const { content, faults } = readContent(mutate(result, random), 'skill://a/b');
    expect(content === undefined).toBe(faults.length > 0);
  }
});

test.each([
  [
    'a value nested deeper than the stack',
    (value: unknown) => judgeEntry({ uri: 'skill://a/SKILL.md', frontmatter: value, resources: value }),
  ],
  ['the same in a read', (value: unknown) => readContent({ contents: [value] }, 'skill://a/b')],
])('%s is a fault, not an exception', (_, judge) => {
  let deep: unknown = 1;
  for (let depth = 0; depth < 1_000_000; depth++) deep = [deep];
  expect(judge(deep).faults).not.toEqual([]);
});

test.each([
  [
    'aliases that double at each level',
    `a: &a [x, x]\n${[...'bcdefghijklmnopqrstuvwxyz'].map((name, at) => `${name}: &${name} [*${'abcdefghijklmnopqrstuvwxyz'[at]}, *${'abcdefghijklmnopqrstuvwxyz'[at]}]\n`).join('')}`,
  ],
  ['lists nested deeper than the stack', `a: ${'['.repeat(20_000)}\n`],
  ['more than hosts parse', `a: ${'x'.repeat(100_000)}\n`],
])('a frontmatter of %s cannot be parsed', (_, yaml) => {
  const bytes = new TextEncoder().encode(`---\n${yaml}---\n`);
  const { faults } = compareFrontmatter({}, bytes, 'skill://a/SKILL.md');
  expect(faults.map(({ code }) => code)).toEqual(['frontmatter-unreadable']);
});
