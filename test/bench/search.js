// Measures the search of skill_list on folders of real skills: node test/bench/search.js [--queries FILE] FOLDER…
//
// Set A: the phrases in double quotes in descriptions, which are what somebody may say; they are taken out of every description that is
// indexed. Set B: lines of lists below headings such as "When to use" and "Examples" that the description does not have; the body that
// is indexed has them, so this set says less. Each phrase has one right answer, the skill that it is of.
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { OPTIONS, root } from '../../.release/options.js';

const MOST_QUERIES = 1000;
const SAMPLES = 1000;

const { values, positionals } = parseArgs({ options: { queries: { type: 'string' } }, allowPositionals: true });
if (positionals.length === 0) {
  console.error('node test/bench/search.js [--queries FILE] FOLDER…');
  process.exit(2);
}

const { createCatalog, createSearch, readFrontmatter } = await importSource();
const skills = collectSkills(positionals);
const described = skills.map(({ description }) => description);
console.log(`${skills.length} skills, Node ${process.versions.node}\n`);
if (values.queries !== undefined) await reportTriggers(values.queries);
else {
  const quoted = quoteDescriptions();
  console.log('| set | queries | MRR | R@1 | R@5 | R@10 | first query | a query |');
  console.log('| --- | --- | --- | --- | --- | --- | --- | --- |');
  const texts = quoted.descriptions.map((description, at) =>
    `${skills[at].name} ${description} ${skills[at].body}`.toLowerCase(),
  );
  const isNowhere = ({ query }) => !texts.some((text) => text.includes(query.toLowerCase()));
  await report('A', quoted.queries, quoted.descriptions);
  await report(
    'A, of it what no indexed text has word for word',
    quoted.queries.filter(isNowhere),
    quoted.descriptions,
  );
  await report('B', listUses(), described);
}

/** Every SKILL.md below the folders whose frontmatter can be read, each name and description once. */
function collectSkills(folders) {
  const found = new Map();
  const walk = (folder) => {
    for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = join(folder, entry.name);
      if (entry.isDirectory() && entry.name !== '.git') walk(path);
      if (!entry.isFile() || entry.name !== 'SKILL.md') continue;
      const { frontmatter: { name, description } = {}, body = '' } = readFrontmatter(readFileSync(path));
      if (typeof name !== 'string' || typeof description !== 'string') continue;
      const key = `${name} ${description}`;
      if (!found.has(key)) found.set(key, { name, description, body });
    }
  };
  folders.forEach(walk);
  return [...found.values()];
}

/** Set A, and the descriptions without it. A phrase that several skills quote has no one right answer. */
function quoteDescriptions() {
  const QUOTED = /"([^"]{6,100})"|“([^”]{6,100})”/g;
  const all = skills.flatMap(({ description }, answer) =>
    [...description.matchAll(QUOTED)]
      .map(([whole, ...groups]) => ({ whole, query: groups.find((group) => group !== undefined).trim(), answer }))
      .filter(({ query }) => /\S\s+\S/.test(query)),
  );
  const counts = new Map();
  for (const { query } of all) counts.set(query.toLowerCase(), (counts.get(query.toLowerCase()) ?? 0) + 1);
  const queries = all.filter(({ query }) => counts.get(query.toLowerCase()) === 1);
  const descriptions = described.map((description, at) =>
    all.filter(({ answer }) => answer === at).reduce((text, { whole }) => text.replace(whole, ' '), description),
  );
  return { queries, descriptions };
}

/** Set B, the same ones in each run. */
function listUses() {
  const queries = skills.flatMap(({ description, body }, answer) => {
    let isWanted = false;
    return body.split(/\r?\n/).flatMap((line) => {
      const heading = /^#{1,6}\s+(.*)/.exec(line)?.[1];
      if (heading !== undefined) isWanted = /when|use case|example|trigger/i.test(heading);
      const item = isWanted ? /^\s*(?:[-*]|\d+\.)\s+(.{15,200})$/.exec(line)?.[1] : undefined;
      const query =
        item
          ?.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
          .replace(/[*`_]/g, '')
          .trim() ?? '';
      return query.split(/\s+/).length < 3 || description.includes(query) ? [] : [{ query, answer }];
    });
  });
  const next = createRandom(1);
  for (let at = queries.length - 1; at > 0; at--) {
    const other = Math.floor(next() * (at + 1));
    [queries[at], queries[other]] = [queries[other], queries[at]];
  }
  return queries.slice(0, MOST_QUERIES);
}

async function report(name, queries, descriptions) {
  const { search, uris } = publish(descriptions);
  const [first] = queries;
  if (first === undefined) return;
  const start = performance.now();
  await search(first.query);
  const begun = performance.now();
  const ranks = [];
  for (const { query, answer } of queries) {
    const place = (await search(query)).findIndex(({ uri }) => uri === uris[answer]);
    ranks.push(place === -1 ? Number.POSITIVE_INFINITY : place + 1);
  }
  const each = (performance.now() - begun) / queries.length;
  const cells = [
    name,
    queries.length,
    withInterval(
      ranks,
      (rank) => 1 / rank,
      (value) => value.toFixed(3),
    ),
    ...[1, 5, 10].map((most) =>
      withInterval(
        ranks,
        (rank) => (rank <= most ? 1 : 0),
        (value) => `${(100 * value).toFixed(0)} %`,
      ),
    ),
    `${(begun - start).toFixed(0)} ms`,
    `${each.toFixed(2)} ms`,
  ];
  console.log(`| ${cells.join(' | ')} |`);
}

/** skill-creator's format, `[{ "query", "should_trigger" }]`: of a folder with one skill, whether the search finds it. */
async function reportTriggers(file) {
  const { search, uris } = publish(described);
  const outcomes = [];
  for (const { query, should_trigger: isWanted } of JSON.parse(readFileSync(file, 'utf8'))) {
    const found = (await search(query)).map(({ uri }) => skills[uris.indexOf(uri)].name);
    outcomes.push(isWanted === found.length > 0);
    console.log(
      `${outcomes.at(-1) ? 'ok  ' : 'miss'} ${JSON.stringify(query)}: ${found.slice(0, 3).join(', ') || 'nothing'}`,
    );
  }
  console.log(`\n${outcomes.filter(Boolean).length} of ${outcomes.length} as wanted`);
}

/** A catalog of the skills with these descriptions; names that several have get a group. */
function publish(descriptions) {
  const encoder = new TextEncoder();
  const names = new Set();
  const uris = [];
  const pinned = skills.map(({ name, body }, at) => {
    const path = names.has(name) ? `n${at}/${name}` : name;
    names.add(name);
    const uri = `skill://${path}/SKILL.md`;
    uris.push(uri);
    const bytes = encoder.encode(`---\n---\n${body}`);
    const resource = { uri, digest: `sha256:${at}`, size: bytes.length };
    return {
      entry: { uri, frontmatter: { name, description: descriptions[at] }, resources: [resource] },
      files: [{ mimeType: 'text/markdown', bytes, isText: true }],
    };
  });
  const catalog = createCatalog(pinned, [], (text) => createHash('sha256').update(text).digest('hex'));
  return { search: createSearch(catalog), uris };
}

/** A mean and, by the bootstrap, where it lies in 95 of 100 draws. */
function withInterval(ranks, toValue, print) {
  const all = ranks.map(toValue);
  const mean = (list) => list.reduce((sum, value) => sum + value, 0) / list.length;
  const next = createRandom(2);
  const drawn = Array.from({ length: SAMPLES }, () => mean(all.map(() => all[Math.floor(next() * all.length)]))).sort(
    (a, b) => a - b,
  );
  const [low, high] = [0.025, 0.975].map((share) => print(drawn[Math.floor(share * SAMPLES)]));
  return `${print(mean(all))} [${low}, ${high}]`;
}

/** Numbers from 0 to 1, the same in each run (mulberry32). */
function createRandom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** What is measured, as it is bundled for the command. */
async function importSource() {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  try {
    const contents = `export { createCatalog } from './src/catalog/catalog.ts';
      export { createSearch } from './src/mcp/search.ts';
      export { readFrontmatter } from './src/frontmatter/frontmatter.ts';`;
    const outfile = join(folder, 'search.cjs');
    await build({ ...OPTIONS, stdin: { contents, resolveDir: root }, outfile });
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
