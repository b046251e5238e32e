import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, renameSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { judgeSkills } from '../../src/judge/judge.ts';
import { makeTree, type Node, skillMd, toLine } from '../tree.ts';

/** Everything that is wrong with a tree, and the paths of the skills that are sound. */
async function judge(nodes: Readonly<Record<string, Node>>, exclude: readonly string[] = []) {
  return judgeFolder(makeTree(nodes), exclude);
}

async function judgeFolder(root: string, exclude: readonly string[] = []) {
  const [report] = await judgeSkills(root, { exclude });
  return {
    problems: report?.problems.map(toLine),
    sound: report?.skills.filter(({ pinned }) => pinned !== undefined).map(({ path }) => path),
  };
}

const good = { 'good/SKILL.md': skillMd('good') };

describe('what lies in a root', () => {
  test('skills in the root and in groups at any depth; files beside them belong to nobody', async () => {
    const nodes = {
      ...good,
      'README.md': 'x',
      'billing/notes.txt': 'x',
      'billing/refunds/SKILL.md': skillMd('refunds'),
      'billing/eu/vat/deep/SKILL.md': skillMd('deep'),
    };
    expect(await judge(nodes)).toEqual({ problems: [], sound: ['billing/eu/vat/deep', 'billing/refunds', 'good'] });
  });

  test('a skill with other skills below it', async () => {
    const hint =
      "leave the SKILL.md of the root out with --exclude './SKILL.md', or publish all of it as one skill with --nested files";
    const nodes = { 'SKILL.md': skillMd('a'), ...good };
    expect(await judge(nodes)).toEqual({
      problems: [
        `error root-is-skill . (-) the root contains a SKILL.md, so it is a skill, and 1 other skill is below it: "good" | ${hint}`,
      ],
      sound: [],
    });
    expect(await judge(nodes, ['./SKILL.md'])).toEqual({ problems: [], sound: ['good'] });
    const root = makeTree({ 'SKILL.md': skillMd('a'), 'skills/b/SKILL.md': skillMd('b'), 'skills/c/d/SKILL.md': '' });
    expect(await judgeFolder(root)).toEqual({
      problems: [
        `error root-is-skill . (-) the root contains a SKILL.md, so it is a skill, and 2 other skills are below it: "skills/b", "skills/c/d" | pass the folder that contains the others: mcp-server-skills check ${root}/skills; ${hint}`,
      ],
      sound: [],
    });
  });

  test('an empty root, and a root of files alone', async () => {
    const empty = {
      problems: [
        'error root-empty . (-) the root contains no skill: no folder below it has a SKILL.md | give each skill a folder of its own in the root: my-skill/SKILL.md',
      ],
      sound: [],
    };
    expect(await judge({})).toEqual(empty);
    expect(await judge({ 'README.md': 'x' })).toEqual(empty);
  });

  test('folder names that no skill or group may have are refused as a whole', async () => {
    const nodes = {
      ...good,
      'My Skill/SKILL.md': skillMd('my-skill'),
      '-x/SKILL.md': skillMd('good'),
      'node_modules/x/SKILL.md': skillMd('x'),
      'a--b/c/SKILL.md': skillMd('c'),
    };
    expect(await judge(nodes)).toEqual({
      problems: [
        'error folder-name -x (skill://-x/SKILL.md) the folder name "-x" breaks the name rule (1 to 64 of a-z, 0-9 and single hyphens) | rename the folder to "good-2", and write "name: good-2" into its SKILL.md: "good" exists already',
        'error folder-name My Skill (skill://My Skill/SKILL.md) the folder name "My Skill" breaks the name rule (1 to 64 of a-z, 0-9 and single hyphens) | rename the folder to "my-skill"',
        'error folder-name a--b (-) the folder name "a--b" breaks the name rule (1 to 64 of a-z, 0-9 and single hyphens), so the skill below it is not published | rename it to "a-b", or leave it out with --exclude \'./a--b\'',
        'error folder-name node_modules (-) the folder name "node_modules" breaks the name rule (1 to 64 of a-z, 0-9 and single hyphens), so the skill below it is not published | leave it out with --exclude \'./node_modules\'',
      ],
      sound: ['good'],
    });
  });

  test('a folder called SKILL.md', async () => {
    expect(await judge({ ...good, 'a/SKILL.md/notes.md': '' })).toEqual({
      problems: [
        'error folder-name a/SKILL.md (-) "SKILL.md" is a folder, and what makes a skill is a file of that name | move what is in it one folder up, and write a/SKILL.md as a file',
      ],
      sound: ['good'],
    });
  });

  test.skipIf(process.platform !== 'linux')('names that are no UTF-8', async () => {
    const root = makeTree({ ...good, 'a/SKILL.md': skillMd('a') });
    const name = Buffer.concat([Buffer.from(`${root}/a/x`), Buffer.from([0xff])]);
    writeFileSync(name, '');
    mkdirSync(Buffer.concat([Buffer.from(`${root}/y`), Buffer.from([0xff])]));
    expect(await judgeFolder(root)).toEqual({
      problems: [
        'error path-characters a/x\ufffd (skill://a/SKILL.md) the name "x\ufffd" has a character that a URI would have to escape: "\ufffd" (U+FFFD); only A-Z a-z 0-9 . _ ~ - are published | rename it to "x", or leave it out with --exclude \'a/x\ufffd\'',
        'error unreadable y\ufffd (-) "y\ufffd" cannot be read: its name is not UTF-8 | rename it, or leave it out with --exclude \'./y\ufffd\'',
      ],
      sound: ['good'],
    });
  });

  test('SKILL.md in another case', async () => {
    expect(await judge({ 'a/skill.md': skillMd('a'), 'b/Skill.MD': skillMd('b') })).toEqual({
      problems: [
        'error skill-file-case a/skill.md (skill://a/SKILL.md) the file is called "skill.md", and hosts look for "SKILL.md" | rename it to SKILL.md',
        'error skill-file-case b/Skill.MD (skill://b/SKILL.md) the file is called "Skill.MD", and hosts look for "SKILL.md" | rename it to SKILL.md',
      ],
      sound: [],
    });
  });

  test('a name that is not the folder’s', async () => {
    expect(await judge({ ...good, 'banner/SKILL.md': skillMd('acme-banner') })).toEqual({
      problems: [
        'error name-mismatch banner/SKILL.md:2:7+11 (skill://banner/SKILL.md) the name "acme-banner" is not the name of its folder, "banner" | write "name: banner", or rename the folder to "acme-banner"',
      ],
      sound: ['good'],
    });
  });
});

describe('what lies in a skill', () => {
  test('a skill inside a skill', async () => {
    expect(await judge({ ...good, 'a/SKILL.md': skillMd('a'), 'a/b/SKILL.md': skillMd('b') })).toEqual({
      problems: [
        'error nested-skill a/b/SKILL.md (skill://a/SKILL.md) a SKILL.md below the skill "a": the Skills extension allows it, and this server refuses it, because hosts differ in whether it is a skill of its own | move "a/b" out of "a", or publish it as files of "a" with --nested files',
      ],
      sound: ['good'],
    });
  });

  test('links in every place, followed nowhere', async () => {
    const nodes: Record<string, Node> = {
      ...good,
      'a/SKILL.md': skillMd('a'),
      'a/file.md': { link: '/etc/hostname' },
      'a/folder': { link: '..' },
      'b/SKILL.md': { link: '../good/SKILL.md' },
      'group/c': { link: '../good' },
    };
    const root = makeTree(nodes);
    expect(await judgeFolder(root)).toEqual({
      problems: [
        'error symlink a (skill://a/SKILL.md) the skill has 2 symbolic links, and links are not published: "file.md", "folder" | put copies in their place, or leave them out with --exclude \'a/{file.md,folder}\'',
        'error symlink b/SKILL.md (skill://b/SKILL.md) "SKILL.md" is a symbolic link, and links are not published | put a copy in its place, or leave the skill out with --exclude \'./b\'',
        `error symlink group/c (-) "c" is a symbolic link to the folder "${root}/good", and links are not published | put a copy in its place, or leave it out with --exclude 'group/c'`,
      ],
      sound: ['good'],
    });
  });

  test.skipIf(process.platform === 'win32')('a FIFO and a socket', async () => {
    const root = makeTree({ ...good, 'a/SKILL.md': skillMd('a'), 'b/SKILL.md': skillMd('b') });
    execFileSync('mkfifo', [join(root, 'a/pipe')]);
    const socket = createServer().listen(join(root, 'b/sock'));
    await new Promise((resolve) => socket.once('listening', resolve));
    const judged = await judgeFolder(root);
    socket.close();
    expect(judged).toEqual({
      problems: [
        'error special-file a/pipe (skill://a/SKILL.md) "pipe" is neither a regular file nor a folder, but a socket, a FIFO or a device | remove it, or leave it out with --exclude \'a/pipe\'',
        'error special-file b/sock (skill://b/SKILL.md) "sock" is neither a regular file nor a folder, but a socket, a FIFO or a device | remove it, or leave it out with --exclude \'b/sock\'',
      ],
      sound: ['good'],
    });
  });

  test('characters that a URI would have to escape, the first bad segment once', async () => {
    const nodes = {
      ...good,
      'a/SKILL.md': skillMd('a'),
      'a/references/my notes.md': '',
      'a/docs/说明.md': '',
      'a/app/[id]/page.tsx': '',
      'a/app/[id]/x y.tsx': '',
      'a/caf\u0065\u0301.md': '',
      'a/100%.md': '',
    };
    const fault = (path: string, name: string, character: string, code: string, rename: string, pattern = path) =>
      `error path-characters ${path} (skill://a/SKILL.md) the name "${name}" has a character that a URI would have to escape: "${character}" (U+${code}); only A-Z a-z 0-9 . _ ~ - are published | ${rename}, or leave it out with --exclude '${pattern}'`;
    expect(await judge(nodes)).toEqual({
      problems: [
        fault('a/100%.md', '100%.md', '%', '0025', 'rename it to "100-.md"'),
        fault('a/app/[id]', '[id]', '[', '005B', 'rename it to "id"', 'a/app/\\[id\\]'),
        fault('a/caf\u0065\u0301.md', 'caf\u0065\u0301.md', '\u0301', '0301', 'rename it to "cafe.md"'),
        fault('a/docs/说明.md', '说明.md', '说', '8BF4', 'rename it'),
        fault('a/references/my notes.md', 'my notes.md', ' ', '0020', 'rename it to "my-notes.md"'),
      ],
      sound: ['good'],
    });
  });

  test.skipIf(process.platform === 'win32')(
    'a backslash and a line feed in a name are characters, not separators',
    async () => {
      const { problems, sound } = await judge({
        ...good,
        'a/SKILL.md': skillMd('a'),
        'a/b\\c.md': '',
        'a/b\nc.md': '',
      });
      expect(problems?.map((line) => line.slice(0, line.indexOf(' (')))).toEqual([
        'error path-characters a/b\nc.md',
        'error path-characters a/b\\c.md',
      ]);
      expect(sound).toEqual(['good']);
    },
  );

  test.skipIf(process.platform !== 'linux')('paths that differ only in case', async () => {
    const nodes = {
      ...good,
      'a/SKILL.md': skillMd('a'),
      'a/skill.md': '',
      'a/README.md': '',
      'a/readme.md': '',
      'a/Docs/a.md': '',
      'a/docs/b.md': '',
    };
    const fault = (path: string, first: string) =>
      `error case-collision a/${path} (skill://a/SKILL.md) "${path}" and "${first}" differ only in case, and many disks cannot store both | rename one of the two`;
    expect(await judge(nodes)).toEqual({
      problems: [fault('docs', 'Docs'), fault('readme.md', 'README.md'), fault('skill.md', 'SKILL.md')],
      sound: ['good'],
    });
  });

  test('hidden names are skipped, and those that somebody may miss are reported once a skill', async () => {
    const nodes = {
      'a/SKILL.md': skillMd(
        'a',
        undefined,
        'Copy `assets/.eslintrc`, ./assets/.gitignore and .config/x.json. Ignore .gitattributes.\n',
      ),
      'a/.config/x.json': '',
      'a/.env': '',
      'a/.env.example': '',
      'a/.env.local': '',
      'a/.DS_Store': '',
      'a/.gitattributes': '',
      'a/.gitignore': '',
      'a/.secret/token.txt': '',
      'a/assets/.eslintrc': '',
      'a/assets/.gitignore': '',
      'a/assets/.gitkeep': '',
      'a/templates/_rels/.rels': '',
    };
    expect(await judge(nodes)).toEqual({
      problems: [
        'warning hidden-skipped a (skill://a/SKILL.md) skipped 6 hidden entries, because names that begin with a dot are not published: .config/, .env, .env.local, assets/.eslintrc, assets/.gitignore, templates/_rels/.rels | rename what the skill needs',
      ],
      sound: ['a'],
    });
    expect(await judge({ 'b/SKILL.md': skillMd('b'), 'b/.gitignore': '', 'b/x/.gitkeep': '' })).toEqual({
      problems: [],
      sound: ['b'],
    });
  });

  test('of names that are skipped, a hundred are spelled out', async () => {
    const names = Array.from({ length: 102 }, (_, i) => `.env.n${100 + i}`);
    const nodes = Object.fromEntries(names.map((name) => [`a/${name}`, '']));
    expect(await judge({ 'a/SKILL.md': skillMd('a'), ...nodes })).toEqual({
      problems: [
        `warning hidden-skipped a (skill://a/SKILL.md) skipped 102 hidden entries, because names that begin with a dot are not published: ${names.slice(0, 100).join(', ')} and 2 more | rename what the skill needs`,
      ],
      sound: ['a'],
    });
  });

  test('build output is published, with a warning that shows how to leave it out; the option shown does', async () => {
    const nodes = {
      'a/SKILL.md': skillMd('a'),
      'a/node_modules/x/index.js': '',
      'a/node_modules/y/index.js': '',
      'a/scripts/__pycache__/m.cpython-312.pyc': '',
      'a/z.pyc': '',
      'a/z.pyo': '',
      'target/SKILL.md': skillMd('target'),
      'target/target/debug/x': '',
    };
    const fault = (path: string, what: string, pattern: string, skill = 'a') =>
      `warning build-artifact ${path} (skill://${skill}/SKILL.md) ${what} looks like build output, and is part of the skill | leave it out with --exclude '${pattern}'`;
    expect(await judge(nodes)).toEqual({
      problems: [
        fault('a/node_modules', 'the folder "node_modules"', 'node_modules'),
        fault('a/scripts/__pycache__', 'the folder "__pycache__"', '__pycache__'),
        fault('a/z.pyc', '"z.pyc"', '*.pyc'),
        fault('a/z.pyo', '"z.pyo"', '*.pyo'),
        // a skill may be called that, and would be left out without a word
        fault('target/target', 'the folder "target"', 'target/target', 'target'),
      ],
      sound: ['a', 'target'],
    });
    expect(await judge(nodes, ['node_modules', '__pycache__', '*.pyc', '*.pyo', 'target/target'])).toEqual({
      problems: [],
      sound: ['a', 'target'],
    });
  });

  test('the links of a package manager are one problem a folder', async () => {
    const links = ['@x/y', 'a', 'b'].map((name): [string, Node] => [`a/lib/node_modules/${name}`, { link: '.pnpm/x' }]);
    const nodes = { 'a/SKILL.md': skillMd('a'), 'a/link': { link: 'x' }, ...Object.fromEntries(links) };
    expect(await judge(nodes)).toEqual({
      problems: [
        'error symlink a/lib/node_modules (skill://a/SKILL.md) the folder "node_modules" looks like build output and contains 3 symbolic links, and links are not published | leave it out with --exclude \'node_modules\'',
        'error symlink a/link (skill://a/SKILL.md) "link" is a symbolic link, and links are not published | put a copy in its place, or leave it out with --exclude \'a/link\'',
      ],
      sound: [],
    });
    expect(await judge(nodes, ['node_modules', 'a/link'])).toEqual({ problems: [], sound: ['a'] });
  });
});

describe('limits', () => {
  const files = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`a/docs/${i}.md`, 'x']));

  test('512 files pass, 513 do not, SKILL.md counted', async () => {
    expect(await judge({ 'a/SKILL.md': skillMd('a'), ...files(511) })).toEqual({ problems: [], sound: ['a'] });
    expect(await judge({ ...good, 'a/SKILL.md': skillMd('a'), ...files(512) })).toEqual({
      problems: [
        'error too-many-files a (skill://a/SKILL.md) a skill may have 512 files, and counting stopped at 513; 512 of them are in "docs" | leave them out with --exclude \'a/docs\', or split the skill into several',
      ],
      sound: ['good'],
    });
    expect(await judge({ 'a/SKILL.md': skillMd('a'), ...files(600) }, ['a/docs/*'])).toEqual({
      problems: [],
      sound: ['a'],
    });
  });

  test('16 MiB pass, one byte more does not, and no byte of it is read', async () => {
    const root = makeTree({ ...good, 'a/SKILL.md': skillMd('a'), 'a/data/zeros.bin': '' });
    const room = 16_777_216 - skillMd('a').length;
    truncateSync(join(root, 'a/data/zeros.bin'), room);
    expect((await judgeFolder(root)).sound).toEqual(['a', 'good']);
    truncateSync(join(root, 'a/data/zeros.bin'), room + 1);
    expect(await judgeFolder(root)).toEqual({
      problems: [
        `error too-many-bytes a (skill://a/SKILL.md) a skill may have 16777216 bytes, and this one has 16777217; ${room + 1} of them are in "data", and the largest file is "data/zeros.bin" with ${room + 1} | leave them out with --exclude 'a/data', or split the skill into several`,
      ],
      sound: ['good'],
    });
    // a sparse file of 100 GB could not be read in the time of a test
    truncateSync(join(root, 'a/data/zeros.bin'), 100e9);
    expect((await judgeFolder(root)).sound).toEqual(['good']);
  });

  test('a file whose answer would close a stdio connection is published with a warning', async () => {
    // less what comes with the end of it at once, the URI, and what is around them
    const room = 10 * 1024 * 1024 - 64 * 1024 - 2048 - 'skill://a/blob.bin'.length;
    const nodes = {
      'a/SKILL.md': skillMd('a'),
      'a/blob-fits.bin': new Uint8Array(Math.floor(room / 4) * 3).fill(0xff),
      'a/text-fits.txt': 'x'.repeat(room - 2),
    };
    expect(await judge({ ...nodes })).toEqual({
      problems: [
        // the two together are over the limit of a skill
        expect.stringMatching(/^error too-many-bytes a /),
      ],
      sound: [],
    });
    expect(await judge({ 'a/SKILL.md': skillMd('a'), 'a/blob.bin': nodes['a/blob-fits.bin'] })).toEqual({
      problems: [],
      sound: ['a'],
    });
    expect(await judge({ 'a/SKILL.md': skillMd('a'), 'a/text.txt': nodes['a/text-fits.txt'] })).toEqual({
      problems: [],
      sound: ['a'],
    });
    const warning = (name: string, size: number) =>
      `warning message-size a/${name} (skill://a/SKILL.md) a file of ${size} bytes makes a response of more than 10 MB, at which the official client closes a stdio connection | split the file, or serve it over HTTP`;
    const blob = new Uint8Array(nodes['a/blob-fits.bin'].length + 3).fill(0xff);
    expect(await judge({ 'a/SKILL.md': skillMd('a'), 'a/blob.bin': blob })).toEqual({
      problems: [warning('blob.bin', blob.length)],
      sound: ['a'],
    });
    expect(await judge({ 'a/SKILL.md': skillMd('a'), 'a/text.txt': `${nodes['a/text-fits.txt']}x` })).toEqual({
      problems: [warning('text.txt', room - 1)],
      sound: ['a'],
    });
    const quotes = '"'.repeat(room / 2);
    expect(await judge({ 'a/SKILL.md': skillMd('a'), 'a/quotes.txt': quotes })).toEqual({
      problems: [warning('quotes.txt', quotes.length)],
      sound: ['a'],
    });
  });
});

describe('where most files lie', () => {
  const most = async (counts: Readonly<Record<string, number>>) => {
    const paths = Object.entries(counts).flatMap(([folder, count]) =>
      Array.from({ length: count }, (_, i) => `a/${folder.replace('*', String(i))}/${i}`),
    );
    const nodes = Object.fromEntries(paths.map((path) => [path, '']));
    const { problems = [] } = await judge({ 'a/SKILL.md': skillMd('a'), ...nodes });
    const [line = ''] = problems.filter((each) => each.startsWith('error too-many-files'));
    return line.slice(line.indexOf('counting'), line.indexOf(', or split'));
  };

  test('build output is named before what was counted first', async () => {
    expect(await most({ assets: 400, 'node_modules/*': 600 })).toBe(
      'counting stopped at 513; 112 of them are in "node_modules", with 488 more folders to look into | leave them out with --exclude \'a/node_modules\'',
    );
    expect(await most({ docs: 500, 'lib/node_modules': 50 })).toBe(
      'counting stopped at 551; 50 of them are in "lib/node_modules" | leave them out with --exclude \'a/lib/node_modules\'',
    );
  });

  test('what is too much by itself is named before build output', async () => {
    expect(await most({ docs: 520, node_modules: 5 })).toBe(
      'counting stopped at 521; 520 of them are in "docs" | leave them out with --exclude \'a/docs\'',
    );
  });

  test('folders that were not looked into count', async () => {
    expect(await most({ docs: 400, 'pages/*': 600 })).toBe(
      'counting stopped at 513; 112 of them are in "pages", with 488 more folders to look into | leave them out with --exclude \'a/pages\'',
    );
  });
});

describe('what cannot be read', () => {
  // the superuser reads everything, so the test looks through the eyes of nobody
  const asNobody = async <T>(work: () => Promise<T>): Promise<T> => {
    if (process.geteuid?.() !== 0) return work();
    process.seteuid?.(65534);
    try {
      return await work();
    } finally {
      process.seteuid?.(0);
    }
  };

  test.skipIf(process.platform === 'win32')(
    'a file, a folder of a skill and a group, each its own problem',
    async () => {
      const root = makeTree({
        ...good,
        'a/SKILL.md': skillMd('a'),
        'a/secret.md': '',
        'b/SKILL.md': skillMd('b'),
        'b/locked/x.md': '',
        'd/SKILL.md': skillMd('d'),
        'group/c/SKILL.md': skillMd('c'),
      });
      for (const path of ['a/secret.md', 'b/locked', 'd/SKILL.md', 'group']) chmodSync(join(root, path), 0);
      chmodSync(root, 0o755);
      const judged = await asNobody(() => judgeFolder(root));
      for (const path of ['b/locked', 'group']) chmodSync(join(root, path), 0o755);
      const fault = (path: string, skill: string) => {
        const name = path.slice(path.lastIndexOf('/') + 1);
        return `error unreadable ${path} (${skill}) "${name}" cannot be read: permission denied | make it readable for the user that runs this, or leave it out with --exclude '${path.includes('/') ? path : `./${path}`}'`;
      };
      expect(judged).toEqual({
        problems: [
          fault('a/secret.md', 'skill://a/SKILL.md'),
          fault('b/locked', 'skill://b/SKILL.md'),
          'error unreadable d/SKILL.md (skill://d/SKILL.md) "SKILL.md" cannot be read: permission denied | make it readable for the user that runs this, or leave the skill out with --exclude \'./d\'',
          fault('group', '-'),
        ],
        sound: ['good'],
      });
    },
  );

  test.skipIf(process.platform !== 'linux')('a path that is too long', async () => {
    const deep = Array.from({ length: 12 }, () => 'd'.repeat(200)).join('/');
    const root = makeTree({ ...good, 'a/SKILL.md': skillMd('a'), [`a/${deep}/x`]: '', [`tail/${deep}/x`]: '' });
    // no call takes the whole path
    renameSync(join(root, 'tail'), join(root, 'a', deep, 'tail'));
    const { problems = [], sound } = await judgeFolder(root);
    renameSync(join(root, 'a', deep, 'tail'), join(root, 'tail'));
    expect([problems.map((line) => line.replaceAll(/d{200}(?:\/(?:d{200}|tail))*/g, '…')), sound]).toEqual([
      [
        'error unreadable a/… (skill://a/SKILL.md) "…" cannot be read: its path is too long | shorten the path, or leave it out with --exclude \'a/…\'',
      ],
      ['good'],
    ]);
  });
});

describe('what stands in the place of SKILL.md', () => {
  test.skipIf(process.platform === 'win32')(
    'is never left out alone: the skill would be gone without a word',
    async () => {
      const root = makeTree({ ...good, 'a/x.md': '' });
      execFileSync('mkfifo', [join(root, 'a/SKILL.md')]);
      expect(await judgeFolder(root)).toEqual({
        problems: [
          'error special-file a/SKILL.md (skill://a/SKILL.md) "SKILL.md" is neither a regular file nor a folder, but a socket, a FIFO or a device | put a regular file in its place, or leave the skill out with --exclude \'./a\'',
        ],
        sound: ['good'],
      });
    },
  );
});

describe('what is left out', () => {
  test('globs are relative to the root; without a slash they match at any depth, with "./" only there', async () => {
    const nodes = {
      ...good,
      'drafts/a/SKILL.md': 'not a skill yet',
      'good/drafts/b.md': '',
      'group/c/SKILL.md': skillMd('c'),
      'group/c/drafts/x.md': '',
    };
    const filesOf = async (...exclude: string[]) => {
      const [report] = await judgeSkills(makeTree(nodes), { exclude });
      return [report?.problems.map(({ code }) => code), report?.skills.map(({ path, files }) => `${path} ${files}`)];
    };
    expect(await filesOf('drafts')).toEqual([[], ['good 1', 'group/c 1']]);
    expect(await filesOf('./drafts')).toEqual([[], ['good 2', 'group/c 2']]);
    expect(await filesOf('drafts/**')).toEqual([[], ['good 2', 'group/c 2']]);
    expect(await filesOf('./drafts', 'group/**/x.md')).toEqual([[], ['good 2', 'group/c 1']]);
    expect(await filesOf('drafts', 'group/c')).toEqual([[], ['good 1']]);
  });

  test('of a folder with thousands of folders, only the first 512 files are looked at', async () => {
    const root = makeTree({ ...good, 'a/SKILL.md': skillMd('a') });
    for (let i = 0; i < 2000; i++) {
      const folder = join(root, 'a/node_modules', `p${i}`);
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 'index.js'), '');
    }
    expect(await judgeFolder(root)).toEqual({
      problems: [
        'error too-many-files a (skill://a/SKILL.md) a skill may have 512 files, and counting stopped at 513; 512 of them are in "node_modules", with 1488 more folders to look into | leave them out with --exclude \'a/node_modules\', or split the skill into several',
        'warning build-artifact a/node_modules (skill://a/SKILL.md) the folder "node_modules" looks like build output, and is part of the skill | leave it out with --exclude \'node_modules\'',
      ],
      sound: ['good'],
    });
  });
});
