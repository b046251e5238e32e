import { expect, test } from 'vitest';
import { toTypedPath } from '../../src/text/typed.ts';

test.each([
  ['.', 'skills', 'skills'],
  ['./a/', 'skills', './a/skills'],
  ['/', 'skills', '/skills'],
  ['git:.', 'skills', 'git:.:skills'],
  ['git:/srv/repo#v1', 'skills', 'git:/srv/repo#v1:skills'],
  ['git:/srv/repo#v1:plugins', 'a/skills', 'git:/srv/repo#v1:plugins/a/skills'],
  ['git:C:/repo', 'skills', 'git:C:/repo:skills'],
  ['git+https://example.com:8443/team/repo', 'skills', 'git+https://example.com:8443/team/repo:skills'],
  ['git+ssh://git@example.com/repo#main:top', 'skills', 'git+ssh://git@example.com/repo#main:top/skills'],
  ['git:/srv/repo#v1:', 'skills', 'git:/srv/repo#v1:skills'],
  ['git:repo:', 'skills', 'git:repo:skills'],
  ['npm:tools#', 'a', 'npm:tools#a'],
  ['npm:@acme/tools', 'a', 'npm:@acme/tools#skills/a'],
  ['npm:@acme/tools#docs', 'a', 'npm:@acme/tools#docs/a'],
])('below %s, %s is typed as %s', (label, path, typed) => {
  expect(toTypedPath(label, path)).toBe(typed);
});
