import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { skillMd } from '../tree.ts';
import { follow } from './follow.ts';
import { commit, GIT_ENV, git, makeRepository } from './repository.ts';

const start = (cwd: string, ...args: string[]) => follow(cwd, GIT_ENV, ...args);

describe('a branch that is served', () => {
  test('is followed with one reload, also where it was pushed by force', async () => {
    const repo = makeRepository({ 'skills/a/SKILL.md': skillMd('a', 'One.') });
    const bare = join(makeRepository({ x: '' }), 'bare.git');
    git(repo, 'clone', '--quiet', '--bare', repo, bare);
    const { read, log, notified } = await start(repo, `git:${bare}#main`, '--watch', '--watch-interval', '1');
    expect(await read()).toBe(skillMd('a', 'One.'));
    commit(repo, { 'skills/a/SKILL.md': skillMd('a', 'Two.') });
    git(repo, 'push', '--quiet', bare, 'main');
    await expect.poll(read).toBe(skillMd('a', 'Two.'));
    git(repo, 'reset', '--quiet', '--hard', 'HEAD~1');
    commit(repo, { 'skills/a/SKILL.md': skillMd('a', 'Forced.') });
    git(repo, 'push', '--quiet', '--force', bare, 'main');
    await expect.poll(read).toBe(skillMd('a', 'Forced.'));
    await expect.poll(notified).toBe(2);
    expect(log().match(/^mcp-server-skills: reload.*$/gm)).toHaveLength(2);
  });

  test('stays as it was where the new commit has an error, and where the repository is gone', async () => {
    const repo = makeRepository({ 'skills/a/SKILL.md': skillMd('a', 'One.') });
    const { read, log } = await start(repo, 'git:.', '--watch', '--watch-interval', '1', '--invalid', 'fail');
    commit(repo, { 'skills/a/SKILL.md': skillMd('b') });
    await expect.poll(log).toContain('reload refused: 1 error');
    expect(log()).toContain('git:.:skills:a/SKILL.md:2:7: error: ');
    git(repo, 'branch', '--move', 'main', 'other');
    git(repo, 'symbolic-ref', 'HEAD', 'refs/heads/main');
    await expect.poll(() => log().match(/reload refused/g)?.length).toBe(2);
    expect(await read()).toBe(skillMd('a', 'One.'));
    git(repo, 'symbolic-ref', 'HEAD', 'refs/heads/other');
    commit(repo, { 'skills/a/SKILL.md': skillMd('a', 'Good.') });
    await expect.poll(read).toBe(skillMd('a', 'Good.'));
  });

  test('is not a tag or a hash: those never move', async () => {
    const repo = makeRepository({ 'skills/a/SKILL.md': skillMd('a', 'One.'), 'more/b/SKILL.md': skillMd('b', 'One.') });
    const hash = git(repo, 'rev-parse', 'HEAD');
    git(repo, 'tag', 'v1');
    const { read } = await start(
      repo,
      'git:.#v1:skills',
      `git:.#${hash}:more`,
      'x=git:.:skills',
      '--watch',
      '--watch-interval',
      '1',
    );
    commit(repo, { 'skills/a/SKILL.md': skillMd('a', 'Two.'), 'more/b/SKILL.md': skillMd('b', 'Two.') });
    git(repo, 'tag', '--force', 'v1');
    await expect.poll(() => read('skill://x/a/SKILL.md')).toBe(skillMd('a', 'Two.'));
    expect([await read(), await read('skill://b/SKILL.md')]).toEqual([skillMd('a', 'One.'), skillMd('b', 'One.')]);
  });
});
