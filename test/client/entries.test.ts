import { describe, expect, test } from 'vitest';
import { SkillRegistry } from '../../src/client/index.ts';
import { type Entry, Server } from './server.ts';

const FILE = { uri: 'skill://refunds/a.md', digest: `sha256:${'a'.repeat(64)}`, size: 1 };
const many = (count: number, size = 1) =>
  Array.from({ length: count }, (_, index) => ({ ...FILE, uri: `skill://refunds/${index}.md`, size }));

/** What registering a server came to whose one entry is changed like this, beside a sound one. */
async function judge(change: (entry: Entry) => unknown): Promise<unknown> {
  const server = new Server('refunds', 'sound');
  const entry = server.entry('refunds');
  server.listed = [change(entry) ?? entry, server.entry('sound')];
  const registry = new SkillRegistry();
  const added = await registry.addServer(server, 'hf');
  const [bad, ...others] = registry.list().filter(({ name }) => name !== 'hf:sound');
  expect([others, added.skills + added.unavailable, registry.list().length]).toEqual([[], 2, 2]);
  expect(await registry.activate('hf:sound')).toMatchObject({ outcome: 'activated' });
  if (bad?.availability.status !== 'unavailable') return bad?.availability;
  // an unavailable skill says why when it is activated, and nothing is read
  const asked = server.asked.length;
  const { reason } = bad.availability;
  expect(await registry.activate(bad.name)).toMatchObject({ outcome: 'unavailable', reason });
  expect(server.asked.length).toBe(asked);
  return reason;
}

describe('an entry that breaks a rule is unavailable with its reason, and costs only itself', () => {
  test.each<readonly [string, (entry: Entry) => unknown, string]>([
    ['no object', () => 'refunds', 'an entry is "refunds", not an object'],
    ['no URI', (entry) => ({ ...entry, uri: 7 }), '"uri" is 7, not a string'],
    ['no resources', ({ resources, ...entry }) => entry, '"resources" is missing, not a list or "dynamic"'],
    ['no files', (entry) => ({ ...entry, resources: [] }), 'the entry lists no files, not even its SKILL.md'],
    ['no frontmatter', (entry) => ({ ...entry, frontmatter: [] }), '"frontmatter" is [], not an object'],
    [
      'another name than the last folder of its URI',
      (entry) => ({ ...entry, frontmatter: { ...entry.frontmatter, name: 'other' } }),
      'the last folder of the URI is "refunds", and the name is "other"',
    ],
    ['no description', (entry) => ({ ...entry, frontmatter: { name: 'refunds' } }), 'its entry has no description'],
    [
      'a file outside its folder',
      (entry) => ({ ...entry, resources: [...entry.resources, { ...FILE, uri: 'skill://other/a.md' }] }),
      '"skill://other/a.md": the file is not below "skill://refunds/"',
    ],
    [
      'a file that climbs',
      (entry) => ({ ...entry, resources: [...entry.resources, { ...FILE, uri: 'skill://refunds/%2e%2e/x' }] }),
      '"skill://refunds/%2e%2e/x": the path "%2e%2e/x" has a segment that is empty, dots, or hides a separator',
    ],
    [
      'a file twice',
      (entry) => ({ ...entry, resources: [...entry.resources, FILE, { ...FILE, uri: 'skill://refunds/%61.md' }] }),
      '"skill://refunds/%61.md": the entry lists this file twice',
    ],
    ['not its own SKILL.md', (entry) => ({ ...entry, resources: [FILE] }), 'the entry does not list its own SKILL.md'],
    [
      'a digest in upper case',
      (entry) => ({ ...entry, resources: [...entry.resources, { ...FILE, digest: `sha256:${'A'.repeat(64)}` }] }),
      `"skill://refunds/a.md": the digest is "sha256:${'A'.repeat(64)}", not "sha256:" and 64 lowercase hex digits`,
    ],
    [
      'a size that is none',
      (entry) => ({ ...entry, resources: [...entry.resources, { ...FILE, size: -1 }] }),
      '"skill://refunds/a.md": the size is -1, not a whole number of bytes',
    ],
    [
      '513 files',
      (entry) => ({ ...entry, resources: [...entry.resources, ...many(512)] }),
      'its entry lists 513 files, more than 512',
    ],
    [
      'more than 16 MiB',
      (entry) => ({ ...entry, resources: [...entry.resources, ...many(16, 1024 * 1024)] }),
      expect.stringMatching(/^the files have 16,777,\d+ bytes, more than 16,777,216$/) as unknown as string,
    ],
    [
      'dynamic',
      (entry) => ({ ...entry, resources: 'dynamic' }),
      'its content is dynamic, so it cannot be verified, and this host does not allow that',
    ],
    [
      'a frontmatter as deep as a well',
      (entry) => {
        let deep: unknown = 1;
        for (let level = 0; level < 3000; level++) deep = [deep];
        return { ...entry, frontmatter: { ...entry.frontmatter, deep } };
      },
      'the entry is nested deeper than 33 levels, which no host parses',
    ],
    [
      'a frontmatter that is too large',
      (entry) => ({ ...entry, frontmatter: { ...entry.frontmatter, x: 'x'.repeat(140_000) } }),
      'the frontmatter of its entry is too large',
    ],
    [
      'words for a terminal',
      (entry) => ({ ...entry, frontmatter: { ...entry.frontmatter, name: '\u001b[2J\u202e' } }),
      'the name is "\\u001b[2J\\u{202e}", not 1 to 64 of a-z, 0-9 and single hyphens between them',
    ],
  ])('%s', async (_, change, reason) => {
    expect(await judge(change)).toEqual(reason);
  });

  test('a URI with what a URI has to escape', async () => {
    const moved = (entry: Entry, uri: string) => ({ ...entry, uri, resources: [{ ...FILE, uri }] });
    for (const uri of [
      'skill://a"b/refunds/SKILL.md',
      'skill://\u202e/refunds/SKILL.md',
      'skill://<x>/refunds/SKILL.md',
    ]) {
      expect(await judge((entry) => moved(entry, uri))).toBe('its URI has characters that a URI has to escape');
    }
    expect(await judge((entry) => moved(entry, 'skill://a b/refunds/SKILL.md'))).toBe(
      'the URI "skill://a b/refunds/SKILL.md" does not end with a folder and "/SKILL.md"',
    );
  });
});

describe('an entry is taken', () => {
  test.each<readonly [string, (entry: Entry) => unknown]>([
    ['as it is', () => undefined],
    ['with members that the extension does not know', (entry) => ({ ...entry, future: 1, _meta: {} })],
    [
      'with fields that nothing here uses, whatever they are',
      ({ frontmatter, ...entry }) => ({
        ...entry,
        frontmatter: { ...frontmatter, metadata: { a: [1] }, license: 3, 'allowed-tools': ['Bash'] },
      }),
    ],
    [
      'with a description that is too long',
      ({ frontmatter, ...entry }) => ({ ...entry, frontmatter: { ...frontmatter, description: 'x'.repeat(2000) } }),
    ],
    ['with 512 files', (entry) => ({ ...entry, resources: [...entry.resources, ...many(511)] })],
  ])('%s', async (_, change) => {
    expect(await judge(change)).toEqual({ status: 'ok' });
  });
});

test('an entry that is listed twice in two ways is unavailable, and in one way is one', async () => {
  const server = new Server('refunds', 'sound');
  const other = { ...server.entry('refunds'), frontmatter: { name: 'refunds', description: 'Other' } };
  server.listed.push(other, server.entry('sound'));
  const registry = new SkillRegistry();
  expect(await registry.addServer(server, 'hf')).toEqual({ skills: 1, unavailable: 1 });
  expect(registry.list().map(({ name, availability }) => [name, availability])).toEqual([
    ['hf:refunds', { status: 'unavailable', reason: 'its server lists it twice, in two ways' }],
    ['hf:sound', { status: 'ok' }],
  ]);
});

describe('a dynamic skill, where the host allows it', () => {
  const skill = { path: 'live', body: 'Now.\n', files: { 'references/a.md': 'a', 'big.bin': new Uint8Array(9 << 20) } };

  async function open(): Promise<{ server: Server; registry: SkillRegistry }> {
    const server = new Server(skill);
    server.entry('live').resources = 'dynamic';
    const registry = new SkillRegistry();
    await registry.addServer(server, 'hf', { allowDynamic: true });
    return { server, registry };
  }

  test('is read without digests, and marked in the list and in the prompt', async () => {
    const { registry } = await open();
    expect(registry.list()).toMatchObject([{ name: 'hf:live', availability: { status: 'ok' }, verified: false }]);
    expect(registry.toPrompt()).toContain('- hf:live (server hf, not verified: its content can change at any time): "');
    expect(await registry.activate('hf:live')).toMatchObject({
      outcome: 'activated',
      verified: false,
      body: '\nNow.\n',
      message: expect.stringContaining('Nothing about it is verified.'),
    });
    expect(await registry.readFile('hf:live', 'references/a.md')).toMatchObject({ outcome: 'read', verified: false });
  });

  test('is held to the frontmatter of its entry', async () => {
    const { server, registry } = await open();
    server.files.set('skill://live/SKILL.md', '---\nname: live\ndescription: Something else\n---\nx\n');
    expect(await registry.activate('hf:live')).toMatchObject({
      outcome: 'unverified',
      reason: 'description is "What live does." in its entry and "Something else" in its SKILL.md',
    });
  });

  test('has 16 MiB in all', async () => {
    const { registry } = await open();
    await registry.activate('hf:live');
    expect(await registry.readFile('hf:live', 'big.bin')).toMatchObject({ outcome: 'read' });
    expect(await registry.readFile('hf:live', 'big.bin')).toMatchObject({
      outcome: 'retired',
      reason: expect.stringMatching(
        /^the file "big\.bin" is not what its entry lists: the skill has more than 7,\d+,\d+ bytes/,
      ),
    });
  });

  test('is never asked for what is no path below it', async () => {
    const { server, registry } = await open();
    await registry.activate('hf:live');
    const asked = server.asked.length;
    const paths = ['../x', '/x', 'a//b', './a', 'a/..', '%2e%2e/x', 'a?b', 'a#b', 'a b', '', 'a\\b', 'x'.repeat(2000)];
    for (const path of paths) {
      expect([path, (await registry.readFile('hf:live', path)).outcome]).toEqual([path, 'refused']);
    }
    expect(server.asked.length).toBe(asked);
  });
});
