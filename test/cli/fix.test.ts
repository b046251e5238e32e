import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { judgeSkills } from '../../src/judge/judge.ts';
import { applyPlans } from '../../src/repair/apply.ts';
import { planRepairs, type RepairOptions } from '../../src/repair/plan.ts';
import { runIn } from '../fixtures.ts';
import { makeTree, skillMd } from '../tree.ts';

const AMBIGUOUS =
  '---\r\n# as  it is\r\nname: a\r\ndescription: d\r\nday: 2026-10-12 # quoted\r\nlast: |\r\n  text\r\n---\r\nBody.\r\n';
const QUOTED =
  '---\r\n# as  it is\r\nname: a\r\ndescription: d\r\nday: "2026-10-12" # quoted\r\nlast: |-\r\n  text\r\n---\r\nBody.\r\n';

async function plan(root: string, options: RepairOptions = {}) {
  return planRepairs(await judgeSkills(root), options).plans;
}

const reasonsOf = async (plans: Awaited<ReturnType<typeof plan>>) =>
  (await applyPlans(plans)).map(({ steps, reason }) => [steps, reason]);

describe('--fix', () => {
  test('writes the repaired values and nothing else, and a second run has nothing to do', async () => {
    const root = makeTree({ 'skills/a/SKILL.md': AMBIGUOUS, 'skills/b/SKILL.md': skillMd('b') });
    const first = await runIn(root, ['check', 'skills', '--fix']);
    expect(first).toEqual({
      status: 0,
      stdout: '2 skills would be published, 0 not; 0 errors, 0 warnings\nno problems in 2 files, 168 bytes\n',
      stderr: 'repaired: skills/a/SKILL.md: yaml-ambiguous (2)\nrepaired 2 problems in 1 skill\n',
    });
    expect(readFileSync(join(root, 'skills/a/SKILL.md'), 'utf8')).toBe(QUOTED);
    expect(readdirSync(join(root, 'skills/a'))).toEqual(['SKILL.md']);
    const { ino, mtimeMs } = statSync(join(root, 'skills/a/SKILL.md'));
    expect((await runIn(root, ['check', 'skills', '--fix'])).stderr).toBe('nothing to repair\n');
    expect(statSync(join(root, 'skills/a/SKILL.md'))).toMatchObject({ ino, mtimeMs });
  });

  test('leaves in the report what it cannot repair, and stdout to the report', async () => {
    const root = makeTree({
      'a/SKILL.md': '\ufeff---\nname: other\ndescription: d\nday: 2026-10-12\n---\n',
    });
    const { status, stdout, stderr } = await runIn(root, ['check', '.', '--fix', '--format', 'json']);
    expect(status).toBe(1);
    expect(JSON.parse(stdout).problems.map(({ code }: { code: string }) => code)).toEqual(['name-mismatch']);
    expect(stderr).toBe('repaired: a/SKILL.md: bom, yaml-ambiguous\nrepaired 2 problems in 1 skill\n');
  });

  test('repairs only what is selected', async () => {
    const root = makeTree({ 'a/SKILL.md': '\ufeff---\nname: a\ndescription: d\nday: 2026-10-12\n---\n' });
    await runIn(root, ['check', '.', '--fix', '--select', 'bom']);
    expect(readFileSync(join(root, 'a/SKILL.md'), 'utf8')).toBe('---\nname: a\ndescription: d\nday: 2026-10-12\n---\n');
    await runIn(root, ['check', '.', '--fix', '--ignore', 'yaml-ambiguous']);
    expect(readFileSync(join(root, 'a/SKILL.md'), 'utf8')).toContain('day: 2026-10-12\n');
  });

  test('says which side gives way: the name, in the quotes it had', async () => {
    const root = makeTree({
      'a/SKILL.md': '---\nname: "Other Name" # mine\ndescription: d\n---\n',
      'yes/SKILL.md': '---\nname: no-way\ndescription: d\n---\n',
      'x/SKILL.md': '---\nname:\ndescription: d\n---\n',
      'y/SKILL.md': '---\nname: [what]\ndescription: d\n---\n',
    });
    const { stderr } = await runIn(root, ['check', '.', '--fix=name']);
    expect(stderr).toBe(
      'repaired: a/SKILL.md: name-invalid\nrepaired: x/SKILL.md: name-missing\nrepaired: y/SKILL.md: name-invalid\n' +
        'repaired: yes/SKILL.md: name-mismatch\nrepaired 4 problems in 4 skills\n',
    );
    expect(readFileSync(join(root, 'a/SKILL.md'), 'utf8')).toBe('---\nname: "a" # mine\ndescription: d\n---\n');
    expect(readFileSync(join(root, 'yes/SKILL.md'), 'utf8')).toBe('---\nname: "yes"\ndescription: d\n---\n');
  });

  test('says which side gives way: the folder, where nothing has the name yet', async () => {
    const root = makeTree({
      'g/old/SKILL.md': skillMd('new'),
      'g/old/data/x.txt': 'x',
      'g/old/.hidden': 'h',
      'Bad_Name/SKILL.md': skillMd('good-name'),
      'taken/SKILL.md': skillMd('taken'),
      'wants-taken/SKILL.md': skillMd('taken'),
    });
    const { status, stderr } = await runIn(root, ['check', '.', '--fix=folder']);
    expect([status, stderr]).toEqual([
      1,
      'repaired: Bad_Name/SKILL.md: folder-name, now in good-name\n' +
        'repaired: g/old/SKILL.md: name-mismatch, now in g/new\n' +
        'not renamed: wants-taken: "taken" exists already\n' +
        'repaired 2 problems in 2 skills\n',
    ]);
    expect(readdirSync(join(root, 'g/new')).sort()).toEqual(['.hidden', 'SKILL.md', 'data']);
    expect(readdirSync(root).sort()).toEqual(['g', 'good-name', 'taken', 'wants-taken']);
  });

  test('an option takes no root for a side', async () => {
    const root = makeTree({ 'name/a/SKILL.md': AMBIGUOUS });
    expect((await runIn(root, ['check', '--fix', 'name'])).stderr).toContain('repaired: name/a/SKILL.md');
    for (const args of [
      ['--fix=other'],
      ['--fix=name', '--fix=folder'],
      ['--dry-run'],
      ['--fix', '--dry-run', '--format', 'json'],
    ]) {
      expect((await runIn(root, ['check', 'name', ...args])).status).toBe(2);
    }
  });

  test('renames skill.md, with its repairs, unless another spelling lies beside it', async () => {
    const root = makeTree({
      'a/Skill.md': '---\nname: a\ndescription: d\nday: 2026-10-12\n---\n',
      'b/skill.md': skillMd('b'),
      'b/Skill.MD': skillMd('b'),
    });
    const { stderr } = await runIn(root, ['check', '.', '--fix']);
    expect(stderr).toContain('repaired: a/Skill.md: yaml-ambiguous, skill-file-case, now SKILL.md\n');
    expect(stderr).toMatch(/^not repaired: b\/\S+: "\S+" is beside it$/m);
    expect(readdirSync(join(root, 'a'))).toEqual(['SKILL.md']);
    expect(readdirSync(join(root, 'b')).sort()).toEqual(['Skill.MD', 'skill.md']);
  });

  test('writes nothing back that is not UTF-8, and counts no repair for it', async () => {
    const bytes = Buffer.from('\ufeff---\nname: b\ndescription: caf\u00e9 \u00ff\n---\n', 'latin1');
    const root = makeTree({ 'a/skill.md': bytes });
    const { stdout, stderr } = await runIn(root, ['check', '.', '--fix=folder']);
    expect([stderr, stdout.includes('--fix')]).toEqual(['nothing to repair\n', false]);
    expect(readFileSync(join(root, 'a/skill.md'))).toEqual(bytes);
  });

  test('does what a hint says wherever it has one exact text', async () => {
    const long = 'word '.repeat(60).trim();
    const before = [
      'description: Write notes in two passes: gather, then edit.',
      'license: 2.0',
      'compatibility: "Ships it',
      'argument-hint: [file] [options]',
      `when: ${long}: more`,
      'quoted: "over',
      '  two lines"',
      'metadata:',
      '  version: 1.10',
    ];
    const after = [
      'description: "Write notes in two passes: gather, then edit."',
      'license: "2.0"',
      'compatibility: "Ships it"',
      'argument-hint: "[file] [options]"',
      'when: >-',
      `  ${long}: more`,
      'quoted: >-',
      '  over',
      '  two lines',
      'metadata:',
      '  version: "1.10"',
    ];
    const toFile = (lines: readonly string[], feed: string) => ['---', ...lines, '---', 'Body.', ''].join(feed);
    const root = makeTree({
      'foo/SKILL.md': toFile(before, '\n'),
      'windows/SKILL.md': toFile(before, '\r\n'),
    });
    expect((await runIn(root, ['check', '.', '--fix'])).status).toBe(0);
    expect(readFileSync(join(root, 'foo/SKILL.md'), 'utf8')).toBe(toFile(['name: foo', ...after], '\n'));
    expect(readFileSync(join(root, 'windows/SKILL.md'), 'utf8')).toBe(toFile(['name: windows', ...after], '\r\n'));
    expect((await runIn(root, ['check', '.', '--fix'])).stderr).toBe('nothing to repair\n');
  });

  test('adds a name that is missing, and writes the one that hints name in the place of a bad one', async () => {
    const nodes = {
      'cafe/SKILL.md': '---\nname: café\ndescription: d\n---\n',
      'empty/SKILL.md': '---\nname: # what?\ndescription: d\n---\n',
      'foo/SKILL.md': '---\ndescription: d\n---\n',
      'spelled/SKILL.md': '---\nName: spelled\ndescription: d\n---\n',
    };
    const root = makeTree(nodes);
    expect((await runIn(root, ['check', '.', '--fix'])).status).toBe(0);
    const read = (name: string) =>
      readFileSync(join(root, name, 'SKILL.md'), 'utf8')
        .split('\n')
        .slice(1, 3);
    expect(Object.keys(nodes).map((path) => read(path.split('/')[0] ?? ''))).toEqual([
      ['name: cafe', 'description: d'],
      ['name: empty # what?', 'description: d'],
      ['name: foo', 'description: d'],
      ['name: spelled', 'description: d'],
    ]);
  });

  test('writes nested metadata as JSON strings where it is asked to, and says otherwise that it would', async () => {
    const text =
      '---\nname: a\ndescription: d\nmetadata:\n  vendor:\n    tags: [x, "y z"]\n    version: 1.10\n  days:\n    - 2026-10-12\n---\n';
    const root = makeTree({ 'a/SKILL.md': text });
    const plain = await runIn(root, ['check', '.', '--fix']);
    expect([plain.status, plain.stderr]).toEqual([
      1,
      'repaired: a/SKILL.md: yaml-ambiguous\nrepaired 1 problem in 1 skill\n' +
        'not repaired: 2 nested values of metadata; --fix=metadata writes them as JSON strings\n',
    ]);
    expect(plain.stdout.split('\n').filter((line) => line.includes('--fix'))).toEqual([
      '2 of 2 problems can be repaired if nested metadata may become JSON strings: --fix=metadata',
    ]);
    expect((await runIn(root, ['check', '.', '--fix=metadata'])).status).toBe(0);
    expect(readFileSync(join(root, 'a/SKILL.md'), 'utf8')).toBe(
      '---\nname: a\ndescription: d\nmetadata:\n  vendor: \'{"tags":["x","y z"],"version":"1.10"}\'\n  days: \'["2026-10-12"]\'\n---\n',
    );
  });

  test('a comment inside nested metadata is not lost', async () => {
    const text = '---\nname: a\ndescription: d\nmetadata:\n  vendor:\n    # why\n    tags: [x]\n---\n';
    const root = makeTree({ 'a/SKILL.md': text });
    expect((await runIn(root, ['check', '.', '--fix=metadata'])).stderr).toBe('nothing to repair\n');
    expect(readFileSync(join(root, 'a/SKILL.md'), 'utf8')).toBe(text);
  });

  test.each([['--fix=name,metadata'], ['--fix=metadata', '--fix=name']])('sides combine: %s %s', async (...sides) => {
    const root = makeTree({
      'a/SKILL.md': '---\nname: b\ndescription: d\nmetadata:\n  k: [x]\n---\n',
    });
    expect((await runIn(root, ['check', '.', ...sides])).status).toBe(0);
    expect(readFileSync(join(root, 'a/SKILL.md'), 'utf8')).toBe(
      '---\nname: a\ndescription: d\nmetadata:\n  k: \'["x"]\'\n---\n',
    );
  });

  test.each([
    // what gives way, and what becomes of both
    ['My_Skill', 'Other Name', 'name', 'my-skill'],
    ['My_Skill', 'Other Name', 'folder', 'other-name'],
    ['redacteur-français', 'redacteur-français', 'name', 'redacteur-francais'],
    ['redacteur-français', 'redacteur-français', 'folder', 'redacteur-francais'],
    ['Señor', 'MySkill', 'name', 'senor'],
    ['Señor', 'MySkill', 'folder', 'my-skill'],
    ['twoFactor', 'two-factor-best', 'name', 'two-factor-best'],
    ['twoFactor', 'two-factor-best', 'folder', 'two-factor-best'],
    ['Straße', undefined, 'name', 'strasse'],
    ['Straße', undefined, 'folder', 'strasse'],
  ])('a folder %s and a name %s are both right after --fix=%s: %s', async (folder, name, side, right) => {
    const field = name === undefined ? '' : `name: ${name}\n`;
    const root = makeTree({ [`g/${folder}/SKILL.md`]: `---\n${field}description: d\n---\n` });
    const { status } = await runIn(root, ['check', '.', `--fix=${side}`]);
    const text = readFileSync(join(root, 'g', right, 'SKILL.md'), 'utf8');
    expect([status, readdirSync(join(root, 'g')), text]).toEqual([
      0,
      [right],
      `---\nname: ${right}\ndescription: d\n---\n`,
    ]);
    expect((await runIn(root, ['check', '.', `--fix=${side}`])).stderr).toBe('nothing to repair\n');
  });

  test.each([
    [
      'redacteur-français',
      'redacteur-français',
      [
        'rename the folder to "redacteur-francais", and write "name: redacteur-francais" into its SKILL.md',
        'write "name: redacteur-francais"',
      ],
    ],
    ['café', 'café', ['rename the folder to "cafe", and write "name: cafe" into its SKILL.md', 'write "name: cafe"']],
    ['señor', 'senor', ['rename the folder to "senor"']],
    [
      'MySkill',
      'MySkill',
      ['rename the folder to "my-skill", and write "name: my-skill" into its SKILL.md', 'write "name: my-skill"'],
    ],
    ['my-skill', 'MySkill', ['write "name: my-skill"']],
    ['twoFactor', 'two-factor-best', ['rename the folder to "two-factor-best"']],
    [
      'My_Skill',
      'Other Name',
      [
        'rename the folder to "my-skill", and write "name: my-skill" into its SKILL.md; or name both of them "other-name"',
        'write "name: my-skill"',
      ],
    ],
  ])('hints name what the repairs make of a folder %s and a name %s', async (folder, name, hints) => {
    const root = makeTree({ [`${folder}/SKILL.md`]: `---\nname: ${name}\ndescription: d\n---\n` });
    const { stdout } = await runIn(root, ['check', '.', '--format', 'json']);
    expect(JSON.parse(stdout).problems.map(({ hint }: { hint: string }) => hint)).toEqual(hints);
  });

  test('no hint names a folder that is there already', async () => {
    const root = makeTree({
      'foo/SKILL.md': skillMd('foo'),
      'Foo_/SKILL.md': skillMd('foo'),
      'bar/SKILL.md': skillMd('foo'),
      'No/SKILL.md': '---\nname: No\ndescription: d\n---\n',
    });
    const { stdout } = await runIn(root, ['check', '.', '--format', 'json']);
    expect(JSON.parse(stdout).problems.map(({ path, hint }: Record<string, string>) => [path, hint])).toEqual([
      ['Foo_', 'rename the folder to "foo-2", and write "name: foo-2" into its SKILL.md: "foo" exists already'],
      ['No', `rename the folder to "no", and write 'name: "no"' into its SKILL.md`],
      ['No/SKILL.md', `write 'name: "no"'`],
      ['bar/SKILL.md', 'write "name: bar"'],
    ]);
  });

  test('a name in another case that YAML reads as something else is right in one run', async () => {
    const root = makeTree({ 'No/SKILL.md': '---\nname: No\ndescription: d\n---\n' });
    const { status, stderr } = await runIn(root, ['check', '.', '--fix=name']);
    expect([status, stderr, readdirSync(root), readFileSync(join(root, 'no/SKILL.md'), 'utf8')]).toEqual([
      0,
      'repaired: No/SKILL.md: yaml-ambiguous, name-invalid, folder-name, now in no\nrepaired 3 problems in 1 skill\n',
      ['no'],
      '---\nname: "no"\ndescription: d\n---\n',
    ]);
  });

  test.each(['name', 'folder'])('--fix=%s renames groups, after the skills in them', async (side) => {
    const root = makeTree({
      'My Group/Foo_/SKILL.md': skillMd('foo'),
      'My Group/In.ner/bar/SKILL.md': skillMd('bar').replace('---\n\n', 'day: 2026-10-12\n---\n\n'),
      'Taken_/x/SKILL.md': skillMd('x'),
      'taken/z/SKILL.md': skillMd('z'),
    });
    const plain = await runIn(root, ['check', '.']);
    expect(plain.stdout).toContain(
      '1 of 5 problems can be repaired: --fix\n3 of 5 problems can be repaired if you say what gives way: --fix=name or --fix=folder\n',
    );
    const { stderr } = await runIn(root, ['check', '.', `--fix=${side}`]);
    expect(stderr).toBe(
      'repaired: My Group/Foo_/SKILL.md: folder-name, now in My Group/foo\n' +
        'repaired: My Group/In.ner/bar/SKILL.md: yaml-ambiguous\n' +
        'repaired: My Group/In.ner: folder-name, now in My Group/in-ner\n' +
        'repaired: My Group: folder-name, now in my-group\n' +
        'not renamed: Taken_: "taken" exists already\n' +
        'repaired 4 problems in 2 skills and 2 groups\n',
    );
    expect((await judgeSkills(root)).flatMap(({ skills }) => skills.map(({ path }) => path))).toEqual([
      'Taken_/x',
      'my-group/foo',
      'my-group/in-ner/bar',
      'taken/z',
    ]);
  });

  test('a name that is not its folder is reported beside an error of the YAML', async () => {
    const root = makeTree({ 'foo/SKILL.md': '---\nname: bar\ndescription: d\nupdated: 2026-01-01\n---\n' });
    const { stdout } = await runIn(root, ['check', '.', '--format', 'json']);
    const codes = JSON.parse(stdout).problems.map(({ code, line }: { code: string; line: number }) => [code, line]);
    expect(codes).toEqual([
      ['name-mismatch', 2],
      ['yaml-ambiguous', 4],
    ]);
  });

  test('the same root twice is repaired once', async () => {
    const root = makeTree({ 'skills/a/SKILL.md': AMBIGUOUS });
    expect((await runIn(root, ['check', 'skills', 'x=./skills', '--fix'])).stderr).toBe(
      'repaired: skills/a/SKILL.md: yaml-ambiguous (2)\nrepaired 2 problems in 1 skill\n',
    );
  });
});

describe.skipIf(process.platform === 'win32')('a repair on disk', () => {
  test('keeps the mode, and cuts a hard link instead of writing through it', async () => {
    const { linkSync } = await import('node:fs');
    const root = makeTree({ 'skills/a/SKILL.md': AMBIGUOUS });
    const file = join(root, 'skills/a/SKILL.md');
    chmodSync(file, 0o640);
    linkSync(file, join(root, 'elsewhere.md'));
    await applyPlans(await plan(join(root, 'skills')));
    expect(readFileSync(file, 'utf8')).toBe(QUOTED);
    expect(lstatSync(file).mode & 0o7777).toBe(0o640);
    expect(readFileSync(join(root, 'elsewhere.md'), 'utf8')).toBe(AMBIGUOUS);
  });

  test('leaves a file alone that changed since it was judged', async () => {
    const root = makeTree({ 'a/SKILL.md': AMBIGUOUS, 'b/SKILL.md': AMBIGUOUS.replace('name: a', 'name: b') });
    const plans = await plan(root);
    writeFileSync(join(root, 'a/SKILL.md'), 'mine');
    expect(await reasonsOf(plans)).toEqual([
      [0, 'it changed meanwhile'],
      [1, undefined],
    ]);
    expect(readFileSync(join(root, 'a/SKILL.md'), 'utf8')).toBe('mine');
    expect(readdirSync(join(root, 'a'))).toEqual(['SKILL.md']);
  });

  test('never goes through a link that was put in the place of the file or a folder', async () => {
    const root = makeTree({
      'skills/a/SKILL.md': AMBIGUOUS,
      'skills/g/b/SKILL.md': AMBIGUOUS.replace('name: a', 'name: b'),
    });
    const plans = await plan(join(root, 'skills'));
    const before = { file: readFileSync(join(root, 'skills/a/SKILL.md')), mtime: 0 };
    renameSync(join(root, 'skills/a/SKILL.md'), join(root, 'outside.md'));
    symlinkSync(join(root, 'outside.md'), join(root, 'skills/a/SKILL.md'));
    renameSync(join(root, 'skills/g'), join(root, 'outside'));
    symlinkSync(join(root, 'outside'), join(root, 'skills/g'));
    expect(await reasonsOf(plans)).toEqual([
      [0, 'a symbolic link is in its place'],
      [0, '"g" is not a folder any more'],
    ]);
    expect(readFileSync(join(root, 'outside.md'))).toEqual(before.file);
    expect(readdirSync(join(root, 'outside/b'))).toEqual(['SKILL.md']);
  });

  test('a FIFO in the place of the file does not block', async () => {
    const { execFileSync } = await import('node:child_process');
    const root = makeTree({ 'a/SKILL.md': AMBIGUOUS });
    const plans = await plan(root);
    rmSync(join(root, 'a/SKILL.md'));
    execFileSync('mkfifo', [join(root, 'a/SKILL.md')]);
    expect(await reasonsOf(plans)).toEqual([[0, 'it is not a regular file']]);
  });

  test.skipIf(process.getuid?.() !== 0)(
    'keeps the owner, and leaves nothing behind where it may not write',
    async () => {
      const root = makeTree({ 'a/SKILL.md': AMBIGUOUS, 'b/SKILL.md': AMBIGUOUS.replace('name: a', 'name: b') });
      chownSync(join(root, 'a/SKILL.md'), 65_534, 65_534);
      chmodSync(root, 0o755);
      const plans = await plan(root);
      process.seteuid?.(65_534);
      try {
        expect(await reasonsOf(plans)).toEqual([
          [0, 'permission denied'],
          [0, 'permission denied'],
        ]);
      } finally {
        process.seteuid?.(0);
      }
      expect(readdirSync(join(root, 'a'))).toEqual(['SKILL.md']);
      // whoever may write to a folder may not give its files away
      chmodSync(join(root, 'b'), 0o777);
      process.seteuid?.(65_534);
      try {
        expect((await reasonsOf(plans))[1]).toEqual([0, 'it belongs to another user']);
      } finally {
        process.seteuid?.(0);
      }
      expect(readdirSync(join(root, 'b'))).toEqual(['SKILL.md']);
      expect(await reasonsOf(plans)).toEqual([
        [1, undefined],
        [1, undefined],
      ]);
      expect([statSync(join(root, 'a/SKILL.md')).uid, statSync(join(root, 'b/SKILL.md')).uid]).toEqual([65_534, 0]);
    },
  );

  test('a folder that appeared under the new name is not touched', async () => {
    const root = makeTree({ 'old/SKILL.md': skillMd('new') });
    const plans = await plan(root, { sides: ['folder'] });
    mkdirSync(join(root, 'new'));
    expect(await reasonsOf(plans)).toEqual([[0, `"${join(root, 'new')}" exists already`.replace(`${root}/`, '')]]);
    expect(readdirSync(root).sort()).toEqual(['new', 'old']);
  });

  test('a skill that was removed costs the others nothing', async () => {
    const root = makeTree({ 'a/SKILL.md': AMBIGUOUS, 'b/SKILL.md': AMBIGUOUS.replace('name: a', 'name: b') });
    const plans = await plan(root);
    rmSync(join(root, 'a'), { recursive: true });
    expect(await reasonsOf(plans)).toEqual([
      [0, 'it was removed'],
      [1, undefined],
    ]);
  });
});

describe('--fix --dry-run', () => {
  test.skipIf(process.platform === 'win32')(
    'prints what git apply makes the same of, and changes nothing',
    async () => {
      const { execFileSync } = await import('node:child_process');
      const nodes = {
        'skills/a/SKILL.md': AMBIGUOUS,
        'skills/b/skill.md': '---\nname: b\ndescription: d\nday: 2026-10-12\n---\n',
        'skills/old/SKILL.md': skillMd('new').replace('---\n\n', 'day: 2026-10-12\n---\n\n'),
        'skills/old/data/x.bin': new Uint8Array([0, 255, 1]),
      };
      const [applied, repaired] = [makeTree(nodes), makeTree(nodes)];
      const dry = await runIn(applied, ['check', 'skills', '--fix=folder', '--dry-run']);
      expect([dry.status, dry.stderr]).toEqual([0, '']);
      expect(readFileSync(join(applied, 'skills/a/SKILL.md'), 'utf8')).toBe(AMBIGUOUS);
      execFileSync('git', ['apply', '-'], { cwd: applied, input: dry.stdout });
      await runIn(repaired, ['check', 'skills', '--fix=folder']);
      const list = (root: string) =>
        (readdirSync(root, { recursive: true }) as string[])
          .sort()
          .map((path) => [path, statSync(join(root, path)).isFile() ? readFileSync(join(root, path), 'hex') : '']);
      expect(list(join(applied, 'skills'))).toEqual(list(join(repaired, 'skills')));
    },
  );

  test.skipIf(process.platform === 'win32')(
    'git apply takes every file after a rename, in a chain of names too',
    async () => {
      const { execFileSync } = await import('node:child_process');
      const dated = (name: string) => skillMd(name).replace('---\n\n', 'day: 2026-10-12\n---\n\n');
      const nodes = {
        'my skills/Bad Name/SKILL.md': dated('good-name'),
        'my skills/Bad Name/data/é "x".txt': 'x',
        'my skills/Bad Name/.hidden': 'h',
        'my skills/Bad Name/link': { link: 'SKILL.md' },
        'my skills/aa/SKILL.md': skillMd('bb'),
        'my skills/bb/SKILL.md': dated('cc'),
        'my skills/dd/SKILL.md': dated('dd'),
        'my skills/A Group/Foo_/SKILL.md': dated('foo'),
        'my skills/A Group/In.ner/bar/skill.md': dated('bar'),
        'my skills/A Group/notes.txt': 'x',
        'my skills/ee/skill.md': dated('ee'),
      };
      const [applied, repaired] = [makeTree(nodes), makeTree(nodes)];
      const dry = await runIn(applied, ['check', 'my skills', '--fix=folder', '--dry-run']);
      execFileSync('git', ['apply', '-'], { cwd: applied, input: dry.stdout });
      await runIn(repaired, ['check', 'my skills', '--fix=folder']);
      const list = (root: string) =>
        (readdirSync(root, { recursive: true }) as string[])
          .sort()
          .filter((path) => !statSync(join(root, path)).isDirectory())
          .map((path) => [path, lstatSync(join(root, path)).isSymbolicLink(), readFileSync(join(root, path), 'utf8')]);
      expect(list(applied)).toEqual(list(repaired));
      expect(list(applied).map(([path]) => path)).toContain('my skills/good-name/.hidden');
    },
  );

  test('says in one line that there is nothing to repair', async () => {
    const root = makeTree({ 'a/SKILL.md': skillMd('a') });
    const { status, stdout, stderr } = await runIn(root, ['check', '.', '--fix', '--dry-run']);
    expect([status, stdout, stderr]).toEqual([0, '', 'nothing to repair\n']);
  });

  test('shows no rename that cannot be made, and tells why, as the run does', async () => {
    const nodes = {
      'aa/SKILL.md': skillMd('bb'),
      'bb/SKILL.md': skillMd('cc'),
      'cc/SKILL.md': skillMd('aa'),
      'file/SKILL.md': skillMd('plain'),
      plain: 'x',
      'q1/SKILL.md': skillMd('grp'),
      'grp/in/SKILL.md': skillMd('in'),
      'x/SKILL.md': skillMd('z').replace('---\n\n', 'day: 2026-10-12\n---\n\n'),
      'y/SKILL.md': skillMd('z'),
    };
    const refused = [
      'not renamed: x: 2 folders claim the name "z"',
      'not renamed: y: 2 folders claim the name "z"',
      'not renamed: aa: "bb" exists already',
      'not renamed: bb: "cc" exists already',
      'not renamed: cc: "aa" exists already',
      'not renamed: file: "plain" exists already',
      'not renamed: q1: "grp" exists already',
    ].join('\n');
    const root = makeTree(nodes);
    const dry = await runIn(root, ['check', '.', '--fix=folder', '--dry-run']);
    expect([dry.status, dry.stderr, dry.stdout.match(/^(?:rename|[-+]).*/gm)]).toEqual([
      1,
      `${refused}\n`,
      ['--- a/x/SKILL.md', '+++ b/x/SKILL.md', '-day: 2026-10-12', '+day: "2026-10-12"'],
    ]);
    const { status, stdout, stderr } = await runIn(root, ['check', '.', '--fix=folder']);
    expect([status, stderr]).toEqual([
      1,
      `repaired: x/SKILL.md: yaml-ambiguous\n${refused}\nrepaired 1 problem in 1 skill\n`,
    ]);
    expect(stdout.match(/^.*--fix.*$/gm)).toEqual([
      '7 of 7 problems can be repaired if you say what gives way: --fix=name',
    ]);
  });

  test('is shown changed where a workflow would take a line for a command, and there alone', async () => {
    const body = '  ::stop-commands::tok ##[group]x';
    const root = makeTree({
      'a/SKILL.md': `---\nname: a\ndescription: d\nday: 2026-10-12\n---\n${body}\n`,
      'b/SKILL.md': skillMd('b'),
    });
    const args = ['check', '.', '--fix', '--dry-run'];
    const plain = await runIn(root, args);
    expect([plain.stdout.split('\n').at(-2), plain.stderr]).toEqual([` ${body}`, '']);
    const shown = await runIn(root, args, { GITHUB_ACTIONS: 'true' });
    expect([shown.stdout, shown.stderr]).toEqual([
      plain.stdout.replace(body, String.raw`  \u{3a}:stop-commands::tok ##\u{5b}group]x`),
      'lines that a workflow would take for commands are shown changed: this diff cannot be applied\n',
    ]);
    const harmless = await runIn(root, [...args, '--exclude', 'a'], { GITHUB_ACTIONS: 'true' });
    expect(harmless.stderr).toBe('nothing to repair\n');
  });

  test('ends with the status that the repair would leave', async () => {
    const root = makeTree({ 'a/SKILL.md': AMBIGUOUS, 'b/SKILL.md': skillMd('other') });
    expect((await runIn(root, ['check', '.', '--fix', '--dry-run'])).status).toBe(1);
    expect((await runIn(root, ['check', '.', '--fix=name', '--dry-run'])).status).toBe(0);
  });
});
