import schema from '@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json' with { type: 'json' };
import type { Ajv } from 'ajv';
import Draft04 from 'ajv-draft-04';
import formats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { CODES } from '../../src/problems.ts';
import { findCodes, makeInput, readFixtures, runIn } from '../fixtures.ts';
import { LINEAR, measureGrowth } from '../growth.ts';
import { makeTree, type Node, skillMd } from '../tree.ts';

const MIXED = {
  'skills/a/SKILL.md': skillMd('a'),
  'skills/b/SKILL.md': skillMd('other', undefined, '[x](no.md)\n'),
  'skills/c/SKILL.md': `\ufeff${skillMd('c').replace('---\n\n', 'day: 2026-10-12\n---\n\n')}`,
};

async function check(nodes: Parameters<typeof makeTree>[0], ...args: string[]) {
  return runIn(makeTree(nodes), ['check', ...args]);
}

describe('the summary', () => {
  test('says what would be published, and what can be repaired by which option', async () => {
    const { status, stdout } = await check(MIXED, 'skills');
    expect([status, stdout.split('\n').slice(-4)]).toEqual([
      1,
      [
        '1 skill would be published, 2 not; 3 errors, 1 warning',
        '2 of 4 problems can be repaired: --fix',
        '1 of 4 problems can be repaired if you say what gives way: --fix=name or --fix=folder',
        '',
      ],
    ]);
  });

  test('says how much was looked at where nothing is wrong', async () => {
    const skill = skillMd('a');
    expect(
      await check({ 's/a/SKILL.md': skill, 's/a/x.txt': '12345', 't/b/SKILL.md': skillMd('b') }, 's', 'x=t'),
    ).toEqual({
      status: 0,
      stdout: `2 skills would be published, 0 not; 0 errors, 0 warnings\nno problems in 3 files, ${2 * skill.length + 5} bytes\n`,
      stderr: '',
    });
  });
});

test('where a whole repository was passed, its folder of skills is named', async () => {
  const better = { 'docs/x.md': '', 'skills/a/SKILL.md': skillMd('a'), 'skills/b/SKILL.md': skillMd('b') };
  expect((await check(better, '.')).stdout.split('\n').at(-2)).toBe(
    'all 2 skills are in "skills"; if that is the folder you mean: mcp-server-skills check skills',
  );
  expect((await check(better, 'x=./')).stdout.split('\n').at(-2)).toContain('mcp-server-skills check x=skills');
});

test('--fix needs a root: the skills of the package are not repaired', async () => {
  expect(await check({}, '--fix')).toEqual({
    status: 2,
    stdout: '',
    stderr: 'mcp-server-skills: --fix needs the folder whose skills it is to repair\n',
  });
});

describe('--select and --ignore', () => {
  test('choose what is printed, and what the status is about', async () => {
    const codes = async (...args: string[]) => {
      const { status, stdout } = await check(MIXED, 'skills', ...args);
      return [status, findCodes(stdout)];
    };
    expect(await codes('--select', 'bom', '--select', 'broken-link')).toEqual([1, ['broken-link', 'bom']]);
    expect(await codes('--select', 'broken-link')).toEqual([0, ['broken-link']]);
    expect(await codes('--select', 'broken-link', '--strict')).toEqual([1, ['broken-link']]);
    expect(await codes('--ignore', 'broken-link')).toEqual([1, ['name-mismatch', 'bom', 'yaml-ambiguous']]);
    expect((await check(MIXED, 'skills', '--ignore', 'broken-link')).stdout).toContain(
      '\n1 problem not shown, as --select or --ignore ask\n',
    );
    expect((await check(MIXED, 'skills', '--select', 'broken-link')).stdout).toContain(
      '\n3 problems not shown, as --select or --ignore ask; 3 of them keep skills from being published\n',
    );
  });

  test('cannot ignore what keeps a skill from being published, in any format', async () => {
    const nodes = { 's/a/SKILL.md': skillMd('a', 'x'.repeat(1025)) };
    for (const format of ['pretty', 'json', 'sarif', 'github']) {
      const ignore = ['--ignore', 'description-length', '--ignore', 'bom'];
      const { status, stdout, stderr } = await check(nodes, 's', '--format', format, ...ignore);
      expect([status, stdout.includes('description-length')]).toEqual([1, true]);
      expect(stderr).toBe(
        'mcp-server-skills: --ignore description-length: an error that keeps a skill from being published is not ignored\n',
      );
    }
    // a host that does not import a skill does not keep it from being published
    const large = { 's/a/SKILL.md': skillMd('a'), 's/a/big.bin': Buffer.alloc(1_048_577) };
    const args = ['s', '--host', 'openai', '--ignore', 'host-file-size'];
    expect(await check(large, ...args)).toMatchObject({ status: 0, stderr: '' });
  });

  test('cannot hide that a root is missing', async () => {
    expect((await check({}, 'none', '--ignore', 'root-missing')).status).toBe(3);
    expect((await check({}, 'none', '--select', 'bom')).stdout).toContain('[root-missing]');
  });

  test('know the codes, and the nearest one', async () => {
    const complaint = async (code: string) => {
      const { status, stderr } = await check(MIXED, 'skills', '--select', code);
      return [status, /Did you mean [^?]*\?|There is no such code\./.exec(stderr)?.[0]];
    };
    expect(await complaint('brokenlink')).toEqual([2, 'Did you mean broken-link?']);
    expect(await complaint('name_mismatch')).toEqual([2, 'Did you mean name-mismatch?']);
    expect(await complaint('metadata')).toEqual([2, 'Did you mean metadata-invalid or metadata-reserved?']);
    expect(await complaint('zzzzzzzzzzzz')).toEqual([2, 'There is no such code.']);
  });
});

test('--strict publishes what the chosen problems leave', async () => {
  const nodes = {
    's/a/SKILL.md': skillMd('a', undefined, '<!-- you must not read this -->\n'),
    's/b/SKILL.md': skillMd('b'),
  };
  const published = async (...args: string[]) => {
    const { status, stdout } = await check(nodes, 's', '--strict', '--format', 'json', ...args);
    const { ok, skills } = JSON.parse(stdout);
    return [status, ok, skills.map((skill: { published: boolean }) => skill.published)];
  };
  expect(await published()).toEqual([1, false, [false, true]]);
  expect(await published('--ignore', 'html-comment')).toEqual([0, true, [true, true]]);
  expect(await published('--select', 'bom')).toEqual([0, true, [true, true]]);
});

test('--max stops the problems, not the counting', async () => {
  const { stdout } = await check(MIXED, 'skills', '--max', '1');
  expect(findCodes(stdout)).toEqual(['name-mismatch']);
  expect(stdout).toContain('\nand 3 more problems\n');
  expect(stdout).toContain('3 errors, 1 warning');
  expect(JSON.parse((await check(MIXED, 'skills', '--max', '1', '--format', 'json')).stdout)).toMatchObject({
    problems: [{ code: 'name-mismatch' }],
    summary: { errors: 3, warnings: 1 },
  });
});

test('what is printed of too many problems are the errors first, in the order of all', async () => {
  const warned = Array.from({ length: 4 }, (_, at) => [
    `s/w${at}/SKILL.md`,
    skillMd(`w${at}`, undefined, '[x](no.md)\n'),
  ]);
  const nodes = { ...Object.fromEntries(warned), 's/z/SKILL.md': skillMd('other') };
  const { stdout } = await check(nodes, 's', '--max', '2');
  expect(findCodes(stdout)).toEqual(['broken-link', 'name-mismatch']);
  expect((await check(nodes, 's', '--max', '1', '--format', 'github')).stdout.split('\n').slice(0, 2)).toEqual([
    expect.stringMatching(/^::error file=s\/z\/SKILL.md,.*title=name-mismatch/),
    '::notice::and 4 more problems',
  ]);
});

test('--files shows every file with its size, of what is not published too', async () => {
  const nodes = { ...MIXED, 'skills/a/config.json': '{}', 'skills/a/.env': 'x' };
  const { stdout } = await check(nodes, 'skills', '--files', '--select', 'secret');
  const size = skillMd('a').length;
  expect(stdout.split('\n\n')[0]?.split('\n').slice(0, 4)).toEqual([
    'skill://a/SKILL.md',
    `  ${size}  SKILL.md`,
    `   2  config.json`,
    'skill://b/SKILL.md  (not published)',
  ]);
  expect((await check(nodes, 'skills', '--files', '--format', 'json')).status).toBe(2);
});

describe('--host openai', () => {
  test('adds its limits, and says why it would import nothing', async () => {
    const nodes = Object.fromEntries(Array.from({ length: 6 }, (_, at) => [`s/s${at}/SKILL.md`, skillMd(`s${at}`)]));
    const { status, stdout } = await check(
      { ...nodes, 's/s1/big.bin': Buffer.alloc(1_048_577) },
      's',
      '--host',
      'openai',
    );
    expect([status, findCodes(stdout)]).toEqual([1, ['host-skill-count', 'host-file-size']]);
    expect(stdout.split('\n').slice(-4)).toEqual([
      "ChatGPT's import would take none of it, because one failure costs all; 2 reasons in 2 places (--host openai):",
      '  1 x host-file-size: a file larger than the host imports',
      '  1 x host-skill-count: more skills than the host imports',
      '',
    ]);
    expect((await check({ ...nodes, 's/s1/big.bin': Buffer.alloc(1_048_577) }, 's')).status).toBe(0);
  });

  test('does not import the less for --strict', async () => {
    const nodes = { 's/a/SKILL.md': skillMd('a', undefined, '<!-- you must not read this -->\n') };
    const { status, stdout } = await check(nodes, 's', '--strict', '--host', 'openai');
    expect([status, stdout.split('\n').at(-2)]).toEqual([1, "ChatGPT's import would take all of it (--host openai)"]);
  });

  test('takes exactly its limits', async () => {
    const nodes = Object.fromEntries(Array.from({ length: 99 }, (_, at) => [`s/a/f${at}.txt`, 'x']));
    const { status, stdout } = await check(
      { ...nodes, 's/a/SKILL.md': skillMd('a'), 's/b/SKILL.md': skillMd('b'), 's/b/big.bin': Buffer.alloc(1_048_576) },
      's',
      '--host',
      'openai',
    );
    expect([status, stdout.split('\n').at(-2)]).toEqual([0, "ChatGPT's import would take all of it (--host openai)"]);
  });

  test('is one of the hosts that are known', async () => {
    expect((await check({}, '--host', 'other')).status).toBe(2);
  });
});

describe('--host claude-code', () => {
  const skills = (count: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, at) => {
        const name = `s${String(at).padStart(3, '0')}`;
        return [`s/${name}/SKILL.md`, skillMd(name, 'd')];
      }),
    );
  const judge = (nodes: Readonly<Record<string, Node>>, ...args: string[]) =>
    check(nodes, 's', '--host', 'claude-code', ...args);
  const NOTE =
    '  according to texts in its program (not observed), skills over MCP need a login and a plan that has the feature, are not available in "claude -p", and need a server name of letters, digits, - and _';

  test('takes 100 skills of a listing, and the rest is a warning', async () => {
    const fits = await judge(skills(100));
    expect([fits.status, findCodes(fits.stdout)]).toEqual([0, []]);
    expect(fits.stdout.split('\n').slice(-3)).toEqual([
      'Claude Code would take all of it (--host claude-code)',
      NOTE,
      '',
    ]);
    const more = await judge(skills(101));
    expect([more.status, findCodes(more.stdout)]).toEqual([0, ['host-listing-cut']]);
    expect(more.stdout).toContain(
      's: warning: Claude Code takes the first 100 of 101 skills from a listing: skill://s100/SKILL.md is the first that is left out [host-listing-cut]\n',
    );
    expect(more.stdout.split('\n').slice(-4)).toEqual([
      'Claude Code may not take all of it; 1 reason in 1 place (--host claude-code):',
      '  1 x host-listing-cut: more skills than the host takes from a listing',
      NOTE,
      '',
    ]);
    expect((await judge(skills(101), '--strict')).status).toBe(1);
  });

  test('takes 512 KiB of entries exactly', async () => {
    const entry = (name: string, padding: number) => ({
      [`s/${name}/SKILL.md`]: `---\nname: ${name}\ndescription: d\npad: "${'x'.repeat(padding)}"\n---\n`,
    });
    const names = Array.from({ length: 12 }, (_, at) => `s${at + 10}`);
    const sizeOf = async (nodes: Readonly<Record<string, Node>>) => {
      const { skills } = JSON.parse((await runIn(makeTree(nodes), ['list', 's', '--json'])).stdout);
      return Buffer.byteLength(skills.map((skill: object) => JSON.stringify(skill)).join(''));
    };
    const make = (padding: number, last: number) =>
      Object.assign({}, ...names.map((name, at) => entry(name, at === 11 ? last : padding)));
    const base = await sizeOf(make(43_000, 0));
    const fitting = await findFit(512 * 1024 - base);
    expect(await sizeOf(make(43_000, fitting))).toBe(512 * 1024);
    expect(findCodes((await judge(make(43_000, fitting), '--ignore', 'skill-long')).stdout)).toEqual([]);
    expect((await judge(make(43_000, fitting + 1))).stdout).toContain(
      'Claude Code takes 524,288 bytes of entries, so the first 11 of 12 skills, from a listing: skill://s21/SKILL.md is the first that is left out',
    );

    async function findFit(guess: number): Promise<number> {
      for (let padding = guess; ; ) {
        const more = (await sizeOf(make(43_000, padding))) - 512 * 1024;
        if (more === 0) return padding;
        padding -= more;
      }
    }
  });

  test('may refuse files that are no text, and archives', async () => {
    const bytes = Buffer.from([0xff, 0]);
    const { status, stdout } = await judge({
      's/a/SKILL.md': skillMd('a'),
      's/a/1.png': bytes,
      's/a/2.bin': bytes,
      's/a/3.woff': bytes,
      's/a/4.dat': bytes,
      's/a/x.ZIP': bytes,
      's/a/y.skill': 'text',
      's/a/ok.txt': 'é',
    });
    expect([status, stdout.split('\n').filter((line) => line.includes('warning: '))]).toEqual([
      0,
      [
        's/a: warning: 2 archives, which the scan of Claude Code may refuse: x.ZIP, y.skill [host-archive-file]',
        's/a: warning: 4 binary files, which the scan of Claude Code may refuse: 1.png, 2.bin, 3.woff and 1 more [host-binary-file]',
      ],
    ]);
  });
});

test('what fields of hosts do here is said, and is no problem', async () => {
  const skill = (name: string, field: string) => ({
    [`s/${name}/SKILL.md`]: `---\nname: ${name}\ndescription: d\n${field}\n---\n`,
  });
  const nodes = {
    ...skill('a', 'disable-model-invocation: true'),
    ...skill('b', 'disable-model-invocation: false'),
    ...skill('c', 'user-invocable: false'),
    ...skill('d', 'user-invocable: true'),
  };
  const { status, stdout } = await check(nodes, 's', '--strict');
  expect([status, stdout.split('\n').slice(-3)]).toEqual([
    0,
    [
      '1 skill with disable-model-invocation: true: not named in instructions and tools, but listed, and offered as a prompt (a)',
      '1 skill with user-invocable: false: not offered as a prompt (c)',
      '',
    ],
  ]);
});

test('a secret is not printed, by its own problem or by another', async () => {
  const secret = ['gh', 'p_', 'R7bXk2LmQ9vT4wYz8NcP3sDf6HjA1gUeKoIq'].join('');
  const nodes = {
    's/a/SKILL.md': `---\nname: a\ndescription: use it: with ${secret}\nx: *${secret}\n---\n${secret} <!-- ${secret} -->\n`,
  };
  for (const format of ['pretty', 'json', 'sarif', 'github']) {
    const { stdout } = await check(nodes, 's', '--format', format);
    expect(stdout).toContain('secret');
    expect(stdout).not.toContain(secret.slice(4, 12));
  }
});

test.skipIf(process.platform === 'win32')(
  'the SARIF of every golden folder is valid, and explains its rules',
  async () => {
    const ajv = new (Draft04 as unknown as typeof Ajv)({ strict: false, allErrors: true, unicodeRegExp: false });
    (formats as unknown as (target: Ajv) => void)(ajv);
    const validate = ajv.compile(schema);
    const folder = makeTree({});
    for (const fixture of readFixtures()) {
      if (!/^(?:skills|undefined)$/.test(String(fixture.setting.roots)) || /too-many|host-|message/.test(fixture.id))
        continue;
      makeInput(fixture, `${folder}/${fixture.id}`);
      const { stdout } = await runIn(`${folder}/${fixture.id}`, [
        'check',
        'skills',
        '--format',
        'sarif',
        ...(fixture.setting.options ?? []),
      ]);
      const log = JSON.parse(stdout);
      validate(log);
      expect([fixture.id, validate.errors]).toEqual([fixture.id, null]);
      for (const { id, help } of log.runs[0].tool.driver.rules) {
        expect(id in CODES).toBe(true);
        expect(help.markdown).toContain('**Repair.** ');
      }
    }
  },
);

test('thousands of bad skills are judged and printed in linear time', async () => {
  const [small, large] = [400, 3200].map((count) =>
    makeTree(
      Object.fromEntries(
        Array.from({ length: count }, (_, at) => [
          `s/s${at}/SKILL.md`,
          `---\nname: other\ndescription: a: b\nday: 2026-10-12\n---\n[x](no.md)\n`,
        ]),
      ),
    ),
  ) as [string, string];
  const growth = await measureGrowth(async (times) => {
    const { stdout } = await runIn(times === 1 ? small : large, ['check', 's']);
    expect(findCodes(stdout)).toHaveLength(200);
  });
  expect(growth).toBeLessThan(LINEAR);
});
