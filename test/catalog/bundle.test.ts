import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { type CatalogJson, loadCatalog } from '../../src/catalog/bundle.ts';
import { loadSkills } from '../../src/load.ts';
import { run } from '../command.ts';
import { makeTree, skillMd } from '../tree.ts';

const TREE = {
  'refunds/SKILL.md': '---\nname: refunds\ndescription: Refunds.\nlicense: MIT\nmetadata:\n  author: Ada\n---\n',
  'refunds/references/policy.md': 'one\r\ntwo\r\n',
  'refunds/assets/logo.bin': new Uint8Array([0xff, 0, 0xfe, 0x80]),
  'refunds/assets/mark.txt': '\ufeffmarked',
  'refunds/empty.txt': '',
  'billing/invoices/SKILL.md': skillMd('invoices'),
};

interface Wire {
  digest: string;
  skills: {
    uri: string;
    frontmatter: Record<string, unknown>;
    resources: { uri: string; digest: string; size: number }[];
  }[];
  entryDigests: Record<string, string>;
  files: Record<string, string>;
}

let root: string;
let text: string;

beforeAll(async () => {
  root = makeTree(TREE);
  text = (await run(['list', '--json', '--bytes', root])).stdout;
});

const wire = () => JSON.parse(text) as Wire;

test('a catalog from what list printed is the one that it was printed of', async () => {
  const original = await loadSkills(root);
  for (const loaded of [loadCatalog(text), loadCatalog(wire())]) {
    expect([loaded.digest, loaded.skills, loaded.problems]).toEqual([original.digest, original.skills, []]);
    for (const { uri, resources } of original.skills) {
      expect(loaded.get(uri)).toEqual(original.get(uri));
      for (const resource of resources) {
        const [ours, theirs] = [loaded, original].map((catalog) => {
          const file = catalog.read(resource.uri);
          return { ...file, bytes: [...(file?.bytes ?? [])], text: file?.text };
        });
        expect(ours).toEqual(theirs);
      }
    }
    for (const uri of ['skill://billing', 'skill://refunds', 'skill://refunds/assets', 'skill://nope']) {
      expect(loaded.readDirectory(uri)).toEqual(original.readDirectory(uri));
    }
  }
});

test('what is passed is neither kept nor frozen', () => {
  const json = wire();
  const catalog = loadCatalog(json);
  const before = structuredClone(catalog.skills);
  json.skills[0]!.frontmatter['name'] = 'changed';
  json.skills[0]!.resources.length = 0;
  expect(catalog.skills).toEqual(before);
  expect(Object.isFrozen(catalog.skills[0]?.frontmatter)).toBe(true);
});

test('a catalog is the same in another layout and order of keys', () => {
  const reverse = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(reverse);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        .map(([key, item]) => [key, reverse(item)])
        .reverse(),
    );
  };
  const loaded = loadCatalog(JSON.stringify(reverse(wire()), null, 8));
  expect(loaded.digest).toBe(wire().digest);
});

test('every kind of value in a frontmatter comes through printing as it was', async () => {
  const yaml = [
    'name: a',
    'description: "a \\u2028 \\ue000 é 😀"',
    'list: [1, -2, 1.5, 9007199254740991, null, true, "", {"b": {}, "10": 1, "2": []}]',
  ];
  const tree = makeTree({ 'a/SKILL.md': `---\n${yaml.join('\n')}\n---\n` });
  const { stdout, stderr } = await run(['list', '--bytes', tree]);
  expect([stderr, loadCatalog(stdout).skills]).toEqual(['', (await loadSkills(tree)).skills]);
});

test('a catalog that 0.1 printed, without digests of entries, is loaded', async () => {
  const { entryDigests: _, ...json } = wire();
  expect(loadCatalog(json).digest).toBe(json.digest);
});

describe('what is refused, with the URI', () => {
  const refund = 'skill://refunds/SKILL.md';
  const cases: Record<string, [(json: Wire) => unknown, string]> = {
    'no JSON': [() => '{', 'the catalog is not JSON: '],
    'no object': [() => '[]', 'a catalog is an object with "digest", "skills" and "files", not a list'],
    'no digest': [(json) => ({ ...json, digest: 'md5:1' }), 'the "digest" of the catalog is not "sha256:"'],
    'no skills': [(json) => ({ ...json, skills: {} }), 'the "skills" of the catalog are not a list'],
    'no files': [({ files: _, ...json }) => json, 'the catalog has no "files": make it with mcp-server-skills list'],
    'a file without bytes': [
      (json) => void delete json.files['skill://refunds/empty.txt'],
      'skill://refunds/empty.txt: the "files" of the catalog have no base64 for it',
    ],
    'a file that is no base64': [
      (json) => Object.assign(json.files, { [refund]: '*' }) && json,
      `${refund}: the content is not base64`,
    ],
    'a file of another size': [
      (json) => Object.assign(json.files, { ['skill://refunds/empty.txt']: 'AA==' }) && json,
      'skill://refunds/empty.txt: the file has 1 bytes, not 0',
    ],
    'a file of another content': [
      (json) => Object.assign(json.files, { ['skill://refunds/assets/logo.bin']: 'AAAAAA==' }) && json,
      `skill://refunds/assets/logo.bin: the digest of the file is sha256:${createHash('sha256').update(new Uint8Array(4)).digest('hex')}, not sha256:`,
    ],
    'a file that no skill lists': [
      (json) => Object.assign(json.files, { ['skill://refunds/more.txt']: '' }) && json,
      'skill://refunds/more.txt: no skill of the catalog lists this file',
    ],
    'a file outside its skill': [
      (json) => Object.assign(json.skills[1]!.resources[0]!, { uri: 'skill://other/logo.bin' }) && json,
      `${refund}: a file of the skill has no uri below skill://refunds/, but "skill://other/logo.bin"`,
    ],
    'a path that climbs': [
      (json) => Object.assign(json.skills[1]!.resources[0]!, { uri: 'skill://refunds/../logo.bin' }) && json,
      `${refund}: a file of the skill has no uri below skill://refunds/, but "skill://refunds/../logo.bin"`,
    ],
    'a file twice': [
      (json) => void json.skills[1]!.resources.push(json.skills[1]!.resources[0]!),
      'skill://refunds/SKILL.md: the catalog lists this file twice',
    ],
    'a skill twice': [
      (json) => void json.skills.push(json.skills[0]!),
      'skill://billing/invoices/SKILL.md: the catalog lists this file twice',
    ],
    'a skill without its SKILL.md': [
      (json) =>
        Object.assign(json.skills[1]!, { resources: json.skills[1]!.resources.filter(({ uri }) => uri !== refund) }) &&
        json,
      `${refund}: the "resources" of the skill do not list it`,
    ],
    'an address that is no skill': [
      (json) => Object.assign(json.skills[1]!, { uri: 'skill://Refunds/SKILL.md' }) && json,
      'a skill of the catalog has no uri of the form skill://<path>/SKILL.md, but "skill://Refunds/SKILL.md"',
    ],
    'a digest in capitals': [
      (json) => Object.assign(json.skills[1]!.resources[0]!, { digest: 'sha256:ABC' }) && json,
      'skill://refunds/SKILL.md: the "digest" is not "sha256:" and 64 lowercase hex digits, but "sha256:ABC"',
    ],
    'a size that is none': [
      (json) => Object.assign(json.skills[1]!.resources[0]!, { size: 1.5 }) && json,
      'skill://refunds/SKILL.md: the "size" is not a number of bytes, but 1.5',
    ],
    'another name': [
      (json) => Object.assign(json.skills[1]!.frontmatter, { name: 'refund' }) && json,
      `${refund}: the "name" of the frontmatter is not that of the folder, but "refund"`,
    ],
    'no description': [
      (json) => Object.assign(json.skills[1]!.frontmatter, { description: ' ' }) && json,
      `${refund}: the "description" of the frontmatter is not a string of 1 to 1024 characters`,
    ],
    'frontmatter that is no JSON': [
      (json) => Object.assign(json.skills[1]!.frontmatter, { x: [new Date(0), 1n] }) && json,
      `${refund}: the frontmatter has a value that is not JSON`,
    ],
    'an edited description': [
      (json) => Object.assign(json.skills[1]!.frontmatter, { description: 'Refunds!' }) && json,
      `${refund}: the entry was edited after it was printed: edit SKILL.md instead, and print the catalog again with mcp-server-skills list --json --bytes`,
    ],
    'a field more': [
      (json) => Object.assign(json.skills[1]!.frontmatter, { metadata: { author: 'Ada', more: '' } }) && json,
      `${refund}: the entry was edited after it was printed`,
    ],
    'a field less': [
      (json) => void delete json.skills[1]!.frontmatter['license'],
      `${refund}: the entry was edited after it was printed`,
    ],
    'an entry without its digest': [
      (json) => void delete json.entryDigests[refund],
      `${refund}: the entry was edited after it was printed`,
    ],
    'digests of entries that are none': [
      (json) => ({ ...json, entryDigests: [] }),
      'the "entryDigests" of the catalog are not an object, but a list',
    ],
    'a skill left out': [
      (json) => {
        const [skill] = json.skills.splice(0, 1);
        for (const { uri } of skill!.resources) delete json.files[uri];
      },
      'a skill is missing, added or renamed',
    ],
  };
  test.each(Object.entries(cases))('%s', (_, [change, message]) => {
    const json = wire();
    const changed = (change(json) ?? json) as CatalogJson;
    expect(() => loadCatalog(changed)).toThrow(message);
  });
});
