import { describe, expect, test } from 'vitest';
import { SkillRegistry } from '../../src/client/index.ts';
import { rpcError, Server } from './server.ts';

const A = 'skill://refunds/references/a.md';
const SKILL = {
  path: 'refunds',
  body: 'Refund.\n',
  files: { 'references/a.md': 'the policy\n', 'logo.bin': new Uint8Array([0xff, 0, 1]), 'empty.txt': '' },
};

async function open(): Promise<{ server: Server; registry: SkillRegistry }> {
  const server = new Server(SKILL, { path: 'other', files: { 'b.md': 'b\n' } });
  const registry = new SkillRegistry();
  await registry.addServer(server, 'hf');
  await registry.activate('hf:refunds', 'c');
  server.asked.length = 0;
  return { server, registry };
}

test('a file that the entry lists is read, verified, from its own server', async () => {
  const { server, registry } = await open();
  expect(await registry.readFile('hf:refunds', 'references/a.md', 'c')).toEqual({
    outcome: 'read',
    name: 'hf:refunds',
    path: 'references/a.md',
    bytes: new TextEncoder().encode('the policy\n'),
    text: 'the policy\n',
    mimeType: 'text/markdown',
    verified: true,
    message: expect.stringMatching(
      /^The block below is the file "references\/a\.md" of the skill "hf:refunds": .*\n\n<skill-.*>\nthe policy\n<\/skill-/s,
    ),
  });
  expect(server.asked).toEqual([`resources/read ${A}`]);
});

test('bytes that are no text are bytes, and a model is told so', async () => {
  const { registry } = await open();
  expect(await registry.readFile('hf:refunds', 'logo.bin', 'c')).toEqual({
    outcome: 'read',
    name: 'hf:refunds',
    path: 'logo.bin',
    bytes: new Uint8Array([0xff, 0, 1]),
    mimeType: 'text/markdown',
    verified: true,
    message:
      'The file "logo.bin" of the skill "hf:refunds" has 3 bytes of the type "text/markdown", and they are not text.',
  });
  expect(await registry.readFile('hf:refunds', 'empty.txt', 'c')).toMatchObject({ outcome: 'read', text: '' });
});

test('a path that the entry does not list is refused without a request', async () => {
  const { server, registry } = await open();
  const paths = [
    'a.md',
    'references',
    'References/a.md',
    'references/../references/a.md',
    './references/a.md',
    A,
    '../other/b.md',
    '',
  ];
  for (const path of [...paths, 'references/a.md\u0000', 'references%2fa.md', 'constructor', '__proto__']) {
    const reading = await registry.readFile('hf:refunds', path, 'c');
    expect([path, reading.outcome]).toEqual([path, 'refused']);
  }
  // whatever the server would serve
  server.files.set('skill://refunds/secret.md', 'secret');
  expect(await registry.readFile('hf:refunds', 'secret.md', 'c')).toEqual({
    outcome: 'refused',
    name: 'hf:refunds',
    reason: '"secret.md" is not a file of the skill',
    message:
      'The skill "hf:refunds" is not loaded: "secret.md" is not a file of the skill. Do not try to get around that.',
  });
  expect(server.asked).toEqual([]);
});

test('a file is read in a conversation in which its skill is active, and in no other', async () => {
  const { server, registry } = await open();
  for (const [name, context] of [
    ['hf:refunds', 'd'],
    ['hf:other', 'c'],
    ['hf:none', 'c'],
    ['none', 'c'],
  ] as const) {
    expect(await registry.readFile(name, 'references/a.md', context)).toMatchObject({ outcome: 'inactive' });
  }
  registry.deactivate('hf:refunds', 'c');
  expect(await registry.readFile('hf:refunds', 'references/a.md', 'c')).toMatchObject({ outcome: 'inactive' });
  expect(server.asked).toEqual([]);
});

describe('a file that fails its check retires the skill', () => {
  test.each<readonly [string, (server: Server) => void, string]>([
    ['other bytes', (server) => server.files.set(A, 'the polity\n'), 'the digest of the file is '],
    [
      'more bytes',
      (server) => server.files.set(A, `the policy\n${'x'.repeat(99)}`),
      'the file is longer than the 11 bytes that the entry lists',
    ],
    ['fewer bytes', (server) => server.files.set(A, 'the'), 'the file has 3 bytes, and the entry lists 11'],
    ['no file', (server) => server.files.delete(A), 'its server no longer has the file'],
    ['CRLF', (server) => server.files.set(A, 'the policy\r\n'), 'the file is longer than'],
  ])('%s', async (_, change, why) => {
    const { server, registry } = await open();
    const retired: unknown[] = [];
    registry.on('retired', (event) => retired.push(event));
    change(server);
    const reading = await registry.readFile('hf:refunds', 'references/a.md', 'c');
    const reason = expect.stringContaining(`the file "references/a.md" is not what its entry lists: ${why}`);
    expect(reading).toEqual({
      outcome: 'retired',
      name: 'hf:refunds',
      reason,
      message: expect.stringMatching(/ Activate it again to load it as it is now\.$/),
    });
    expect(retired).toEqual([{ name: 'hf:refunds', label: 'hf', uri: 'skill://refunds/SKILL.md', reason }]);
    expect(registry.active('c')).toMatchObject([{ name: 'hf:refunds', retired: reason }]);
    // also for the files that would not fail, in each conversation, without a request
    server.asked.length = 0;
    expect(await registry.readFile('hf:refunds', 'empty.txt', 'c')).toMatchObject({ outcome: 'retired', reason });
    expect([server.asked, retired.length]).toEqual([[], 1]);
  });

  test('in every conversation that loaded it by the same entry', async () => {
    const { server, registry } = await open();
    await registry.activate('hf:refunds', 'd');
    server.files.set(A, 'x');
    await registry.readFile('hf:refunds', 'references/a.md', 'c');
    expect(await registry.readFile('hf:refunds', 'empty.txt', 'd')).toMatchObject({ outcome: 'retired' });
  });

  test('and no other skill of the server', async () => {
    const { server, registry } = await open();
    await registry.activate('hf:other', 'c');
    server.files.set(A, 'x');
    await registry.readFile('hf:refunds', 'references/a.md', 'c');
    expect(await registry.readFile('hf:other', 'b.md', 'c')).toMatchObject({ outcome: 'read', text: 'b\n' });
  });
});

test('a file that changed between load and read is refused, retired and healed', async () => {
  const { server, registry } = await open();
  server.publish({
    ...SKILL,
    body: 'Refund twice.\n',
    files: { ...SKILL.files, 'references/a.md': 'the new policy\n' },
  });
  expect(await registry.readFile('hf:refunds', 'references/a.md', 'c')).toMatchObject({ outcome: 'retired' });
  expect(server.asked).toEqual([`resources/read ${A}`]);
  expect(await registry.activate('hf:refunds', 'c')).toMatchObject({ outcome: 'activated', body: '\nRefund twice.\n' });
  expect(server.asked.slice(1)).toEqual([
    'skills/get skill://refunds/SKILL.md',
    'resources/read skill://refunds/SKILL.md',
  ]);
  expect(await registry.readFile('hf:refunds', 'references/a.md', 'c')).toMatchObject({
    outcome: 'read',
    text: 'the new policy\n',
  });
  expect(registry.active('c')).toEqual([
    {
      name: 'hf:refunds',
      origin: { kind: 'server', label: 'hf', uri: 'skill://refunds/SKILL.md' },
      verified: true,
      fingerprint: registry.list().find(({ name }) => name === 'hf:refunds')?.fingerprint,
    },
  ]);
});

test('a server that cannot be asked retires nothing', async () => {
  const { server, registry } = await open();
  server.answers['resources/read'] = () => Promise.reject(rpcError(-32603, 'down'));
  expect(await registry.readFile('hf:refunds', 'references/a.md', 'c')).toMatchObject({ outcome: 'failed' });
  delete server.answers['resources/read'];
  expect(await registry.readFile('hf:refunds', 'references/a.md', 'c')).toMatchObject({ outcome: 'read' });
});

describe('a file of a host’s own skill', () => {
  const registry = new SkillRegistry();
  registry.addLocal({
    name: 'own',
    description: 'Ours',
    files: ['b.md', 'a.md'],
    read: (path) => {
      if (path === 'b.md') throw new Error('gone');
      return `text of ${path}`;
    },
  });

  test('is read without a check, and shown without a fence', async () => {
    expect(await registry.activate('own', 'c')).toEqual({
      outcome: 'activated',
      name: 'own',
      origin: { kind: 'host' },
      description: 'Ours',
      body: 'text of SKILL.md',
      frontmatter: {},
      files: ['a.md', 'b.md'],
      verified: true,
      message: 'The skill "own":\n\ntext of SKILL.md\n\nFiles to read with read_skill_file: "a.md", "b.md"',
    });
    expect(await registry.readFile('own', 'a.md', 'c')).toMatchObject({
      outcome: 'read',
      message: 'The file "a.md" of the skill "own":\n\ntext of a.md',
    });
  });

  test('is one that it lists', async () => {
    expect(await registry.readFile('own', 'c.md')).toMatchObject({ outcome: 'refused' });
    expect(await registry.readFile('own', 'b.md')).toMatchObject({ outcome: 'failed' });
  });
});
