/** Folders as people have them: each a small tree, and what becomes of it. */
import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { LoadOptions } from '../../src/disk/loading.ts';
import type { SkillRoot } from '../../src/disk/roots.ts';
import { judgeSkills } from '../../src/judge/judge.ts';
import { loadSkills, SkillsError } from '../../src/load.ts';
import { makeTree, type Node, skillMd, toLine } from '../tree.ts';

type Roots = string | URL | SkillRoot | readonly (string | URL | SkillRoot)[];

/** What is wrong with roots, and the URIs that are published. */
async function judge(roots: Roots, options: LoadOptions = {}) {
  const reports = await judgeSkills(roots, options);
  return {
    problems: reports.flatMap(({ problems }) => problems.map(toLine)),
    uris: reports
      .flatMap(({ skills }) => skills.flatMap(({ uri, pinned }) => (pinned === undefined ? [] : uri)))
      .sort(),
  };
}

const judgeTree = (nodes: Readonly<Record<string, Node>>, options: LoadOptions = {}) => judge(makeTree(nodes), options);

/** The pattern of an option, as a shell passes it on. */
function readExclude(line: string | undefined): string[] {
  return [...(line ?? '').matchAll(/--exclude '((?:[^']|'\\'')*)'/g)].map(([, pattern = '']) =>
    pattern.replaceAll("'\\''", "'"),
  );
}

const good = { 'good/SKILL.md': skillMd('good') };
const uris = ['skill://good/SKILL.md'];

describe('a folder below which no skill lies', () => {
  const ignored = (path: string, name: string) =>
    `warning folder-ignored ${path} (-) the folder "${name}" contains no skill, and is ignored | leave it out with --exclude './${name}', or move the files into the skills that use them`;

  test('is ignored with a warning, whatever its name, and the rest is served', async () => {
    for (const [name, file] of [
      ['commands', 'a.md'],
      ['docs', 'x/y.md'],
      ['node_modules', 'x/scripts/index.js'],
      ['_lib', 'x.py'],
      ['_shared', 'references/style.md'],
      ['foo-workspace', 'iteration-1/eval-0/with_skill/out.md'],
      ['My Notes', 'a.md'],
      ['工具', 'a.md'],
    ] as const) {
      expect(await judgeTree({ ...good, [`${name}/${file}`]: 'x' })).toEqual({ problems: [ignored(name, name)], uris });
    }
    expect(await judgeTree({ ...good, empty: { folder: true } })).toEqual({
      problems: [ignored('empty', 'empty')],
      uris,
    });
  });

  test('makes one warning with all others of its root, and the hint leaves out those and nothing else', async () => {
    const nodes = {
      ...good,
      'good/docs/a.md': '',
      'commands/a.md': '',
      'docs/x/y.md': '',
      "it's/a.md": '',
      'group/one/SKILL.md': skillMd('one'),
      'group/docs/b.md': '',
    };
    const judged = await judgeTree(nodes);
    expect(judged).toEqual({
      problems: [
        `warning folder-ignored . (-) 4 folders contain no skill, and are ignored: "docs" in 2 places, "commands", "it's" | leave them out with --exclude './it'\\''s' --exclude './{commands,docs}' --exclude 'group/docs', or move the files into the skills that use them`,
      ],
      uris: ['skill://good/SKILL.md', 'skill://group/one/SKILL.md'],
    });
    const root = makeTree(nodes);
    const exclude = readExclude(judged.problems[0]);
    expect(await judge(root, { exclude })).toEqual({ problems: [], uris: judged.uris });
    const catalog = await loadSkills(root, { exclude });
    expect(catalog.read('skill://good/docs/a.md')?.size).toBe(0);
  });

  test('makes one line, however many there are: folders of one name are one entry', async () => {
    const plugins = Array.from({ length: 60 }, (_, at) => [
      [`p${at}/skills/s/SKILL.md`, skillMd('s')],
      [`p${at}/agents/a.md`, ''],
      [`p${at}/hooks/a.sh`, ''],
      [`p${at}/own-${at}/a.sh`, ''],
    ]);
    const { problems } = await judgeTree(Object.fromEntries(plugins.flat()));
    expect(problems).toEqual([
      expect.stringMatching(
        /^warning folder-ignored \. \(-\) 180 folders contain no skill, and are ignored: "agents" in 60 places, "hooks" in 60 places, "p0\/own-0", .* and 42 more \| move the files into the skills that use them, and pass the folders that contain skills: the others are not looked at then$/,
      ),
    ]);
  });

  test('whose name is bad hides no problem of the skills below it', async () => {
    const skills = { 'My Group/a/SKILL.md': skillMd('a'), 'My Group/In.ner/b/SKILL.md': skillMd('c') };
    const { problems, uris: published } = await judgeTree({ ...good, ...skills, 'my-group/notes.md': '' });
    expect(published).toEqual(uris);
    expect(problems).toEqual([
      'error folder-name My Group (-) the folder name "My Group" breaks the name rule (1 to 64 of a-z, 0-9 and single hyphens), so the 2 skills below it are not published | rename it to "my-group-2", or leave it out with --exclude \'./My Group\'',
      'error folder-name My Group/In.ner (-) the folder name "In.ner" breaks the name rule (1 to 64 of a-z, 0-9 and single hyphens), so the skill below it is not published | rename it to "in-ner", or leave it out with --exclude \'My Group/In.ner\'',
      expect.stringMatching(/^error name-mismatch My Group\/In\.ner\/b\/SKILL\.md:2:7\+1 /),
      ignored('my-group', 'my-group'),
    ]);
  });

  test('is an error where its name is bad and a skill lies below it', async () => {
    expect(await judgeTree({ ...good, '_shared/a/SKILL.md': skillMd('a') })).toEqual({
      problems: [
        'error folder-name _shared (-) the folder name "_shared" breaks the name rule (1 to 64 of a-z, 0-9 and single hyphens), so the skill below it is not published | rename it to "shared", or leave it out with --exclude \'./_shared\'',
      ],
      uris,
    });
  });

  test('does not make a root of it: a root without a skill is an error', async () => {
    const { problems } = await judgeTree({ 'commands/a.md': '' });
    expect(problems.map((line) => line.split(' ').slice(0, 3))).toEqual([
      ['error', 'root-empty', '.'],
      ['warning', 'folder-ignored', 'commands'],
    ]);
    await expect(loadSkills(makeTree({ 'commands/a.md': '' }), { invalid: 'skip' })).rejects.toThrow(SkillsError);
  });
});

describe('a skill that lost its SKILL.md', () => {
  const lost = (path: string, sign: string, repair = `add ${path}/SKILL.md`) =>
    `error group-empty ${path} (-) the folder "${path.slice(path.lastIndexOf('/') + 1)}" looks like a skill that lost its SKILL.md: ${sign} | ${repair}, or leave the folder out with --exclude '${path.includes('/') ? path : `./${path}`}'`;
  const sign = (file: string) => `the frontmatter of its "${file}" has a name and a description`;

  test('stays an error, which says what made the folder look like one', async () => {
    const nodes = {
      ...good,
      'a/scripts/run.py': '',
      'a/references/a.md': '',
      'b/assets/logo.svg': '',
      'c/c.md': skillMd('c'),
      'd/README.md': skillMd('other'),
      'e/notes.md': 'x',
      'e/e.md': skillMd('e'),
      'group/f/references/a.md': '',
      'group/f/scripts/a.py': '',
    };
    const judged = await judgeTree(nodes);
    expect(judged).toEqual({
      problems: [
        lost('a', 'it contains scripts/ and references/'),
        lost('b', 'it contains assets/'),
        lost('c', sign('c.md'), 'rename c/c.md to c/SKILL.md'),
        lost('d', sign('README.md')),
        lost('e', sign('e.md'), 'rename e/e.md to e/SKILL.md'),
        lost('group/f', 'it contains scripts/ and references/'),
      ],
      uris,
    });
    const exclude = judged.problems.flatMap(readExclude);
    expect(await judgeTree(nodes, { exclude })).toEqual({ problems: [], uris });
  });

  test('is not seen in the agents, commands, plugins and tests of a repository', async () => {
    const nodes = {
      ...good,
      'agents/reviewer.md': skillMd('reviewer'),
      'commands/review.md': skillMd('review'),
      'team/one.md': skillMd('one'),
      'team/two.md': skillMd('two'),
      'tests/scripts/run.sh': '',
      'plugin/.claude-plugin/plugin.json': '{}',
      'plugin/references/a.md': '',
      'docs/guide/assets/a.png': '',
      'node_modules/x/x.md': skillMd('x'),
    };
    expect((await judgeTree(nodes)).problems).toEqual([expect.stringMatching(/^warning folder-ignored \. /)]);
  });

  test('is read no further than its own files: a link is not followed to a description', async () => {
    const outside = makeTree({ 'x.md': skillMd('a') });
    const { problems } = await judgeTree({ ...good, 'a/a.md': { link: join(outside, 'x.md') } });
    expect(problems.map((line) => line.split(' ')[1])).toEqual(['folder-ignored']);
  });
});

describe('a link beside skills', () => {
  test('to a folder that it lies in is not to be copied', async () => {
    const root = makeTree({ ...good, 'group/good/SKILL.md': skillMd('good'), 'group/up': { link: '..' } });
    expect((await judge(root)).problems).toEqual([
      `error symlink group/up (-) "up" is a symbolic link to the folder "${root}", and links are not published | leave it out with --exclude 'group/up'`,
    ]);
  });

  test('to a file or to nothing is ignored with a warning, one line for all', async () => {
    const nodes = { ...good, 'AGENTS.md': '', 'CLAUDE.md': { link: 'AGENTS.md' } };
    expect(await judgeTree(nodes)).toEqual({
      problems: [
        'warning link-ignored CLAUDE.md (-) "CLAUDE.md" is a symbolic link beside the skills that leads to no folder, and is ignored | leave it out with --exclude \'./CLAUDE.md\'',
      ],
      uris,
    });
    expect(await judgeTree({ ...nodes, gone: { link: 'nowhere' }, loop: { link: 'loop' } })).toEqual({
      problems: [
        'warning link-ignored . (-) 3 symbolic links beside the skills lead to no folder, and are ignored: "CLAUDE.md", "gone", "loop" | leave them out with --exclude \'./{CLAUDE.md,gone,loop}\'',
      ],
      uris,
    });
  });

  test('to a folder stays an error, and names the folder that all of them lead to', async () => {
    const root = makeTree({
      '.agents/skills/pdf/SKILL.md': skillMd('pdf'),
      '.agents/skills/docx/SKILL.md': skillMd('docx'),
      '.claude/skills/pdf': { link: '../../.agents/skills/pdf' },
      '.claude/skills/docx': { link: '../../.agents/skills/docx' },
      '.one/pdf': { link: '../.agents/skills/pdf' },
      'mixed/good/SKILL.md': skillMd('good'),
      'mixed/pdf': { link: '../.agents/skills/pdf' },
    });
    const pass = `if that is where the skills are, pass "${root}/.agents/skills": mcp-server-skills check ${root}/.agents/skills; or`;
    expect(await judge(join(root, '.claude/skills'))).toEqual({
      problems: [
        `error symlink . (-) 2 symbolic links lead to folders in "${root}/.agents/skills", and links are not published: "docx", "pdf" | ${pass} put copies in their place`,
      ],
      uris: [],
    });
    const one = `"pdf" is a symbolic link to the folder "${root}/.agents/skills/pdf", and links are not published`;
    expect((await judge(join(root, '.one'))).problems).toEqual([
      `error symlink pdf (-) ${one} | ${pass} put a copy in its place`,
    ]);
    expect(await judge(join(root, 'mixed'))).toEqual({
      problems: [
        `error symlink pdf (-) ${one} | ${pass} put a copy in its place, or leave it out with --exclude './pdf'`,
      ],
      uris,
    });
    expect((await judge(join(root, '.agents/skills'))).uris).toEqual(['skill://docx/SKILL.md', 'skill://pdf/SKILL.md']);
  });

  test('to a folder in a folder that holds nothing else is no less an error', async () => {
    const outside = makeTree({ 'a/SKILL.md': skillMd('a') });
    const { problems } = await judgeTree({ ...good, 'installed/a': { link: join(outside, 'a') } });
    expect(problems.map((line) => line.split(' ').slice(0, 3))).toEqual([['error', 'symlink', 'installed/a']]);
  });
});

describe('hidden folders that hold skills', () => {
  test('are named where a root has no other', async () => {
    const root = makeTree({
      '.agents/skills/a/SKILL.md': skillMd('a'),
      '.agents/skills/b/SKILL.md': skillMd('b'),
      '.github/skills/c/SKILL.md': skillMd('c'),
      'skills/.curated/d/SKILL.md': skillMd('d'),
      '.git/x/SKILL.md': skillMd('x'),
    });
    expect((await judge(root)).problems).toEqual([
      `error root-empty . (-) the root contains no skill that is not hidden; hidden folders contain skills: "${root}/.agents/skills" (2), "${root}/.github/skills" (1), "${root}/skills/.curated" (1) | pass one of them: mcp-server-skills check ${root}/.agents/skills`,
    ]);
  });

  test('are named where a folder is ignored for them', async () => {
    const root = makeTree({ ...good, 'skills/.curated/d/SKILL.md': skillMd('d') });
    expect(await judge(root)).toEqual({
      problems: [
        `warning folder-ignored skills (-) the folder "skills" contains no skill that is not hidden, and is ignored; hidden folders contain skills: "${root}/skills/.curated" (1) | leave it out with --exclude './skills', and pass what is meant as a root of its own: mcp-server-skills check ${root}/skills/.curated`,
      ],
      uris,
    });
  });
});

describe('a root that is one skill', () => {
  test('is served under its own name, whatever its folder is called', async () => {
    const root = makeTree({
      'Repo_1/SKILL.md': skillMd('pdf-tools', undefined, '[a](references/a.md)\n'),
      'Repo_1/references/a.md': 'x',
      'Repo_1/.git/config': '',
    });
    const catalog = await loadSkills(join(root, 'Repo_1'));
    expect([
      catalog.problems,
      catalog.skills.map(({ uri, resources }) => [uri, resources.map((file) => file.uri)]),
    ]).toEqual([
      [],
      [['skill://pdf-tools/SKILL.md', ['skill://pdf-tools/SKILL.md', 'skill://pdf-tools/references/a.md']]],
    ]);
    expect(catalog.read('skill://pdf-tools/references/a.md')?.text).toBe('x');
    const prefixed = await judge({ path: join(root, 'Repo_1'), prefix: 'acme' });
    expect(prefixed.uris).toEqual(['skill://acme/pdf-tools/SKILL.md']);
  });

  test('among other skills, or in a folder called skills, has to have the name of its folder', async () => {
    const root = makeTree({
      'skills/foo/SKILL.md': skillMd('foo'),
      'skills/Bad_1/SKILL.md': skillMd('bad-1'),
      'team/foo/SKILL.md': skillMd('bar'),
      'team/other/SKILL.md': skillMd('other'),
    });
    expect(await judge(join(root, 'skills/foo'))).toEqual({ problems: [], uris: ['skill://foo/SKILL.md'] });
    expect(await judge(join(root, 'team/foo'))).toEqual({
      problems: [
        'error name-mismatch SKILL.md:2:7+3 (skill://foo/SKILL.md) the name "bar" is not the name of its folder, "foo" | write "name: foo", or rename the folder to "bar"',
      ],
      uris: [],
    });
    expect((await judge(join(root, 'skills/Bad_1'))).problems).toEqual([
      expect.stringMatching(/^error folder-name \. \(skill:\/\/Bad_1\/SKILL\.md\) /),
    ]);
    expect((await judge(join(root, 'team/foo'), { pathFrom: 'name' })).uris).toEqual(['skill://bar/SKILL.md']);
  });

  test('has the problems of a skill, at paths relative to itself', async () => {
    const nodes: Record<string, Node> = {
      'SKILL.md': '---\nname: Not A Name\ndescription: d\nday: 2026-01-01\n---\n',
      'a b.md': '',
      'link.md': { link: 'a b.md' },
      'node_modules/x.js': '',
    };
    const root = makeTree(Object.fromEntries(Object.entries(nodes).map(([path, node]) => [`one/${path}`, node])));
    const { problems } = await judge(join(root, 'one'));
    expect(problems.map((line) => line.split(' (')[0])).toEqual([
      'error name-invalid SKILL.md:2:7+10',
      'error yaml-ambiguous SKILL.md:4:6+10',
      'error path-characters a b.md',
      'error symlink link.md',
      'warning build-artifact node_modules',
    ]);
    expect(problems.flatMap(readExclude)).toEqual(['./a b.md', './link.md', 'node_modules']);
  });

  test('with too many files is told where they lie', async () => {
    const files = Array.from({ length: 600 }, (_, at) => [`one/docs/${at}.md`, '']);
    const root = makeTree({ 'one/SKILL.md': skillMd('one'), ...Object.fromEntries(files) });
    expect((await judge(join(root, 'one'))).problems).toEqual([
      'error too-many-files . (skill://one/SKILL.md) a skill may have 512 files, and counting stopped at 601; 600 of them are in "docs" | leave them out with --exclude \'./docs\', or split the skill into several',
    ]);
    expect((await judge(join(root, 'one'), { exclude: ['./docs'] })).uris).toEqual(['skill://one/SKILL.md']);
  });
});

describe('a SKILL.md below a skill', () => {
  test('is published as a file of the outer skill where that is asked for', async () => {
    const nodes = { 'foo/SKILL.md': skillMd('foo'), 'foo/bar/SKILL.md': skillMd('bar'), 'foo/bar/a.md': 'x' };
    const catalog = await loadSkills(makeTree(nodes), { nested: 'files' });
    expect([catalog.problems, catalog.skills.map(({ uri }) => uri)]).toEqual([[], ['skill://foo/SKILL.md']]);
    expect(catalog.skills[0]?.resources.map(({ uri, size }) => [uri, size])).toEqual([
      ['skill://foo/SKILL.md', skillMd('foo').length],
      ['skill://foo/bar/SKILL.md', skillMd('bar').length],
      ['skill://foo/bar/a.md', 1],
    ]);
    expect(catalog.get('skill://foo/bar/SKILL.md')).toBeUndefined();
    expect(catalog.read('skill://foo/bar/SKILL.md')?.text).toBe(skillMd('bar'));
    const one = await loadSkills(join(makeTree(nodes), 'foo'), { nested: 'files' });
    expect(one.skills).toEqual(catalog.skills);
  });

  test('counts into the limits of the outer skill', async () => {
    const files = Array.from({ length: 256 }, (_, at) => [
      [`foo/s${at}/SKILL.md`, skillMd(`s${at}`)],
      [`foo/s${at}/a.md`, ''],
    ]);
    const { problems, uris } = await judgeTree(
      { 'foo/SKILL.md': skillMd('foo'), ...Object.fromEntries(files.flat()) },
      { nested: 'files' },
    );
    expect([problems.map((line) => line.split(' ')[1]), uris]).toEqual([['too-many-files'], []]);
  });
});

describe('the last segment of a URI from the name', () => {
  test('is taken from a valid name, and else from the folder', async () => {
    const nodes = {
      'refund_flow/SKILL.md': skillMd('refund-flow'),
      'group/x/SKILL.md': skillMd('why'),
      'dated/SKILL.md': skillMd('old').replace('---\n\n', 'day: 2026-01-01\n---\n\n'),
      'bad/SKILL.md': skillMd('Bad Name'),
    };
    const { problems, uris } = await judgeTree(nodes, { pathFrom: 'name' });
    expect(uris).toEqual(['skill://group/why/SKILL.md', 'skill://refund-flow/SKILL.md']);
    expect(problems.map((line) => line.split(')')[0])).toEqual([
      'error name-invalid bad/SKILL.md:2:7+8 (skill://bad/SKILL.md',
      'error yaml-ambiguous dated/SKILL.md:4:6+10 (skill://old/SKILL.md',
    ]);
    expect((await judgeTree(nodes)).uris).toEqual([]);
  });

  test('refuses two skills at one URI, and one inside another', async () => {
    const nodes = {
      'a/SKILL.md': skillMd('same'),
      'b/SKILL.md': skillMd('same'),
      'g/c/SKILL.md': skillMd('c'),
      'h/SKILL.md': skillMd('g'),
    };
    const { problems, uris } = await judgeTree(nodes, { pathFrom: 'name' });
    expect(problems.map((line) => line.split(' ').slice(1, 3))).toEqual([
      ['duplicate-uri', 'a'],
      ['duplicate-uri', 'b'],
      ['nested-skill', 'g/c'],
    ]);
    expect(problems[0]).toMatch(/ \| rename one of the skills$/);
    expect(uris).toEqual(['skill://g/SKILL.md']);
  });
});

describe('links that git wrote as text', () => {
  const looks = 'looks like a symbolic link that git wrote as a text file (core.symlinks=false): it contains only';
  const vain = 'git clone -c core.symlinks=true makes links again, and links are not published';

  test('are an error as SKILL.md, and a warning in a skill and in the place of one', async () => {
    const nodes = {
      ...good,
      'good/ref.md': '../../shared/ref.md',
      'a/SKILL.md': '../../SKILL.md',
      foo: '../../.agents/skills/foo',
    };
    expect(await judgeTree(nodes)).toEqual({
      problems: [
        `error link-as-text a/SKILL.md (skill://a/SKILL.md) "SKILL.md" ${looks} "../../SKILL.md" | put a copy of "../../SKILL.md" in its place; ${vain}`,
        `warning link-as-text-file foo (-) "foo" ${looks} "../../.agents/skills/foo" | put a copy of "../../.agents/skills/foo" in its place; ${vain}`,
        `warning link-as-text-file good/ref.md (skill://good/SKILL.md) "ref.md" ${looks} "../../shared/ref.md" | put a copy of "../../shared/ref.md" in its place; ${vain}`,
      ],
      uris,
    });
  });

  test('are one warning a skill', async () => {
    const { problems } = await judgeTree({
      ...good,
      'good/a.md': '../a.md',
      'good/b/c.md': '../../c.md',
      'good/d': 'b/c.md',
    });
    expect(problems).toEqual([
      `warning link-as-text-file good (skill://good/SKILL.md) 3 files look like symbolic links that git wrote as text files (core.symlinks=false), and contain only a path each: "a.md", "b/c.md", "d" | put copies in their place; ${vain}`,
    ]);
  });

  test('are nothing else: a line end, words, versions, and paths to nothing in the skill are content', async () => {
    const contents = [
      '../a.md\n',
      '1.2.3',
      'see ../a.md',
      'other.md',
      '../a b\n../c',
      '...',
      '/etc/passwd',
      '',
      'x/y',
      '..\u0000',
    ];
    const files = contents.map((content, at) => [`good/f${at}.txt`, content]);
    expect((await judgeTree({ ...good, ...Object.fromEntries(files) })).problems).toEqual([]);
  });

  test('make a root empty where all its skills are such files', async () => {
    const { problems } = await judgeTree({ pdf: '../.agents/skills/pdf', docx: '../.agents/skills/docx' });
    expect(problems.map((line) => line.split(' ').slice(0, 3))).toEqual([
      ['warning', 'link-as-text-file', '.'],
      ['error', 'root-empty', '.'],
    ]);
  });
});

describe('a skill that is too large', () => {
  const makeLarge = (sizes: Readonly<Record<string, number>>, body = '') => {
    const root = makeTree({ ...good, 'foo/SKILL.md': skillMd('foo', undefined, body) });
    for (const [path, size] of Object.entries(sizes)) {
      mkdirSync(join(root, path, '..'), { recursive: true });
      writeFileSync(join(root, path), '', { flag: 'a' });
      truncateSync(join(root, path), size);
    }
    return root;
  };
  const hintOf = async (sizes: Readonly<Record<string, number>>, body = '') => {
    const root = makeLarge(sizes, body);
    const line = (await judge(root)).problems.find((each) => each.includes('too-many-bytes')) ?? '';
    const exclude = readExclude(line);
    if (exclude.length > 0) expect((await judge(root, { exclude })).uris).toContain('skill://foo/SKILL.md');
    return line.slice(line.indexOf(' | ') + 3).replace(', or split the skill into several', '');
  };

  test('is told the smallest folder that is enough, build output first, and how many files of it SKILL.md names', async () => {
    expect(await hintOf({ 'foo/tools/target/a/x': 17e6, 'foo/tools/run.py': 10 })).toBe(
      "leave them out with --exclude 'foo/tools/target'",
    );
    expect(await hintOf({ 'foo/tools/target/x': 9e6, 'foo/data/x': 15e6 })).toBe(
      "leave them out with --exclude 'foo/tools/target'",
    );
    expect(await hintOf({ 'foo/docs/big/x': 9e6, 'foo/docs/big/y': 9e6, 'foo/docs/small': 10 })).toBe(
      "leave them out with --exclude 'foo/docs/big/x'",
    );
    expect(await hintOf({ 'foo/data/x': 17e6 }, 'Read data/x and data/none.\n')).toBe(
      "leave them out with --exclude 'foo/data' (SKILL.md names 1 file of it)",
    );
  });

  test('is told as many parts as it takes', async () => {
    expect(await hintOf({ 'foo/a/x': 10e6, 'foo/a/y': 10e6, 'foo/b/x': 10e6, 'foo/b/y': 10e6, 'foo/c': 1e6 })).toBe(
      "leave them out with --exclude 'foo/a' --exclude 'foo/b'",
    );
  });

  test('is told where SKILL.md itself is too large, and without it its other files are not gone without a word', async () => {
    const root = makeLarge({ 'foo/SKILL.md': 17e6, 'foo/a.md': 1 });
    expect((await judge(root)).problems).toEqual([
      'error too-many-bytes foo (skill://foo/SKILL.md) a skill may have 16777216 bytes, and SKILL.md alone has 17000000 | shorten SKILL.md, and move what is not always needed into other files or other skills',
    ]);
    expect(await judge(root, { exclude: ['foo/SKILL.md'] })).toEqual({
      problems: [
        'warning folder-ignored foo (-) the folder "foo" contains no skill, and is ignored; an exclude pattern leaves out the SKILL.md of "foo" | leave it out with --exclude \'./foo\', or move the files into the skills that use them',
      ],
      uris,
    });
    expect(await judge(root, { exclude: ['foo/*'] })).toEqual({ problems: [], uris });
  });

  test('by its files is told the folder that is enough, too', async () => {
    const files = Array.from({ length: 600 }, (_, at) => [`foo/tools/gen/${at}.md`, '']);
    const root = makeTree({
      'foo/SKILL.md': skillMd('foo', undefined, 'See tools/gen/7.md.\n'),
      'foo/tools/run.py': '',
      ...Object.fromEntries(files),
    });
    const { problems } = await judge(root);
    expect(problems).toEqual([
      'error too-many-files foo (skill://foo/SKILL.md) a skill may have 512 files, and counting stopped at 602; 600 of them are in "tools/gen" | leave them out with --exclude \'foo/tools/gen\' (SKILL.md names 1 file of it), or split the skill into several',
    ]);
    expect((await judge(root, { exclude: ['foo/tools/gen'] })).uris).toEqual(['skill://foo/SKILL.md']);
  });
});

test('a root whose skills are all excluded is empty', async () => {
  expect(await judgeTree(good, { exclude: ['SKILL.md'] })).toEqual({
    problems: [
      'error root-empty . (-) the root contains no skill but what exclude patterns leave out | leave an --exclude out',
    ],
    uris: [],
  });
});
