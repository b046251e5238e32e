import { describe, expect, test } from 'vitest';
import { run } from '../command.ts';

describe('what stands behind "--" of config', () => {
  test.each([
    ['--toolz always', "error: unknown option '--toolz'\n(Did you mean --tools?)\n(--help shows what there is)\n"],
    [
      '--tools sometimes',
      "error: option '--tools <when>' argument 'sometimes' is invalid. Allowed choices are auto, always, never.\n(--help shows what there is)\n",
    ],
    ['--http 3000', 'mcp-server-skills: --http is for HTTP, and a host starts this on stdio: leave it out\n'],
    ['--metrics', 'mcp-server-skills: --metrics is for HTTP, and a host starts this on stdio: leave it out\n'],
    ['--strict ./more', 'mcp-server-skills: "./more" is no option: roots stand before "--"\n'],
  ])('is refused where serve would not start with it: %s', async (extra, stderr) => {
    expect(await run(['config', 'zed', '.', '--', ...extra.split(' ')])).toEqual({ status: 2, stdout: '', stderr });
  });

  test('is written as it is where serve would', async () => {
    const { status, stdout } = await run(['config', 'zed', '/', '--', '--tools', 'always', '--exclude=*.tmp']);
    expect([status, JSON.parse(stdout).context_servers.skills.args]).toEqual([
      0,
      ['-y', 'mcp-server-skills', '/', '--tools', 'always', '--exclude=*.tmp'],
    ]);
  });
});

test('the help shows how --fix takes its sides, and no list that is empty', async () => {
  const texts = await Promise.all(['serve', 'check', 'list'].map((command) => run([command, '--help'])));
  const help = texts.map(({ stdout }) => stdout).join('');
  expect(help.match(/^ +--fix\S+/m)?.[0]).toBe('  --fix[=sides]');
  expect(help).not.toMatch(/default: (?:\[\]|none)/);
});
