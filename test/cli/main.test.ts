import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EXAMPLE, run } from '../command.ts';

describe('what follows "--" of config', () => {
  test.each([
    [
      '--toolz always',
      "error: unknown option '--toolz'\n(Did you mean --tools?)\n(--help shows commands and options)\n",
    ],
    [
      '--tools sometimes',
      "error: option '--tools <when>' argument 'sometimes' is invalid. Allowed choices are auto, always, never.\n(--help shows commands and options)\n",
    ],
    ['--http 3000', 'mcp-server-skills: --http is for HTTP, and a host starts this on stdio: leave it out\n'],
    ['--metrics', 'mcp-server-skills: --metrics is for HTTP, and a host starts this on stdio: leave it out\n'],
    ['--strict ./more', 'mcp-server-skills: "./more" is not an option: write roots before "--"\n'],
  ])('is refused where serve would not start with it: %s', async (extra, stderr) => {
    expect(await run(['config', 'zed', EXAMPLE, '--', ...extra.split(' ')])).toEqual({ status: 2, stdout: '', stderr });
  });

  test('is written as it is where serve would', async () => {
    const { status, stdout } = await run(['config', 'zed', EXAMPLE, '--', '--tools', 'always', '--exclude=*.tmp']);
    expect([status, JSON.parse(stdout).context_servers.skills.args]).toEqual([
      0,
      ['-y', 'mcp-server-skills', EXAMPLE, '--tools', 'always', '--exclude=*.tmp'],
    ]);
  });
});

describe('config', () => {
  const argsOf = async (...args: string[]) => {
    const { status, stdout, stderr } = await run(['config', 'zed', ...args]);
    return status === 0 ? JSON.parse(stdout).context_servers.skills.args.slice(1, -1) : stderr;
  };
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'));

  test('--pin takes a version where one follows, and is this one otherwise', async () => {
    const own = [`mcp-server-skills@${version}`];
    expect(await argsOf('--pin', EXAMPLE)).toEqual(own);
    expect(await argsOf(EXAMPLE, '--pin')).toEqual(own);
    expect(await argsOf('--pin', '--name', 'skills', EXAMPLE)).toEqual(own);
    expect(await argsOf('--pin', '1.2.3', EXAMPLE)).toEqual(['mcp-server-skills@1.2.3']);
    expect(await argsOf(EXAMPLE, '--pin', 'latest')).toEqual(['mcp-server-skills@latest']);
    expect(await argsOf('--pin=canary', EXAMPLE)).toEqual(['mcp-server-skills@canary']);
    expect(await argsOf('--pin=1 || 2', EXAMPLE)).toBe('config: "1 || 2" is not a version: write one like 1.2.3\n');
  });

  test('--url and --header reach a server over HTTP', async () => {
    const { status, stdout, stderr } = await run([
      ...['config', 'zed', '--url', 'https://example.com/mcp'],
      ...['--header', 'A: b', '--header', 'C: d'],
    ]);
    expect([status, JSON.parse(stdout), stderr.split('\n').length]).toEqual([
      0,
      { context_servers: { skills: { url: 'https://example.com/mcp', headers: { A: 'b', C: 'd' } } } },
      2,
    ]);
  });
});

test('the help shows how --fix takes its sides, and no list that is empty', async () => {
  const texts = await Promise.all(['serve', 'check', 'list'].map((command) => run([command, '--help'])));
  const help = texts.map(({ stdout }) => stdout).join('');
  expect(help.match(/^ +--fix\S+/m)?.[0]).toBe('  --fix[=sides]');
  expect(help).not.toMatch(/default: (?:\[\]|none)/);
});
