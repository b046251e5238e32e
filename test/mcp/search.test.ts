import { describe, expect, it, vi } from 'vitest';
import { type SkillCatalog, toSkillPath } from '../../src/catalog/catalog.ts';
import { createSearch } from '../../src/mcp/tools/search.ts';
import { createShards } from '../../src/mcp/tools/shards.ts';
import { LINEAR, measureGrowth } from '../growth.ts';
import { type MadeSkill, makeCatalog } from './catalog.ts';

interface Evaluation {
  readonly skills: readonly MadeSkill[];
  readonly queries: readonly { readonly query: string; readonly skill: string; readonly isHard?: boolean }[];
  readonly nothing: readonly string[];
}

const { default: evaluation } = (await import('../data/search.json', { with: { type: 'json' } })) as {
  default: Evaluation;
};

function createFinder(catalog: SkillCatalog): (query: string) => Promise<string[]> {
  const search = createSearch(catalog);
  return async (query) => (await search(query)).map(({ uri }) => toSkillPath(uri));
}

const find = createFinder(makeCatalog(evaluation.skills));

describe('the frozen set', () => {
  it('keeps the mean reciprocal rank', async () => {
    const ranks = await Promise.all(
      evaluation.queries.map(async ({ query, skill }) => (await find(query)).indexOf(skill)),
    );
    const sum = ranks.reduce((total, rank) => total + (rank === -1 ? 0 : 1 / (rank + 1)), 0);
    // .95 when it was frozen, .82 with the ranking before
    expect(sum / ranks.length).toBeGreaterThan(0.92);
    expect(ranks.length).toBe(120);
  });

  it('shows each skill among the first ten that was among the first three', async () => {
    const lost: string[] = [];
    for (const { query, skill, isHard = false } of evaluation.queries) {
      const rank = (await find(query)).indexOf(skill);
      if (!isHard && (rank === -1 || rank >= 10)) lost.push(query);
    }
    expect(lost).toEqual([]);
  });

  it.each(evaluation.nothing)('finds nothing for %j', async (query) => {
    expect(await find(query)).toEqual([]);
  });
});

describe('one query', () => {
  const NAMES = ['csv-report', 'deploy-prod', 'to-do', 'pdf-forms', 'commit-messages', 'k8s'];
  const FEW = makeCatalog([
    { path: 'csv-report', description: 'Makes reports from CSV files.' },
    { path: 'deploy-prod', description: 'Deploys to production.' },
    { path: 'to-do', description: 'Keeps a list of what to do.' },
    { path: 'pdf-forms', description: 'Fills in PDF forms.' },
    { path: 'commit-messages', description: 'Writes commit messages.' },
    { path: 'k8s', description: 'Works on clusters.' },
  ]);

  it.each([
    ['how do I write a git commit', 'commit-messages'],
    ['to-do', 'to-do'],
    ['To do', 'to-do'],
    ['todo', 'to-do'],
    ['what can I do', 'to-do'],
    ['k8s', 'k8s'],
    ['skill://csv-report/SKILL.md', 'csv-report'],
  ])('of few skills: %j', async (query, first) => {
    expect([query, (await createFinder(FEW)(query))[0]]).toEqual([query, first]);
  });

  it.each(NAMES)('finds %j first by its name', async (name) => {
    expect((await createFinder(FEW)(name))[0]).toBe(name);
  });

  it('takes the path first, then every skill of that name, then the rest', async () => {
    const find = createFinder(
      makeCatalog([
        { path: 'a/deploy', description: 'deploy deploy deploy' },
        { path: 'b', description: 'About deploy: deploy, deploy and deploy again.' },
        { path: 'b-deploy/x', description: 'deploy' },
        { path: 'deploy', description: 'Nothing.' },
      ]),
    );
    expect((await find('deploy')).slice(0, 2)).toEqual(['deploy', 'a/deploy']);
    expect((await find('A/deploy'))[0]).toBe('a/deploy');
  });

  it('leaves out what has only a common word, however many skills have it', async () => {
    const others = Array.from({ length: 30 }, (_, at) => ({ path: `other-${at}`, description: 'Looks at structure.' }));
    const catalog = makeCatalog([
      ...others,
      { path: 'folding', description: 'Predicts protein structure.' },
      { path: 'proteins', description: 'Protein data.' },
    ]);
    const [first, second, ...rest] = await createFinder(catalog)('predict protein structure');
    // the first five are shown however they fit
    expect([first, second, rest.length]).toEqual(['folding', 'proteins', 3]);
    expect((await createFinder(catalog)('structure')).length).toBe(31);
  });

  it('leaves equals in the order of the catalog', async () => {
    const paths = ['c', 'a', 'b', 'd/e'].map((path) => ({ path, description: 'The very same.', body: '' }));
    expect(await createFinder(makeCatalog(paths))('same')).toEqual(['a', 'b', 'c', 'd/e']);
  });

  it('reads bodies, but nothing of the frontmatter beside names and descriptions', async () => {
    const catalog = makeCatalog([{ path: 'a', description: 'Text.', body: '# Steps\n\nCall the Frobnicator.\n' }]);
    expect([await createFinder(catalog)('frobnicators'), await createFinder(catalog)('description')]).toEqual([
      ['a'],
      [],
    ]);
  });

  it('reads a body that begins after CRLF', async () => {
    const bytes = new TextEncoder().encode('---\r\nname: a\r\n---\r\nFrobnicator\r\n');
    const made = makeCatalog([{ path: 'a', description: 'Text.', files: { 'SKILL.md': bytes } }]);
    expect(await createFinder(made)('frobnicator')).toEqual(['a']);
  });

  it('reads a body that begins after a line of the frontmatter with hyphens, and after letters of several bytes', async () => {
    const text = `---\nname: a\ndescription: ${'ü'.repeat(50)}\n--- not the end\n----\n---\nFrobnicator ü\n`;
    const made = makeCatalog([
      { path: 'a', description: 'Text.', files: { 'SKILL.md': new TextEncoder().encode(text) } },
    ]);
    expect([await createFinder(made)('frobnicator'), await createFinder(made)('end')]).toEqual([['a'], []]);
  });

  it('takes what is inside a word where no word is found', async () => {
    const catalog = makeCatalog([
      { path: 'a', description: 'Hypertension.' },
      { path: 'b', description: 'Typed.' },
    ]);
    expect([await createFinder(catalog)('perten'), await createFinder(catalog)('pe')]).toEqual([['a'], []]);
  });

  it.each([
    ['protien', ['a']],
    ['protin', ['a']],
    ['proteinn', ['a']],
    ['poteins', ['a']],
    ['protei', ['a']],
    ['structrue', ['a']],
    ['strutcured', ['a']],
    ['garden', []],
    ['toen', []],
  ])('forgives a mistake in a word that no skill has: %j', async (query, paths) => {
    const catalog = makeCatalog([
      { path: 'a', description: 'Protein structure.' },
      { path: 'b', description: 'Harden; token.' },
    ]);
    expect([query, await createFinder(catalog)(query)]).toEqual([query, paths]);
  });

  it('finds among the skills that it is given, and no others', async () => {
    const catalog = makeCatalog([{ path: 'a' }, { path: 'b' }]);
    const search = createSearch(
      catalog,
      catalog.skills.filter(({ uri }) => uri === 'skill://b/SKILL.md'),
    );
    for (const query of ['a', 'what does', 'b']) {
      expect((await search(query)).every(({ uri }) => uri === 'skill://b/SKILL.md')).toBe(true);
    }
    expect((await search('what does')).length).toBe(1);
  });

  it('answers the same to everybody who asks at once, and later', async () => {
    const found = await Promise.all(Array.from({ length: 20 }, () => find('make the docker image smaller')));
    found.push(await find('make the docker image smaller'));
    expect(new Set(found.map((paths) => paths.join())).size).toBe(1);
  });

  it('finds nothing where there is nothing', async () => {
    expect(await createFinder(makeCatalog([]))('anything at all')).toEqual([]);
  });
});

describe('hostile text', () => {
  const letters = (at: number) =>
    [...at.toString(26)].map((digit) => String.fromCharCode(97 + Number.parseInt(digit, 26))).join('');
  const HOSTILE = {
    'one word': 'x'.repeat(10_000_000),
    'distinct words': Array.from({ length: 100_000 }, (_, at) => letters(at + 1000)).join(' '),
    'lone surrogates': '\ud800 \udc00'.repeat(100_000),
    'characters that become many': 'ﷺ'.repeat(100_000),
    marks: `a${'\u0301'.repeat(1_000_000)}`,
    'one run without spaces': '議事録'.repeat(100_000),
  };

  it.each(Object.entries(HOSTILE))('%s, as a body and as a query', async (_, text) => {
    const find = createFinder(
      makeCatalog([
        { path: 'bad', description: text.slice(0, 1000), body: text },
        { path: 'good', description: 'Makes tea.' },
      ]),
    );
    expect((await find('make tea'))[0]).toBe('good');
    expect((await find(text)).includes('good')).toBe(false);
  });

  it('fills an index with no more than natural text has', () => {
    const terms = Object.values(HOSTILE).map((body) => {
      const catalog = makeCatalog([{ path: 'a', description: 'b', body }]);
      const index = createShards(catalog, catalog.skills);
      while (index.addNext());
      return index.parts.reduce((sum, { termCount }) => sum + termCount, 0);
    });
    // the body's, and the three of the name and the description
    expect(terms.every((count) => count <= 1003)).toBe(true);
    expect(Math.max(...terms)).toBeGreaterThan(500);
  });

  it('costs no more where a body is longer than what is read of it', async () => {
    const words = HOSTILE['distinct words'].repeat(8);
    const growth = await measureGrowth((times) =>
      createFinder(makeCatalog([{ path: 'a', body: words.slice(0, 600_000 * times) }]))('zzz'),
    );
    expect(growth).toBeLessThan(LINEAR);
  });
});

describe('a large catalog', () => {
  const COMMON = Array.from({ length: 32 }, (_, at) => `common${String.fromCharCode(97 + (at % 26))}${at}`).join(' ');
  const makeLarge = (count: number) =>
    makeCatalog(
      Array.from({ length: count }, (_, at) => ({
        path: `skill-${at}`,
        description: `${COMMON} own${at}`,
        body: COMMON,
      })),
    );

  it('grows with the number of skills, no faster', async () => {
    const catalogs = { 1: makeLarge(500), 8: makeLarge(4000) };
    expect(await measureGrowth((times) => createFinder(catalogs[times])(COMMON))).toBeLessThan(LINEAR);
  });

  it('lets others have the event loop while many ask for much', async () => {
    const find = createFinder(makeLarge(3000));
    await find('own7');
    let longest = 0;
    let last = performance.now();
    const timer = setInterval(() => {
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
    }, 1);
    const start = performance.now();
    const found = await Promise.all(Array.from({ length: 6 }, () => find(COMMON)));
    const whole = performance.now() - start;
    clearInterval(timer);
    expect(found.every((paths) => paths.length === 3000)).toBe(true);
    expect(longest).toBeLessThan(whole / 5);
  });

  it('finds in every shard, with and without bodies', async () => {
    const find = createFinder(makeLarge(3000));
    for (const at of [0, 1, 1999, 2000, 2999]) expect((await find(`own${at}`))[0]).toBe(`skill-${at}`);
    expect((await find('skill 2999'))[0]).toBe('skill-2999');
  });

  it('reads the bodies of 20,000 skills, and of more none', () => {
    const catalog = makeCatalog([{ path: 'a', description: 'b', body: 'wombat' }]);
    const counts = [20_000, 20_001].map((count) => {
      const index = createShards(catalog, Array(count).fill(catalog.skills[0]));
      while (index.addNext());
      return index.parts.reduce((sum, part) => sum + part.search('wombat').length, 0);
    });
    expect(counts).toEqual([20_000, 0]);
  });

  it('makes its index anew after it was dropped', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    const find = createFinder(makeLarge(2001));
    const before = await find('own2000');
    await vi.advanceTimersByTimeAsync(10 * 60 * 1000 + 1);
    expect(await find('own2000')).toEqual(before);
    vi.useRealTimers();
  });
});
