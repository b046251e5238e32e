import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { BIN, collect, run, start } from '../command.ts';
import { runIn } from '../fixtures.ts';
import { makeTree, skillMd } from '../tree.ts';

const LOCK = 'mcp-skills.lock.json';
const TWO = { 'skills/a/SKILL.md': skillMd('a'), 'skills/b/SKILL.md': skillMd('b'), 'skills/b/x.txt': 'x\n' };

/** A project with a lock. */
async function makeLocked(): Promise<string> {
  const cwd = makeTree(TWO);
  expect((await runIn(cwd, ['lock', 'skills'])).status).toBe(0);
  return cwd;
}

describe('lock', () => {
  test('writes a file once, and says what it is of', async () => {
    const cwd = makeTree(TWO);
    const { stdout, ...first } = await runIn(cwd, ['lock']);
    const text = readFileSync(join(cwd, LOCK), 'utf8');
    const { digest } = JSON.parse((await runIn(cwd, ['list', '--json', 'skills'])).stdout);
    expect([stdout, first]).toEqual([
      '',
      {
        status: 0,
        stderr: `mcp-server-skills: no root is given: this takes "skills"\nmcp-server-skills: wrote "${LOCK}": 2 skills, ${digest}\n`,
      },
    ]);
    const { mtimeNs } = statSync(join(cwd, LOCK), { bigint: true });
    expect((await runIn(cwd, ['lock', 'skills'])).stderr).toBe(
      `mcp-server-skills: nothing to change in "${LOCK}": 2 skills, ${digest}\n`,
    );
    expect(statSync(join(cwd, LOCK), { bigint: true }).mtimeNs).toBe(mtimeNs);
    // the same bytes from another place, by another way
    expect((await runIn(join(cwd, 'skills'), ['lock', '.', '--out', '-'])).stdout).toBe(text);
    expect((await run(['lock', 'skills', '--out', '-'], { cwd })).stdout).toBe(text);
    expect(readdirSync(cwd).sort()).toEqual([LOCK, 'skills']);
  });

  test('locks the URIs that are served: with the prefix, without what is excluded', async () => {
    const cwd = makeTree(TWO);
    const { stdout } = await runIn(cwd, ['lock', 'acme=skills', '--exclude', '*.txt', '--out', '-']);
    const uris = JSON.parse(stdout).skills.map(({ resources }: { resources: { uri: string }[] }) =>
      resources.map(({ uri }) => uri),
    );
    expect(uris).toEqual([['skill://acme/a/SKILL.md'], ['skill://acme/b/SKILL.md']]);
  });

  test('that is missing is written by the command that is shown, with the options that decide what is in it', async () => {
    const cwd = makeTree({ ...TWO, 'skills/b/c/SKILL.md': skillMd('c') });
    const options = ['--nested', 'files', '--exclude', '*.txt'];
    const write = /write it with mcp-server-skills (.*)\n/;
    const { stderr } = await runIn(cwd, ['lock', 'skills', '--check', ...options]);
    const shown = write.exec(stderr)?.[1];
    expect(shown).toBe("lock skills --nested files --exclude '*.txt'");
    const served = await runIn(cwd, ['serve', 'skills', '--locked', ...options]);
    expect(write.exec(served.stderr)?.[1]).toBe(shown);
    expect((await runIn(cwd, (shown ?? '').replaceAll("'", '').split(' '))).status).toBe(0);
    expect((await runIn(cwd, ['lock', 'skills', '--check', ...options])).status).toBe(0);
  });

  test('locks nothing where a skill has an error', async () => {
    const cwd = makeTree({ ...TWO, 'skills/c/SKILL.md': skillMd('other') });
    const { status, stderr } = await runIn(cwd, ['lock', 'skills']);
    expect([status, stderr.includes('[name-mismatch]'), readdirSync(cwd)]).toEqual([1, true, ['skills']]);
    // lock has no --invalid
    expect(stderr).toMatch(/nothing is published, because of 1 error\n$/);
    expect((await runIn(cwd, ['lock', 'none'])).status).toBe(3);
  });

  test('writes over a lock, whatever became of it, and over nothing else', async () => {
    const cwd = await makeLocked();
    const good = readFileSync(join(cwd, LOCK), 'utf8');
    for (const text of [
      `<<<<<<< HEAD\n${good}=======\n${good}>>>>>>> other\n`,
      good.replace(': 1', ': 99'),
      '',
      good.slice(0, 400),
    ]) {
      writeFileSync(join(cwd, LOCK), text);
      expect([(await runIn(cwd, ['lock', 'skills'])).status, readFileSync(join(cwd, LOCK), 'utf8')]).toEqual([0, good]);
    }
    for (const text of ['{"name":"app"}\n', '{"lockfileVersion":3,"packages":{}}']) {
      writeFileSync(join(cwd, 'package.json'), text);
      expect(await runIn(cwd, ['lock', 'skills', '--out', 'package.json'])).toEqual({
        status: 2,
        stdout: '',
        stderr: 'mcp-server-skills: "package.json" is there and is not a lock: remove it, or choose another --out\n',
      });
      expect(readFileSync(join(cwd, 'package.json'), 'utf8')).toBe(text);
    }
    expect((await runIn(cwd, ['lock', 'skills', '--out', 'skills'])).status).toBe(3);
  });

  test.skipIf(process.platform === 'win32')('writes through a link', async () => {
    const cwd = makeTree({ ...TWO, 'locks/real.json': '' });
    symlinkSync('locks/real.json', join(cwd, LOCK));
    expect((await runIn(cwd, ['lock', 'skills'])).status).toBe(0);
    expect(JSON.parse(readFileSync(join(cwd, 'locks/real.json'), 'utf8')).skills).toHaveLength(2);
  });
});

describe('lock --check', () => {
  const check = (cwd: string, ...more: string[]) => runIn(cwd, ['lock', 'skills', '--check', ...more]);
  const write = `write it with mcp-server-skills lock skills`;

  test('is well where the lock is what would be written, also after a checkout with CRLF', async () => {
    const cwd = await makeLocked();
    const { digest } = JSON.parse(readFileSync(join(cwd, LOCK), 'utf8'));
    const good = { status: 0, stdout: '', stderr: `mcp-server-skills: "${LOCK}" is the lock of 2 skills, ${digest}\n` };
    expect(await check(cwd)).toEqual(good);
    writeFileSync(join(cwd, LOCK), readFileSync(join(cwd, LOCK), 'utf8').replaceAll('\n', '\r\n'));
    expect(await check(cwd)).toEqual(good);
  });

  test('shows what differs, and writes nothing', async () => {
    const cwd = await makeLocked();
    const before = readFileSync(join(cwd, LOCK), 'utf8');
    const [, { fingerprint }] = JSON.parse(before).skills;
    writeFileSync(join(cwd, 'skills/b/x.txt'), 'xyz\n');
    expect(await check(cwd)).toEqual({
      status: 1,
      stdout: `changed skill://b/SKILL.md\n  ~ x.txt (2 -> 4 bytes, +2)\n    revokes approvals given to ${fingerprint}\n\nskills: 1 changed, 1 unchanged\n`,
      stderr: `mcp-server-skills: "${LOCK}" is not the lock of these skills: ${write}\n`,
    });
    expect(readFileSync(join(cwd, LOCK), 'utf8')).toBe(before);
  });

  test('says what to do where there is none, or another one', async () => {
    const cwd = await makeLocked();
    expect(await check(cwd, '--out', 'it s.json')).toEqual({
      status: 1,
      stdout: '',
      stderr: `mcp-server-skills: there is no lock "it s.json": ${write} --out 'it s.json'\n`,
    });
    const text = readFileSync(join(cwd, LOCK), 'utf8');
    writeFileSync(join(cwd, LOCK), JSON.stringify(JSON.parse(text)));
    expect(await check(cwd)).toEqual({
      status: 1,
      stdout: '',
      stderr: `mcp-server-skills: "${LOCK}" was edited: ${write}\n`,
    });
    writeFileSync(join(cwd, LOCK), text.replace('"lockfileVersion": 1', '"lockfileVersion": 2'));
    expect(await check(cwd)).toEqual({
      status: 2,
      stdout: '',
      stderr: `mcp-server-skills: "${LOCK}" is not a lock: its "lockfileVersion" is 2, and this version knows 1 alone\n`,
    });
    expect((await check(cwd, '--out', '-')).status).toBe(2);
    expect((await check(cwd, '--out', '')).status).toBe(2);
    expect((await check(cwd, '--out', 'skills')).status).toBe(3);
  });

  test('tells where git changed line ends', async () => {
    const cwd = await makeLocked();
    writeFileSync(join(cwd, 'skills/b/x.txt'), 'x\r\n');
    expect((await check(cwd)).stdout).toContain('  ~ x.txt (2 -> 3 bytes, +1, only line ends differ)\n');
    const { stderr } = await runIn(cwd, ['serve', 'skills', '--locked'], {}, '');
    expect(stderr).toContain('git changed line ends: put "* -text" for these files into .gitattributes\n');
  });
});

describe('diff', () => {
  const makeSides = async () => {
    const cwd = await makeLocked();
    cpSync(join(cwd, 'skills'), join(cwd, 'now'), { recursive: true });
    writeFileSync(join(cwd, 'now/b/x.txt'), 'y\n');
    rmSync(join(cwd, 'now/a'), { recursive: true });
    for (const [name, options] of Object.entries({ 'listed.json': ['--json'], 'bytes.json': ['--bytes'] })) {
      writeFileSync(join(cwd, name), (await runIn(cwd, ['list', 'skills', ...options])).stdout);
    }
    return cwd;
  };

  test('takes folders, locks, and what list printed, alike', async () => {
    const cwd = await makeSides();
    const outputs = new Set<string>();
    for (const old of ['skills', LOCK, 'listed.json', 'bytes.json']) {
      const { status, stdout, stderr } = await runIn(cwd, ['diff', old, 'now']);
      expect([status, stderr]).toEqual([0, '']);
      outputs.add(stdout);
    }
    expect([...outputs]).toEqual([expect.stringMatching(/^removed skill:\/\/a\/SKILL\.md\n {2}- SKILL\.md/)]);
    expect((await runIn(cwd, ['diff', 'skills', LOCK, '--exit-code'])).status).toBe(0);
    expect((await runIn(cwd, ['diff', 'skills', 'now', '--exit-code'])).status).toBe(1);
    expect((await runIn(cwd, ['diff', 'acme=skills', 'acme=now'])).stdout).toContain(
      'removed skill://acme/a/SKILL.md\n',
    );
  });

  test.skipIf(process.platform === 'win32')('takes a pipe of the shell', async () => {
    const cwd = await makeSides();
    const command = `"${process.execPath}" "${BIN}"`;
    const script = `${command} diff <(${command} list --json skills) now`;
    const output = execFileSync('bash', ['-c', script], { cwd, encoding: 'utf8' });
    expect(output).toBe((await runIn(cwd, ['diff', 'skills', 'now'])).stdout);
  });

  test('prints JSON with all that is known', async () => {
    const cwd = await makeSides();
    const { stdout } = await runIn(cwd, ['diff', 'skills', 'now', '--format', 'json', '--patch']);
    const { skills, ...rest } = JSON.parse(stdout);
    const digest = expect.stringMatching(/^sha256:[0-9a-f]{64}$/);
    expect(rest).toEqual({
      version: 1,
      equal: false,
      old: { path: 'skills', digest },
      new: { path: 'now', digest },
      refused: [],
      summary: { added: 0, removed: 1, renamed: 0, changed: 1, unchanged: 0 },
    });
    expect(skills).toEqual([
      {
        kind: 'removed',
        uri: 'skill://a/SKILL.md',
        revokes: digest,
        files: [{ kind: 'removed', path: 'SKILL.md', before: { digest, size: 67 }, isScript: false }],
        patch: expect.stringMatching(/^diff --git a\/a\/SKILL\.md b\/a\/SKILL\.md\ndeleted file mode 100644\n/),
      },
      {
        kind: 'changed',
        uri: 'skill://b/SKILL.md',
        revokes: digest,
        fingerprint: digest,
        files: [
          { kind: 'changed', path: 'x.txt', before: { digest, size: 2 }, after: { digest, size: 2 }, isScript: false },
        ],
        fields: [],
        links: [],
        patch: 'diff --git a/b/x.txt b/b/x.txt\n--- a/b/x.txt\n+++ b/b/x.txt\n@@ -1,1 +1,1 @@\n-x\n+y\n',
      },
    ]);
  });

  test('prints a patch that git applies', async () => {
    const cwd = await makeSides();
    writeFileSync(join(cwd, 'now/b/new file.txt'.replace(' ', '-')), 'without a line end');
    const { stdout } = await runIn(cwd, ['diff', 'skills', 'now', '--patch']);
    writeFileSync(join(cwd, 'all.patch'), stdout.slice(stdout.indexOf('diff --git')));
    execFileSync('git', ['apply', '--directory=skills', 'all.patch'], { cwd });
    expect((await runIn(cwd, ['diff', 'skills', 'now', '--exit-code'])).status).toBe(0);
  });

  test('annotates the files of the repository', async () => {
    const cwd = await makeSides();
    const env = { GITHUB_WORKSPACE: cwd, GITHUB_ACTIONS: 'true' };
    const { stdout } = await runIn(cwd, ['diff', 'skills', 'now', '--format', 'github'], env);
    expect(stdout.replaceAll(/[0-9a-f]{64}/g, 'HEX')).toBe(
      [
        '::notice title=skill removed::a%0Afiles: removed SKILL.md%0Arevokes approvals given to sha256:HEX',
        '::notice file=now/b/SKILL.md,title=skill changed::b%0Afiles: changed x.txt%0Arevokes approvals given to sha256:HEX',
        'skills: 1 removed, 1 changed, 0 unchanged',
        '',
      ].join('\n'),
    );
  });

  test('leaves out skills with errors, and does not call them removed', async () => {
    const cwd = await makeSides();
    writeFileSync(join(cwd, 'now/b/SKILL.md'), skillMd('other'));
    const { status, stdout, stderr } = await runIn(cwd, ['diff', 'skills', 'now']);
    expect([status, stderr]).toEqual([
      0,
      'mcp-server-skills: now: left out 1 skill with errors: see mcp-server-skills check now\n',
    ]);
    expect(stdout).toContain('removed skill://b/SKILL.md, because it has errors now\n');
    expect(stdout).toContain('not compared, because it has errors: skill://b/SKILL.md\n');
  });

  test('compares with a folder that has no skills yet', async () => {
    const cwd = makeTree({ ...TWO, 'none/x': '' });
    const { status, stdout } = await runIn(cwd, ['diff', 'none', 'skills']);
    expect([status, stdout.endsWith('skills: 2 added, 0 unchanged\n')]).toEqual([0, true]);
  });

  test.each([
    [['none', 'skills'], 3, 'there is no folder "none"'],
    [
      ['skills', 'package.json'],
      2,
      '"package.json" cannot be compared: it is neither a lock nor the output of list --json',
    ],
    [['skills', 'a.txt'], 2, '"a.txt" cannot be compared: it is not JSON: '],
    [
      ['skills', LOCK, '--patch'],
      2,
      `--patch needs contents, and "${LOCK}" has digests only: pass a folder, or the output of list --bytes`,
    ],
    [
      ['skills', 'skills', '--patch', '--format', 'github'],
      2,
      '--patch belongs to pretty, json and markdown: annotations show no files',
    ],
    [
      ['skills', 'edited.json'],
      2,
      '"edited.json" cannot be compared: its "digest" is not that of its skills, which is sha256:',
    ],
    [
      ['skills', 'deep.json'],
      2,
      '"deep.json" cannot be compared: skill://a/SKILL.md: the frontmatter is nested deeper than 32 levels',
    ],
    [['skills'], 2, "error: missing required argument 'new'"],
  ])('%j fails with %i: %s', async (args, status, why) => {
    const cwd = await makeLocked();
    const listed = (await runIn(cwd, ['list', 'skills', '--json'])).stdout;
    writeFileSync(join(cwd, 'package.json'), '{"name":"x"}');
    writeFileSync(join(cwd, 'a.txt'), 'hello');
    writeFileSync(
      join(cwd, 'edited.json'),
      listed
        .replace(/"digest": "sha256:./, '"digest": "sha256:0')
        .replace(/"size": \d+/, '"size": 5')
        .replace(/(resources.*?"digest": "sha256:)../s, '$100'),
    );
    const deep = `${'['.repeat(5000)}${']'.repeat(5000)}`;
    writeFileSync(join(cwd, 'deep.json'), listed.replace('"name": "a"', `"deep": ${deep}, "name": "a"`));
    const outcome = await runIn(cwd, ['diff', ...args]);
    expect([outcome.status, outcome.stdout]).toEqual([status, '']);
    expect(outcome.stderr.split('\n').slice(0, -1)[0]?.replace('mcp-server-skills: ', '')).toContain(why);
  });
});

describe('a server', () => {
  test('is locked, and compared with what it may serve, with contents', async () => {
    const cwd = await makeLocked();
    const token = '0123456789abcdef0123456789abcdef';
    writeFileSync(join(cwd, 'tokens'), `alice:${token}\n`, { mode: 0o600 });
    const child = start(['skills', '--http', '0', '--token-file', 'tokens'], { cwd });
    const output = collect(child);
    await expect.poll(() => output.stderr).toMatch(/Serving 2 skills at \S+/);
    const [, url = ''] = /at (\S+)/.exec(output.stderr) ?? [];
    const env = { TOKEN: token };
    const ask = (...args: string[]) => runIn(cwd, [...args, '--token-env', 'TOKEN'], env);
    expect((await ask('lock', url, '--out', '-')).stdout).toBe(readFileSync(join(cwd, LOCK), 'utf8'));
    expect((await ask('lock', url, '--check')).status).toBe(0);
    expect((await ask('diff', LOCK, url, '--exit-code')).status).toBe(0);
    writeFileSync(join(cwd, 'skills/b/x.txt'), 'y\n');
    const { stdout } = await ask('diff', url, 'skills', '--patch');
    expect(stdout).toContain('changed skill://b/SKILL.md\n');
    expect(stdout).toContain('\n-x\n+y\n');
    const closed = await runIn(cwd, ['diff', url, 'skills']);
    expect([closed.status, closed.stdout]).toEqual([3, '']);
    child.kill();
    await new Promise((resolve) => child.once('close', resolve));
    expect((await ask('diff', url, 'skills')).status).toBe(3);
    expect((await ask('lock', url, '--out', '-')).stdout).toBe('');
  });
});

describe('serve --locked', () => {
  const ask =
    '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}\n';

  test('serves what is locked, and answers a client with the reason where it is not', async () => {
    const cwd = await makeLocked();
    const good = await runIn(cwd, ['skills', '--locked'], {}, ask);
    expect([good.status, JSON.parse(good.stdout).result.serverInfo.name]).toEqual([0, 'mcp-server-skills']);
    writeFileSync(join(cwd, 'skills/c.txt'), 'beside skills');
    expect((await runIn(cwd, ['--locked', 'skills'], {}, ask)).status).toBe(0);
    writeFileSync(join(cwd, 'skills/b/x.txt'), 'y');
    const bad = await runIn(cwd, ['skills', '--locked'], {}, ask);
    const message = `the skills are not those of ${LOCK}: b is not the locked one`;
    expect([bad.status, JSON.parse(bad.stdout).error.message]).toEqual([1, `no skills are served: ${message}`]);
    expect(bad.stderr).toMatch(/^changed skill:\/\/b\/SKILL\.md\n {2}~ x\.txt/);
    expect(bad.stderr.endsWith(`mcp-server-skills: nothing is published: ${message}\n`)).toBe(true);
  });

  test.each([
    ['a skill is missing', (cwd: string) => rmSync(join(cwd, 'skills/a'), { recursive: true }), 'a is missing'],
    [
      'a skill has an error, which --invalid skip leaves out',
      (cwd: string) => writeFileSync(join(cwd, 'skills/a/SKILL.md'), 'x'),
      'a is missing',
    ],
    [
      'there is one more',
      (cwd: string) => cpSync(join(cwd, 'skills/a'), join(cwd, 'skills/g/a'), { recursive: true }),
      'g/a is not in it',
    ],
    ['one has moved', (cwd: string) => renameSync(join(cwd, 'skills/a'), join(cwd, 'skills/a2')), 'a is missing'],
  ])('serves nothing where %s', async (_, change, why) => {
    const cwd = await makeLocked();
    change(cwd);
    for (const invalid of ['skip', 'fail']) {
      const { status, stderr } = await runIn(cwd, ['skills', '--locked', '--invalid', invalid], {}, '');
      expect(status).toBe(1);
      if (invalid === 'skip')
        expect(stderr).toContain(`nothing is published: the skills are not those of ${LOCK}: ${why}`);
    }
  });

  test.each([
    [
      '--locked=none.json',
      'there is no lock /home/me/none.json: write it with mcp-server-skills lock skills --out none.json',
    ],
    ['--locked=skills/a/SKILL.md', '"skills/a/SKILL.md" is not a lock: it is not JSON: '],
  ])('is a wrong use with %s', async (flag, why) => {
    const { status, stdout, stderr } = await runIn(await makeLocked(), ['skills', flag], {}, ask);
    expect([status, JSON.parse(stdout).error.message]).toEqual([2, expect.stringContaining(why)]);
    expect(stderr).toContain(`mcp-server-skills: nothing is published: ${why}`);
  });

  test('is shown by /healthz, and keeps a roll-out from starting', async () => {
    const cwd = await makeLocked();
    const child = start(['skills', '--http', '0', '--locked'], { cwd });
    const output = collect(child);
    await expect.poll(() => output.stderr).toMatch(/Serving 2 skills at \S+/);
    const [, url = ''] = /at (\S+)/.exec(output.stderr) ?? [];
    const { locked, skills } = (await (await fetch(new URL('/healthz', url))).json()) as Record<string, unknown>;
    child.kill();
    expect([locked, skills]).toEqual([true, 2]);
    writeFileSync(join(cwd, 'skills/b/x.txt'), 'y');
    const { status, stderr } = await run(['skills', '--http', '0', '--locked'], { cwd });
    expect([status, stderr.includes('Serving')]).toEqual([1, false]);
  });

  test('is placed where a host starts the server in another folder', async () => {
    const cwd = await makeLocked();
    const args = async (...flags: string[]) => {
      const { status, stdout } = await runIn(cwd, ['config', 'zed', 'skills', '--', ...flags]);
      return [status, JSON.parse(stdout).context_servers.skills.args.slice(3)];
    };
    expect(await args('--locked', '--tools', 'always')).toEqual([
      0,
      [`--locked=/home/me/${LOCK}`, '--tools', 'always'],
    ]);
    expect(await args('--locked=x/y.json')).toEqual([0, ['--locked=/home/me/x/y.json']]);
  });
});

// the steps are for the shell of a Linux runner
test.skipIf(process.platform === 'win32')('the workflow of the documentation does what it says', async () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/lock.md'), 'utf8');
  const [, text = ''] = /```yaml\n(name: skills\n[\s\S]*?)```/.exec(page) ?? [];
  const { steps } = parse(text).jobs.review as { steps: { name?: string; run?: string }[] };
  const cwd = await makeLocked();
  cpSync(join(cwd, 'skills/b'), join(cwd, 'base/skills/b'), { recursive: true });
  const command = `"${process.execPath}" "${BIN}"`;
  for (const { name, run: script } of steps.filter(({ name, run }) => run !== undefined && name !== 'Comment')) {
    const typed = script?.replaceAll('npx -y mcp-server-skills', command) ?? '';
    const outcome = spawnSync('bash', ['-e', '-c', typed], {
      cwd,
      env: { ...process.env, GITHUB_STEP_SUMMARY: 'summary.md' },
    });
    expect([name, outcome.status, String(outcome.stdout)]).toEqual([name, 0, '']);
  }
  expect(JSON.parse(readFileSync(join(cwd, 'skills.sarif'), 'utf8')).version).toBe('2.1.0');
  const comment = readFileSync(join(cwd, 'comment.md'), 'utf8');
  expect(comment).toMatch(/^### Agent Skills: 1 added, 1 unchanged\n/);
  expect(readFileSync(join(cwd, 'summary.md'), 'utf8')).toBe(comment);
});
