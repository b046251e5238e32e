import { describe, expect, test } from 'vitest';
import { CHECKS, type CheckCode } from '../../src/verify/checks.ts';
import { createPost } from '../../src/verify/post.ts';
import { type VerifyOptions, type VerifyReport, verifyServer } from '../../src/verify/verification.ts';
import { FaultyServer, serveFetch, type Wrong } from './faulty.ts';
import { OPTIONS } from './options.ts';
import { WRONGS } from './wrongs.ts';

function verify(wrong: Wrong, options: Partial<VerifyOptions> = {}): Promise<VerifyReport> {
  const fetch = serveFetch(new FaultyServer(wrong));
  const url = new URL('http://127.0.0.1/mcp');
  return verifyServer((version) => createPost({ url, headers: {}, version, fetch }), { ...OPTIONS, ...options });
}

test('a server that is right has no problems, in both eras', async () => {
  const { served, ...report } = await verify({});
  expect(served.map(({ folder }) => folder)).toEqual(['skill://alpha/', 'skill://group/beta/', 'skill://group/gamma/']);
  expect(report).toEqual({
    server: { name: 'faulty', version: '1' },
    eras: [
      { era: 'modern', revision: '2026-07-28' },
      { era: 'legacy', revision: '2025-11-25' },
    ],
    skills: 3,
    uris: ['skill://alpha/SKILL.md', 'skill://group/beta/SKILL.md', 'skill://group/gamma/SKILL.md'],
    listed: ['skill://alpha/SKILL.md', 'skill://group/beta/SKILL.md', 'skill://group/gamma/SKILL.md'],
    files: 6,
    bytes: 206,
    requests: 68,
    groups: {
      server: ['declaration', 'listing', 'get', 'read', 'directory'],
      skill: ['entry', 'get', 'read', 'frontmatter', 'directory'],
    },
    problems: [],
  });
});

describe('a server with one fault', () => {
  test.each(Object.keys(CHECKS) as CheckCode[])('has the code %s and no other', async (code) => {
    const { options, ...wrong } = WRONGS[code];
    const { problems } = await verify(wrong, options);
    expect([...new Set(problems.map((fault) => fault.code))]).toEqual([code]);
  });
});

test('a skill of the largest size that is allowed is verified, as bytes and as text', async () => {
  const size = 8 * 1024 * 1024;
  const files = (all: Map<string, string | Uint8Array>) => {
    all.set('skill://alpha/a.bin', new Uint8Array(size - 1000).fill(0xff));
    all.set('skill://alpha/b.txt', 'ä\n'.repeat((size - 1000) / 3));
  };
  const { problems, bytes } = await verify({ files });
  expect({ problems, isLarge: bytes > 16_700_000 }).toEqual({ problems: [], isLarge: true });
});

test('a file without a size is listed all the same: no folder has what the entry lacks', async () => {
  const entries: Wrong['entries'] = (all) =>
    all.map((entry) => ({
      ...entry,
      resources: entry.resources.map(({ uri, digest }: { uri: string; digest: string }) => ({ uri, digest })),
    }));
  const { problems } = await verify({ entries });
  expect([...new Set(problems.map(({ code, message }) => `${code}: ${message}`))]).toEqual([
    'size-form: the size is missing, not a whole number of bytes',
  ]);
});

test('a SKILL.md without a size is read all the same, so its frontmatter is compared', async () => {
  const entries: Wrong['entries'] = ([first, ...others]) => [
    {
      ...first,
      frontmatter: { ...first.frontmatter, description: 'Another.' },
      resources: first.resources.map(({ size, ...file }: { size: number }) => file),
    },
    ...others,
  ];
  const { problems } = await verify({ entries });
  expect([...new Set(problems.map(({ code }) => code))]).toEqual(['size-form', 'frontmatter-differs']);
});
