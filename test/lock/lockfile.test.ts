import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadSkills } from '../../src/index.ts';
import { formatLock, LockError, readLock, toLock } from '../../src/lock/lockfile.ts';
import { makeTree, skillMd } from '../tree.ts';

const ROOT = makeTree({
  'skills/billing/refunds/SKILL.md': skillMd('refunds'),
  'skills/billing/refunds/scripts/refund.py': 'print("refund")\n',
  'skills/a/SKILL.md': skillMd('a'),
  // sorted by code units this is before "a", and in most locales after it
  'skills/a/Z.txt': 'Z',
  'skills/a/_under.txt': '_',
  'skills/a/.hidden': 'not served',
});

describe('a lock', () => {
  test('is these bytes on every system', async () => {
    const catalog = await loadSkills(join(ROOT, 'skills'));
    const text = formatLock(toLock(catalog));
    expect(createHash('sha256').update(text).digest('hex')).toBe(
      '044b2159eb8213ebb26d6b7297f8b3e10a2cf2a41442dafb898089d84e1e2f54',
    );
    expect(text.split('\n').slice(0, 18).join('\n')).toBe(`{
  "lockfileVersion": 1,
  "digest": "sha256:8a6cd5ba216021b84f71b20e8b44585e8b48167c6bd94d031f41a5d4339084e9",
  "skills": [
    {
      "uri": "skill://a/SKILL.md",
      "fingerprint": "sha256:93801b24814c124286ea1ddc4587bc5325d551400ba6662cf3dabcb7a6a96ecb",
      "resources": [
        {
          "uri": "skill://a/SKILL.md",
          "digest": "sha256:2c46b3cd6ae08b00b72f9a8b11fb33784677eb4311b5045302c7c0656cbcc484",
          "size": 67
        },
        {
          "uri": "skill://a/Z.txt",
          "digest": "sha256:bbeebd879e1dff6918546dc0c179fdde505f2a21591c9a9c96e36b054ec5af83",
          "size": 1
        },`);
  });

  test('is read as it was written, whatever the order of what is in it', async () => {
    const lock = toLock(await loadSkills(join(ROOT, 'skills')));
    expect(readLock(formatLock(lock))).toEqual(lock);
    const shuffled = {
      ...lock,
      skills: lock.skills.map((skill) => ({ ...skill, resources: [...skill.resources].reverse() })).reverse(),
    };
    expect(readLock(JSON.stringify(shuffled))).toEqual(lock);
    expect(readLock(`\ufeff${formatLock(lock).replaceAll('\n', '\r\n')}`)).toEqual(lock);
  });

  test('has the digest of the catalog', async () => {
    const catalog = await loadSkills({ path: join(ROOT, 'skills'), prefix: 'acme/tools' });
    expect(toLock(catalog).digest).toBe(catalog.digest);
    expect(toLock(catalog).skills.map(({ uri }) => uri)).toEqual([
      'skill://acme/tools/a/SKILL.md',
      'skill://acme/tools/billing/refunds/SKILL.md',
    ]);
  });
});

// Windows has neither program
describe.skipIf(process.platform === 'win32')('anybody can compute a fingerprint', () => {
  const SUM = 'sum() { { sha256sum 2>/dev/null || shasum -a 256; } | cut -c1-64; }';
  const sh = (script: string, cwd: string) =>
    execFileSync('sh', ['-c', `${SUM}\n${script}`], { cwd, encoding: 'utf8' }).trim();

  test('from a folder, with sort and sha256sum', async () => {
    const script = `find billing/refunds -type f ! -name '.*' | while read -r file; do
        printf 'skill://%s sha256:%s\\n' "$file" "$(sum < "$file")"
      done | LC_ALL=C sort | sum`;
    const lock = toLock(await loadSkills(join(ROOT, 'skills')));
    expect(`sha256:${sh(script, join(ROOT, 'skills'))}`).toBe(lock.skills[1]?.fingerprint);
  });

  test('from a lock, with sort and sha256sum: that of all', async () => {
    const lock = toLock(await loadSkills(join(ROOT, 'skills')));
    writeFileSync(join(ROOT, 'some.lock.json'), formatLock(lock));
    const script = `sed -n 's/^          "uri": "\\(.*\\)",$/\\1/p; s/^          "digest": "\\(.*\\)",$/\\1/p' some.lock.json |
      paste -d ' ' - - | LC_ALL=C sort | sum`;
    expect(`sha256:${sh(script, ROOT)}`).toBe(lock.digest);
  });
});

describe('what is no lock', () => {
  const digest = (digit: string) => `sha256:${digit.repeat(64)}`;
  const file = { uri: 'skill://a/SKILL.md', digest: digest('0'), size: 1 };
  const good = toLock({ skills: [{ uri: file.uri, resources: [file] }] });
  const [skill] = good.skills;
  const withSkill = (change: object) => JSON.stringify({ ...good, skills: [{ ...skill, ...change }] });
  const withFile = (change: object) => withSkill({ resources: [file, { ...file, ...change }] });
  const form = '"sha256:" and 64 lowercase hex digits, but';
  const cases: [text: string, why: string][] = [
    ['', 'it is not JSON: Unexpected end of JSON input'],
    ['[]', 'it is not an object with "lockfileVersion", but a list'],
    ['{}', 'its "lockfileVersion" is undefined, and this version knows 1 alone'],
    [JSON.stringify({ ...good, lockfileVersion: 2 }), 'its "lockfileVersion" is 2, and this version knows 1 alone'],
    [
      `<<<<<<< HEAD\n${formatLock(good)}=======\n`,
      'it is not JSON: it has the marks of a merge conflict: write it again',
    ],
    [JSON.stringify({ ...good, digest: 'sha256:AB' }), `its "digest" is not ${form} "sha256:AB"`],
    [
      JSON.stringify({ ...good, digest: digest('1') }),
      `its "digest" is not that of its skills, which is ${good.digest}`,
    ],
    [JSON.stringify({ ...good, skills: {} }), 'its "skills" are not a list'],
    [
      JSON.stringify({ ...good, skills: [null] }),
      'a skill of the catalog has no uri of the form skill://<path>/SKILL.md, but undefined',
    ],
    [JSON.stringify({ ...good, skills: [skill, skill] }), 'skill://a/SKILL.md: the catalog lists this file twice'],
    [withFile({}), 'skill://a/SKILL.md: the catalog lists this file twice'],
    [
      withFile({ uri: 'skill://a/../b' }),
      'skill://a/SKILL.md: a file of the skill has no uri below skill://a/, but "skill://a/../b"',
    ],
    [
      withFile({ uri: 'skill://a/%2e%2e/b' }),
      'skill://a/SKILL.md: a file of the skill has no uri below skill://a/, but "skill://a/%2e%2e/b"',
    ],
    [
      withFile({ uri: 'skill://a/x\u001b[31m' }),
      'skill://a/SKILL.md: a file of the skill has no uri below skill://a/, but "skill://a/x\u001b[31m"',
    ],
    [withFile({ uri: 'skill://a/b', digest: 'md5:0' }), `skill://a/b: the "digest" is not ${form} "md5:0"`],
    [withFile({ uri: 'skill://a/b', size: -1 }), 'skill://a/b: the "size" is not a number of bytes, but -1'],
    [withFile({ uri: 'skill://a/b', size: 2 ** 25 }), 'skill://a/SKILL.md: the skill has more than 16777216 bytes'],
    [
      withSkill({ resources: [{ ...file, uri: 'skill://a/b' }] }),
      'skill://a/SKILL.md: the "resources" of the skill do not list it',
    ],
    [withSkill({ fingerprint: undefined }), `the "fingerprint" of skill://a/SKILL.md is not ${form} undefined`],
    [
      withSkill({ fingerprint: digest('1') }),
      `the "fingerprint" of skill://a/SKILL.md is not that of its files, which is ${skill?.fingerprint}`,
    ],
    [
      withSkill({ uri: 'skill://__proto__/SKILL.md' }),
      'a skill of the catalog has no uri of the form skill://<path>/SKILL.md, but "skill://__proto__/SKILL.md"',
    ],
  ];

  test.each(cases)('%#: %s', (text, why) => {
    expect(() => readLock(text)).toThrow(new LockError(why));
  });

  test('is refused without a crash, however deep it is', () => {
    expect(() => readLock('['.repeat(1_000_000))).toThrow(LockError);
    expect(() => readLock('{"a":'.repeat(1_000_000))).toThrow(LockError);
  });
});
