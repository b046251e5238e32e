import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { describe, expect, test } from 'vitest';
import type { SkillCatalog } from '../../src/catalog/catalog.ts';
import { createSite, type Site, type SiteOptions } from '../../src/page/site.ts';
import type { Problem } from '../../src/problems.ts';
import { makeCatalog } from '../mcp/catalog.ts';

const OPTIONS: SiteOptions = { title: 'Team skills', install: { hosts: [] }, problems: [] };

const WARNING: Problem = {
  code: 'broken-link',
  severity: 'warning',
  path: 'billing/refunds/SKILL.md',
  line: 7,
  column: 5,
  length: 4,
  message: 'the link "x.md" leads to no file of the skill',
  hint: 'correct the link',
  skill: 'skill://billing/refunds/SKILL.md',
};
const ERROR: Problem = {
  code: 'name-mismatch',
  severity: 'error',
  path: 'broken/SKILL.md',
  line: 2,
  column: 7,
  length: 3,
  message: 'the name "brk" is not the folder\'s name "broken"',
  hint: 'write name: broken',
  skill: 'skill://broken/SKILL.md',
};

const CATALOG = makeCatalog([
  { path: 'notes', body: '# Notes\n\nNothing else.\n' },
  {
    path: 'billing/refunds',
    body: [
      '# Refunds',
      'See [the rules](references/rules.md#top), [the script](./scripts/run.sh), [below](#more), [gone](gone.md),',
      '[out](../../etc/passwd), [site](https://example.com/a?b=c), [mail](mailto:a@example.com), ![a chart](assets/chart.png)',
      'and ![a remote one](https://example.com/x.png).',
      '',
      '## More',
      '',
      '| a | b |',
      '| --- | --: |',
      '| 1 | 2 |',
    ].join('\n'),
    fields: { 'allowed-tools': 'Bash(git:*) Read', metadata: { owner: 'finance' } },
    files: {
      'references/rules.md': 'Ask https://rules.example.com/v1, then pay.\n',
      'scripts/run.sh': '#!/bin/sh\ncurl https://pay.example.com\n',
      'assets/chart.png': new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0xff]),
      'assets/form.html': '<script>alert(1)</script>',
      'assets/form.html.txt': 'another file',
      LICENSE: 'MIT',
    },
  },
  { path: 'sales/notes', files: { 'a.md': 'a' } },
]);

test('writes a page for the catalog, each group and each skill, and what programs read', () => {
  const site = createSite(CATALOG, { ...OPTIONS, problems: [WARNING, ERROR] });
  expect([...site.keys()]).toEqual([
    'index.html',
    'billing/index.html',
    'sales/index.html',
    'install.html',
    'problems.html',
    'billing/refunds/index.html',
    'billing/refunds/entry.json',
    'billing/refunds/files/SKILL.md',
    'billing/refunds/files/LICENSE.txt',
    'billing/refunds/files/assets/chart.png',
    'billing/refunds/files/assets/form.html.txt.txt',
    'billing/refunds/files/assets/form.html.txt',
    'billing/refunds/files/references/rules.md',
    'billing/refunds/files/scripts/run.sh',
    '.well-known/agent-skills/billing/refunds.zip',
    'notes/index.html',
    'notes/entry.json',
    'notes/files/SKILL.md',
    'sales/notes/index.html',
    'sales/notes/entry.json',
    'sales/notes/files/SKILL.md',
    'sales/notes/files/a.md',
    '.well-known/agent-skills/sales/notes.zip',
    'catalog.json',
    'mcp-skills.lock.json',
    '.well-known/agent-skills/index.json',
    'billing/.well-known/agent-skills/index.json',
    'sales/.well-known/agent-skills/index.json',
  ]);
});

test('every link of every page leads to a file or a heading of the site', () => {
  const site = createSite(CATALOG, { ...OPTIONS, problems: [WARNING, ERROR] });
  let followed = 0;
  for (const [path, { kind }] of site) {
    if (kind !== 'page') continue;
    for (const link of findLinks(readPage(site, path))) {
      if (/^(?:https?|mailto|cursor|vscode):/.test(link)) continue;
      const [target = '', anchor] = link.split('#');
      const file = target === '' ? path : posix.join(posix.dirname(path), target);
      expect([path, link, site.has(file)]).toEqual([path, link, true]);
      if (anchor !== undefined) {
        const ids = walk(readPage(site, file)).flatMap((node) => readAttribute(node, 'id') ?? []);
        expect([path, link, ids.includes(decodeURIComponent(anchor))]).toEqual([path, link, true]);
      }
      followed++;
    }
  }
  expect(followed).toBeGreaterThan(60);
});

test('links of SKILL.md lead to files, headings and web pages alone', () => {
  const links = findLinks(find(readPage(createSite(CATALOG, OPTIONS), 'billing/refunds/index.html'), 'div', 'md'));
  expect(links).toEqual([
    'files/references/rules.md',
    'files/scripts/run.sh',
    '#md-more',
    'https://example.com/a?b=c',
    'mailto:a@example.com',
    'files/assets/chart.png',
    'https://example.com/x.png',
  ]);
});

test('equal catalogs make equal bytes, in whatever order their skills and problems come', () => {
  const toBytes = (catalog: SkillCatalog, problems: Problem[]) =>
    [...createSite(catalog, { ...OPTIONS, problems })].map(([path, { toBytes: make }]) => [path, sha256(make())]);
  const again = makeCatalog([
    { path: 'b', files: { 'z.md': 'z', 'a.md': 'a' } },
    { path: 'a', fields: { license: 'MIT' } },
  ]);
  const other = makeCatalog([
    { path: 'a', fields: { license: 'MIT' } },
    { path: 'b', files: { 'a.md': 'a', 'z.md': 'z' } },
  ]);
  expect(toBytes(again, [WARNING, ERROR])).toEqual(toBytes(other, [ERROR, WARNING]));
});

describe('the page of a skill', () => {
  const text = readText(
    readPage(createSite(CATALOG, { ...OPTIONS, problems: [WARNING] }), 'billing/refunds/index.html'),
  );

  test.each([
    ['the problem and its hint', 'the link "x.md" leads to no file of the skill'],
    ['where the problem is', 'billing/refunds/SKILL.md:7:5'],
    ['what a tool may be used for', 'Bash(git:*): runs commands, for git:*'],
    ['a tool without a limit', 'Read: reads files, without a limit'],
    ['addresses in text', 'https://rules.example.com/v1 in references/rules.md'],
    ['addresses in code', 'https://pay.example.com in scripts/run.sh'],
    ['scripts', '1 file of it may be run as a script'],
    ['fields that are no text', '"owner": "finance"'],
    ['the fingerprint', toFingerprint('skill://billing/refunds/SKILL.md')],
    ...CATALOG.get('skill://billing/refunds/SKILL.md')!.resources.map(({ uri, digest }) => [
      `the digest of ${uri}`,
      digest,
    ]),
  ])('shows %s', (_, part) => {
    expect(text).toContain(part);
  });
});

test('names what is left out, and why', () => {
  const site = createSite(CATALOG, { ...OPTIONS, problems: [ERROR] });
  expect(readText(readPage(site, 'index.html'))).toContain('1 skill left out because of errors: what is wrong');
  const text = readText(readPage(site, 'problems.html'));
  expect(text).toContain('skill://broken/SKILL.md (1 error)');
  expect(text).toContain('the name "brk" is not the folder\'s name "broken"');
  expect(text).toContain('Hint: write name: broken');
});

test('files keep their bytes', () => {
  const site = createSite(CATALOG, OPTIONS);
  const published = new Map(
    [...site.values()].filter(({ kind }) => kind === 'raw').map((file) => [sha256(file.toBytes()), file]),
  );
  const served = CATALOG.skills.flatMap(({ resources }) => resources);
  expect(served.filter(({ digest }) => !published.has(digest))).toEqual([]);
  expect(new Set([...published.values()].map(({ type }) => type))).toEqual(
    new Set(['text/plain; charset=utf-8', 'image/png']),
  );
});

describe('the index for other clients', () => {
  const site = createSite(CATALOG, OPTIONS);
  const read = (path: string) =>
    JSON.parse(toText(site, path)) as { $schema: string; skills: Record<string, string>[] };

  test('lists every name once, with the digest of what is fetched', () => {
    const { $schema, skills } = read('.well-known/agent-skills/index.json');
    expect($schema).toBe('https://schemas.agentskills.io/discovery/0.2.0/schema.json');
    expect(skills.map(({ name, type, url }) => [name, type, url])).toEqual([
      ['refunds', 'archive', '../../.well-known/agent-skills/billing/refunds.zip'],
      ['notes', 'skill-md', '../../notes/files/SKILL.md'],
    ]);
    for (const { url = '', digest } of skills) {
      const path = posix.join('.well-known/agent-skills', url);
      expect([path, sha256(site.get(path)!.toBytes())]).toEqual([path, digest]);
    }
  });

  test('a skill whose name is taken is in the index of its group', () => {
    const { skills } = read('sales/.well-known/agent-skills/index.json');
    expect(skills.map(({ name, url }) => [name, url])).toEqual([
      ['notes', '../../../.well-known/agent-skills/sales/notes.zip'],
    ]);
  });
});

function readPage(site: Site, path: string): DefaultTreeAdapterTypes.Document {
  return parse(toText(site, path));
}

function toText(site: Site, path: string): string {
  return Buffer.from(site.get(path)!.toBytes()).toString();
}

function walk(node: DefaultTreeAdapterTypes.Node): DefaultTreeAdapterTypes.Node[] {
  return [node, ...('childNodes' in node ? node.childNodes.flatMap(walk) : [])];
}

function readAttribute(node: DefaultTreeAdapterTypes.Node, name: string): string | undefined {
  return 'attrs' in node ? node.attrs.find((each) => each.name === name)?.value : undefined;
}

function find(root: DefaultTreeAdapterTypes.Node, tag: string, className: string): DefaultTreeAdapterTypes.Node {
  const found = walk(root).find((node) => node.nodeName === tag && readAttribute(node, 'class') === className);
  if (found === undefined) throw new Error(`there is no ${tag}.${className}`);
  return found;
}

function findLinks(root: DefaultTreeAdapterTypes.Node): string[] {
  return walk(root).flatMap((node) => {
    const name = { a: 'href', img: 'src' }[node.nodeName];
    return name === undefined ? [] : (readAttribute(node, name) ?? []);
  });
}

/** What a person reads, on one line. */
function readText(root: DefaultTreeAdapterTypes.Node): string {
  const parts = walk(root).flatMap((node) => ('value' in node && node.nodeName === '#text' ? node.value : []));
  return parts.join('').replaceAll(/\s+/g, ' ');
}

function toFingerprint(uri: string): string {
  const lines = CATALOG.get(uri)!.resources.map((file) => `${file.uri} ${file.digest}\n`);
  return sha256(Buffer.from(lines.sort().join('')));
}

function sha256(bytes: Uint8Array): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}
