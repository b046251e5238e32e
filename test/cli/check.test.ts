import schema from '@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json' with { type: 'json' };
import type { Ajv } from 'ajv';
import Draft04 from 'ajv-draft-04';
import formats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { CODES } from '../../src/catalog/problems.ts';
import { findCodes, makeInput, readFixtures, runIn } from '../fixtures.ts';
import { LINEAR, measureGrowth } from '../growth.ts';
import { makeTree, skillMd } from '../tree.ts';

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
      stdout: `2 skills would be published, 0 not; 0 errors, 0 warnings\nnothing found in 3 files, ${2 * skill.length + 5} bytes\n`,
      stderr: '',
    });
  });
});

test('where a whole repository was passed, its folder of skills is named', async () => {
  const better = { 'docs/x.md': '', 'skills/a/SKILL.md': skillMd('a'), 'skills/b/SKILL.md': skillMd('b') };
  expect((await check(better, '.')).stdout.split('\n').at(-2)).toBe(
    'all 2 skills lie in "skills"; if that is the folder you mean: mcp-server-skills check skills',
  );
  expect((await check(better, 'x=./')).stdout.split('\n').at(-2)).toContain('mcp-server-skills check x=./skills');
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
    expect(await codes('--ignore', 'bom', '--ignore', 'yaml-ambiguous')).toEqual([1, ['name-mismatch', 'broken-link']]);
    expect((await check(MIXED, 'skills', '--ignore', 'bom')).stdout).toContain(
      '\n1 problem not shown, as --select or --ignore ask\n',
    );
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
  const nodes = { 's/a/SKILL.md': skillMd('a', undefined, '<!-- x -->\n'), 's/b/SKILL.md': skillMd('b') };
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
    const nodes = { 's/a/SKILL.md': skillMd('a', undefined, '<!-- x -->\n') };
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
