import { describe, expect, test } from 'vitest';
import { parseSource } from '../../src/sources/grammar.ts';
import { SourceError } from '../../src/sources/trouble.ts';

const HEX = 'a'.repeat(64);
const HASH = '1'.repeat(40);

describe('a source', () => {
  const git = (path: string, ref = 'HEAD', sub?: string) => ({ kind: 'git', path, ref, sub });
  const remote = (url: string, ref = 'HEAD', sub?: string) => ({ kind: 'remote', url, ref, sub });

  test.each<[string, object]>([
    ['git:.', git('.')],
    ['git:../repo:skills', git('../repo', 'HEAD', 'skills')],
    ['git:../repo#v1.0:a/b/', git('../repo', 'v1.0', 'a/b')],
    ['git:/r#feature/x:', git('/r', 'feature/x', '')],
    ['git:/r#:skills', git('/r', 'HEAD', 'skills')],
    ['git:/r#HEAD~2', git('/r', 'HEAD~2')],
    ['git:/r#--upload-pack=x', git('/r', '--upload-pack=x')],
    ['git:C:\\repo', git('C:\\repo')],
    ['git:C:/repo#v1:skills', git('C:/repo', 'v1', 'skills')],
    ['git+https://example.com/a/b.git', remote('https://example.com/a/b.git')],
    ['git+https://example.com:8443/a/b#v1:skills', remote('https://example.com:8443/a/b', 'v1', 'skills')],
    ['git+https://example.com:8443/a/b:skills', remote('https://example.com:8443/a/b', 'HEAD', 'skills')],
    [`git+ssh://git@example.com/a/b#${HASH}`, remote('ssh://git@example.com/a/b', HASH)],
    ['git+ssh://git@example.com:22/a:x', remote('ssh://git@example.com:22/a', 'HEAD', 'x')],
    ['npm:pkg', { kind: 'npm', package: 'pkg', sub: 'skills' }],
    ['npm:@scope/pkg.js#docs/skills', { kind: 'npm', package: '@scope/pkg.js', sub: 'docs/skills' }],
    ['npm:*', { kind: 'npm', package: '*', sub: 'skills' }],
    ['a/b.zip', { kind: 'archive', path: 'a/b.zip' }],
    ['my.skill', { kind: 'archive', path: 'my.skill' }],
    ['/x.TAR.GZ', { kind: 'archive', path: '/x.TAR.GZ' }],
    ['x.tgz', { kind: 'archive', path: 'x.tgz' }],
    [
      `https://example.com/x.tgz?download=1#sha256=${HEX.toUpperCase()}`,
      { kind: 'download', url: 'https://example.com/x.tgz?download=1', sha256: HEX },
    ],
  ])('%s', (text, source) => {
    expect(parseSource(text)).toEqual(source);
  });

  test.each([
    'skills',
    './git',
    '/srv/git+x',
    'C:\\skills',
    'C:/skills',
    'a@b',
    'x.zip/skills',
    '~/skills',
    'plugins/*/skills',
  ])('is not the folder %s', (text) => {
    expect(parseSource(text)).toBeUndefined();
  });

  const secret = 'has a secret in it, which would be in process lists and logs';
  test.each([
    ['git:', '"git:" is not a root'],
    ['git:..#main:../x', '"git:..#main:../x" is not a root'],
    ['git+http://example.com/a', '"git+http://example.com/a" is not a root'],
    ['git+file:///a', '"git+file:///a" is not a root'],
    ['git+ext::sh -c x', '"git+ext::sh -c x" is not a root'],
    ['git+https://TOKEN@example.com/a', `"git+https://***@example.com/a" ${secret}`],
    ['git+https://u:TOKEN@example.com/a', `"git+https://***@example.com/a" ${secret}`],
    ['git+ssh://git:TOKEN@example.com/a', `"git+ssh://***@example.com/a" ${secret}`],
    ['git+https://example.com/a?token=TOKEN', '"git+https://example.com/a?***" is not a root'],
    ['https://example.com/x.zip?token=TOKEN', `"https://example.com/x.zip?***" ${secret}`],
    ['git+https://example.com/', '"git+https://example.com/" is not a root'],
    ['git+https://example.com/a#-x', '"git+https://example.com/a#-x" is not a root'],
    ['git+https://example.com/a#--upload-pack=x', '"git+https://example.com/a#--upload-pack=x" is not a root'],
    ['git+https://example.com/a#a..b', 'is not a root'],
    ['git+https://example.com/a#a:b/../..', 'is not a root'],
    ['git+https://example.com/a#main^{}', 'is not a root'],
    ['git+https://example.com/a#1234567', 'is not a root'],
    ['git+ssh://-oProxyCommand=x/a', 'is not a root'],
    ['git@example.com:a/b.git', '"git@example.com:a/b.git" is not a root'],
    ['ssh://example.com/a', 'is not a root'],
    ['npm:', 'is not a root'],
    ['npm:../x', 'is not a root'],
    ['npm:.bin', 'is not a root'],
    ['npm:a/b', 'is not a root'],
    ['npm:a#../x', 'is not a root'],
    ['http://example.com/x.tgz', 'is not a root'],
    ['https://example.com/x.tgz', 'is not a root'],
    [`https://TOKEN@example.com/x.tgz#sha256=${HEX}`, secret],
    [`https://example.com/x.tgz?access_token=TOKEN#sha256=${HEX}`, secret],
    [`https://example.com/x.tgz#sha256=${HEX.slice(1)}`, 'is not a root'],
  ])('is refused as %s', (text, message) => {
    let thrown: unknown;
    try {
      parseSource(text);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(SourceError);
    const { kind, message: shown, hint = '' } = thrown as SourceError;
    expect(kind).toBe('usage');
    expect(shown).toContain(message);
    expect(shown + hint).not.toContain('TOKEN');
  });
});
