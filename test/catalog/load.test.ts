import { createHash } from 'node:crypto';
import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parseRoot } from '../../src/disk/roots.ts';
import { judgeSkills } from '../../src/judge/judge.ts';
import { loadSkills, SkillsError } from '../../src/load.ts';
import { makeTree, skillMd, toLine } from '../tree.ts';

const digestOf = (content: string | Uint8Array) => `sha256:${createHash('sha256').update(content).digest('hex')}`;

describe('a catalog', () => {
  const skill = skillMd('refunds');
  const crlf = 'one\r\ntwo\r\n';
  const bom = '\ufeffwith a mark';
  const latin1 = new Uint8Array([0x63, 0x61, 0x66, 0xe9]);
  const nul = 'a\u0000b';
  const nodes = {
    'billing/refunds/SKILL.md': skill,
    'billing/refunds/crlf.txt': crlf,
    'billing/refunds/bom.txt': bom,
    'billing/refunds/latin1.csv': latin1,
    'billing/refunds/nul.txt': nul,
    'billing/refunds/empty': '',
    'billing/refunds/src/main.ts': 'export {};\n',
    'a/SKILL.md': skillMd('a'),
  };

  test('lists entries by URI, with the size and digest of the very bytes', async () => {
    const catalog = await loadSkills(makeTree(nodes));
    const file = (path: string, content: string | Uint8Array) => ({
      uri: `skill://billing/refunds/${path}`,
      digest: digestOf(content),
      size: typeof content === 'string' ? new TextEncoder().encode(content).length : content.length,
    });
    expect(catalog.skills.map(({ uri }) => uri)).toEqual(['skill://a/SKILL.md', 'skill://billing/refunds/SKILL.md']);
    expect(catalog.get('skill://billing/refunds/SKILL.md')).toEqual({
      uri: 'skill://billing/refunds/SKILL.md',
      frontmatter: { name: 'refunds', description: 'What refunds does, and when to use it.' },
      resources: [
        file('SKILL.md', skill),
        file('bom.txt', bom),
        file('crlf.txt', crlf),
        file('empty', ''),
        file('latin1.csv', latin1),
        file('nul.txt', nul),
        file('src/main.ts', 'export {};\n'),
      ],
    });
  });

  test('serves text where the bytes are strict UTF-8, with a type that fits them, and bytes everywhere', async () => {
    const catalog = await loadSkills(makeTree(nodes));
    const read = (path: string) => {
      const found = catalog.read(`skill://billing/refunds/${path}`);
      return [found?.mimeType, found?.text, found && Buffer.from(found.bytes).toString('latin1')];
    };
    const bytes = (content: string) => Buffer.from(content).toString('latin1');
    expect(read('SKILL.md')).toEqual(['text/markdown', skill, bytes(skill)]);
    expect(read('bom.txt')).toEqual(['text/plain', bom, bytes(bom)]);
    expect(read('crlf.txt')).toEqual(['text/plain', crlf, bytes(crlf)]);
    expect(read('nul.txt')).toEqual(['text/plain', nul, bytes(nul)]);
    expect(read('empty')).toEqual(['text/plain', '', '']);
    expect(read('latin1.csv')).toEqual(['application/octet-stream', undefined, 'caf\u00e9']);
    expect(read('src/main.ts')).toEqual(['text/plain', 'export {};\n', 'export {};\n']);
  });

  test('gives bytes that are no UTF-8 a type of bytes: sources in another encoding have none', async () => {
    const types = {
      'assets/clip.mp4': 'video/mp4',
      'assets/form.docx': 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      'assets/form.pdf': 'application/pdf',
      'assets/icon.svg': 'application/octet-stream',
      'assets/logo.png': 'image/png',
      'assets/module.wasm': 'application/wasm',
      'assets/sans.woff2': 'font/woff2',
      'latin1.mts': 'application/octet-stream',
      'latin1.rs': 'application/octet-stream',
      'latin1.sh': 'application/octet-stream',
      'latin1.ts': 'application/octet-stream',
    };
    const files = Object.keys(types).map((path) => [`a/${path}`, latin1]);
    const catalog = await loadSkills(makeTree({ 'a/SKILL.md': skillMd('a'), ...Object.fromEntries(files) }));
    const read = (path: string) => [path, catalog.read(`skill://a/${path}`)?.mimeType];
    expect(Object.fromEntries(Object.keys(types).map(read))).toEqual(types);
  });

  test('looks a URI up as it is written', async () => {
    const catalog = await loadSkills(makeTree(nodes));
    for (const uri of [
      'skill://a/skill.md',
      'skill://a/SKILL%2Emd',
      'skill://a/./SKILL.md',
      'skill://a/x/../SKILL.md',
      'skill://a//SKILL.md',
      'skill://a/SKILL.md/',
      'skill://a/SKILL.md#x',
      'SKILL://a/SKILL.md',
      '../a/SKILL.md',
      '__proto__',
    ]) {
      expect([uri, catalog.get(uri), catalog.read(uri), catalog.readDirectory(uri)]).toEqual([
        uri,
        undefined,
        undefined,
        undefined,
      ]);
    }
  });

  test('reads the directories of skills, of folders in them and of groups', async () => {
    const catalog = await loadSkills(makeTree(nodes));
    const folder = (uri: string) => ({ uri, name: uri.slice(uri.lastIndexOf('/') + 1), mimeType: 'inode/directory' });
    expect(catalog.readDirectory('skill://billing')).toEqual([folder('skill://billing/refunds')]);
    expect(catalog.readDirectory('skill://billing/refunds')).toEqual([
      {
        uri: 'skill://billing/refunds/SKILL.md',
        name: 'refunds',
        description: 'What refunds does, and when to use it.',
        mimeType: 'text/markdown',
        size: skill.length,
      },
      { uri: 'skill://billing/refunds/bom.txt', name: 'bom.txt', mimeType: 'text/plain', size: 14 },
      { uri: 'skill://billing/refunds/crlf.txt', name: 'crlf.txt', mimeType: 'text/plain', size: 10 },
      { uri: 'skill://billing/refunds/empty', name: 'empty', mimeType: 'text/plain', size: 0 },
      { uri: 'skill://billing/refunds/latin1.csv', name: 'latin1.csv', mimeType: 'application/octet-stream', size: 4 },
      { uri: 'skill://billing/refunds/nul.txt', name: 'nul.txt', mimeType: 'text/plain', size: 3 },
      folder('skill://billing/refunds/src'),
    ]);
    for (const uri of ['skill://', 'skill:/', 'skill://billing/', 'skill://a/SKILL.md', 'skill://b']) {
      expect([uri, catalog.readDirectory(uri)]).toEqual([uri, undefined]);
    }
  });

  test('is frozen to its depths, and hands out copies of its bytes', async () => {
    const catalog = await loadSkills(makeTree(nodes));
    const isFrozen = (value: unknown): boolean =>
      typeof value !== 'object' || value === null || (Object.isFrozen(value) && Object.values(value).every(isFrozen));
    expect(isFrozen(catalog)).toBe(true);
    expect(isFrozen(catalog.readDirectory('skill://a'))).toBe(true);
    catalog.read('skill://a/SKILL.md')?.bytes.fill(0);
    expect(catalog.read('skill://a/SKILL.md')?.text).toBe(skillMd('a'));
  });

  test('keeps the bytes when the folder changes and when it vanishes', async () => {
    const root = makeTree(nodes);
    const catalog = await loadSkills(root);
    writeFileSync(join(root, 'a/SKILL.md'), 'something else');
    rmSync(join(root, 'billing'), { recursive: true });
    expect(catalog.read('skill://a/SKILL.md')?.text).toBe(skillMd('a'));
    expect(catalog.read('skill://billing/refunds/SKILL.md')?.text).toBe(skill);
  });

  test('has the digest of its content: equal for equal catalogs, wherever they lie and in whatever order they came', async () => {
    const one = await loadSkills(makeTree(nodes));
    const two = await loadSkills(makeTree(Object.fromEntries(Object.entries(nodes).reverse())));
    const other = await loadSkills(makeTree({ ...nodes, 'a/b.txt': 'x' }));
    expect(one.digest).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(two.digest).toBe(one.digest);
    expect(other.digest).not.toBe(one.digest);
  });
});

describe('roots', () => {
  test('several, with and without a prefix', async () => {
    const first = makeTree({ 'a/SKILL.md': skillMd('a') });
    const second = makeTree({ 'a/SKILL.md': skillMd('a'), 'group/b/SKILL.md': skillMd('b') });
    const catalog = await loadSkills([first, { path: pathToFileURL(second), prefix: 'acme/tools' }]);
    expect(catalog.skills.map(({ uri }) => uri)).toEqual([
      'skill://a/SKILL.md',
      'skill://acme/tools/a/SKILL.md',
      'skill://acme/tools/group/b/SKILL.md',
    ]);
    expect(catalog.readDirectory('skill://acme')?.map(({ uri }) => uri)).toEqual(['skill://acme/tools']);
  });

  test('that claim the same URI are both refused, each naming the other', async () => {
    const first = makeTree({ 'g/deploy/SKILL.md': skillMd('deploy'), 'a/SKILL.md': skillMd('a') });
    const second = makeTree({ 'g/deploy/SKILL.md': skillMd('deploy') });
    const reports = await judgeSkills([first, second]);
    const line = (other: string) =>
      `error duplicate-uri g/deploy (skill://g/deploy/SKILL.md) skill://g/deploy/SKILL.md is claimed by "${other}/g/deploy" as well, so none of them is published | give one root a prefix (prefix=folder), or rename one of the skills`;
    expect(reports.map(({ problems }) => problems.map(toLine))).toEqual([[line(second)], [line(first)]]);
    const catalog = await loadSkills([first, second], { invalid: 'skip' });
    expect(catalog.skills.map(({ uri }) => uri)).toEqual(['skill://a/SKILL.md']);
  });

  test('whose skills would lie inside a skill of another root', async () => {
    const outer = makeTree({ 'a/SKILL.md': skillMd('a') });
    const inner = makeTree({ 'a/b/SKILL.md': skillMd('b') });
    const reports = await judgeSkills([outer, inner]);
    expect(reports.map(({ problems }) => problems.map(toLine))).toEqual([
      [],
      [
        `error nested-skill a/b (skill://a/b/SKILL.md) skill://a/b/SKILL.md would be inside the skill skill://a/SKILL.md of "${outer}/a": skills do not nest | give its root another prefix (prefix=folder), or rename one of the two`,
      ],
    ]);
  });

  test('have what is under their prefix alone: another root neither adds a skill there nor knocks one out', async () => {
    const vendor = makeTree({
      'acme/SKILL.md': skillMd('acme'),
      'lint/SKILL.md': skillMd('lint'),
      'tools/acme/deploy/SKILL.md': skillMd('deploy'),
    });
    const trusted = makeTree({ 'deploy/SKILL.md': skillMd('deploy') });
    const others = makeTree({ 'acme/deploy/SKILL.md': skillMd('deploy'), 'acme/evil/SKILL.md': skillMd('evil') });
    const roots = [vendor, others, { path: trusted, prefix: 'acme' }];
    const line = (path: string, uri: string) =>
      `error prefix-taken ${path} (${uri}) ${uri} would be under the prefix "acme", and only "${trusted}" may publish there | rename the folder, or give its root a prefix of its own (prefix=folder)`;
    expect((await judgeSkills(roots)).map(({ problems }) => problems.map(toLine))).toEqual([
      [line('acme', 'skill://acme/SKILL.md')],
      [line('acme/deploy', 'skill://acme/deploy/SKILL.md'), line('acme/evil', 'skill://acme/evil/SKILL.md')],
      [],
    ]);
    const { skills } = await loadSkills(roots, { invalid: 'skip' });
    expect(skills.map(({ uri }) => uri)).toEqual([
      'skill://acme/deploy/SKILL.md',
      'skill://lint/SKILL.md',
      'skill://tools/acme/deploy/SKILL.md',
    ]);
  });

  test('may share a prefix; of two that lie in one another, the longer one has its own', async () => {
    const outer = makeTree({ 'a/SKILL.md': skillMd('a'), 'tools/b/SKILL.md': skillMd('b') });
    const inner = makeTree({ 'c/SKILL.md': skillMd('c') });
    const other = makeTree({ 'd/SKILL.md': skillMd('d') });
    const roots = [
      { path: outer, prefix: 'acme' },
      { path: inner, prefix: 'acme/tools' },
      { path: other, prefix: 'acme' },
    ];
    expect((await judgeSkills(roots)).map(({ problems }) => problems.map(({ path, code }) => [path, code]))).toEqual([
      [['tools/b', 'prefix-taken']],
      [],
      [],
    ]);
  });

  test('have a prefix of several names alone as well: no skill of another root holds it', async () => {
    const vendor = makeTree({ 'acme/SKILL.md': skillMd('acme'), 'lint/SKILL.md': skillMd('lint') });
    const trusted = makeTree({ 'deploy/SKILL.md': skillMd('deploy') });
    const roots = [vendor, { path: trusted, prefix: 'acme/tools' }];
    expect((await judgeSkills(roots)).map(({ problems }) => problems.map(toLine))).toEqual([
      [
        `error prefix-taken acme (skill://acme/SKILL.md) skill://acme/SKILL.md would contain the prefix "acme/tools", and only "${trusted}" may publish there | rename the folder, or give its root a prefix of its own (prefix=folder)`,
      ],
      [],
    ]);
  });

  test('have it alone whatever the folders are called that a glob matches', async () => {
    const folder = makeTree({
      'vendors/acme/deploy/SKILL.md': skillMd('deploy'),
      'vendors/acme/evil/SKILL.md': skillMd('evil'),
      'vendors/other/evil/SKILL.md': skillMd('evil'),
      'plain/other/evil/SKILL.md': skillMd('evil'),
      'plain/other/mine/SKILL.md': skillMd('mine'),
      'trusted/deploy/SKILL.md': skillMd('deploy'),
    });
    const trusted = { path: join(folder, 'trusted'), prefix: 'acme' };
    const vendors = join(folder, 'vendors/*');
    expect((await loadSkills([vendors, trusted], { invalid: 'skip' })).skills.map(({ uri }) => uri)).toEqual([
      'skill://acme/deploy/SKILL.md',
      'skill://other/evil/SKILL.md',
    ]);
    // what tells matches apart was given by nobody, and keeps nobody out
    const { skills } = await loadSkills([vendors, join(folder, 'plain')], { invalid: 'skip' });
    expect(skills.map(({ uri }) => uri)).toEqual([
      'skill://acme/deploy/SKILL.md',
      'skill://acme/evil/SKILL.md',
      'skill://other/mine/SKILL.md',
    ]);
  });

  test.skipIf(process.platform === 'win32')('may have any name', async () => {
    for (const name of ['back\\slash', '[a] (b) {c}', 'with space', '*', '!x', 'ünï']) {
      const root = makeTree({ [`${name}/group/a/SKILL.md`]: skillMd('a') });
      expect([name, (await loadSkills(join(root, name))).skills.map(({ uri }) => uri)]).toEqual([
        name,
        ['skill://group/a/SKILL.md'],
      ]);
    }
  });

  test('may be given through a link, though nothing below one is', async () => {
    const root = makeTree({ 'real/a/SKILL.md': skillMd('a') });
    symlinkSync('real', join(root, 'link'));
    expect((await loadSkills(join(root, 'link'))).skills.map(({ uri }) => uri)).toEqual(['skill://a/SKILL.md']);
  });

  test('that are missing or files reject whatever is asked for, and all of them are named', async () => {
    const root = makeTree({ 'file.txt': '', 'ok/a/SKILL.md': skillMd('a'), 'empty/README.md': '' });
    const roots = [join(root, 'none'), join(root, 'file.txt'), join(root, 'ok'), join(root, 'empty')];
    const error = await loadSkills(roots, { invalid: 'skip' }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(SkillsError);
    expect((error as SkillsError).problems.map(toLine)).toEqual([
      'error root-empty . (-) the root contains no skill: no folder below it has a SKILL.md | give each skill a folder of its own in the root: my-skill/SKILL.md',
      `error root-missing . (-) there is no folder "${root}/none" | create it, or pass its absolute path`,
      `error root-unreadable . (-) "${root}/file.txt" is not a folder | pass the folder that contains skills`,
    ]);
  });

  test('with a prefix that is none, or no path, are a mistake of the caller', async () => {
    await expect(loadSkills({ path: '.', prefix: 'Not/OK' })).rejects.toThrow(TypeError);
    await expect(loadSkills('')).rejects.toThrow('a root is the empty string');
    await expect(loadSkills([])).rejects.toThrow('there is no root');
    for (const wrong of [5, null, undefined, {}]) {
      await expect(loadSkills(wrong as unknown as string)).rejects.toThrow('a root is neither a path nor a URL');
    }
  });

  test('on a command line: prefix=folder, or a folder with "=" in its name', () => {
    expect(['a=b', 'acme/tools=./x', './a=b', 'A=b', 'a=', '=b', 'plain'].map(parseRoot)).toEqual([
      { path: 'b', prefix: 'a' },
      { path: './x', prefix: 'acme/tools' },
      { path: './a=b' },
      { path: 'A=b' },
      { path: 'a=' },
      { path: '=b' },
      { path: 'plain' },
    ]);
  });
});

test.each([
  [null, 'the options must be an object, not null'],
  ['skip', 'the options must be an object, not "skip"'],
  [['*.tmp'], 'the options must be an object, not a list'],
  [{ exlude: [] }, 'there is no option "exlude": the options are invalid, exclude, nested, pathFrom, from'],
  [{ invalid: 'maybe' }, 'invalid must be "fail" or "skip", not "maybe"'],
  [{ nested: true }, 'nested must be "refuse" or "files", not true'],
  [{ pathFrom: 'uri' }, 'pathFrom must be "folder" or "name", not "uri"'],
  [{ exclude: '**' }, 'exclude must be a list of globs'],
  [{ exclude: [3] }, 'exclude must be a list of globs'],
])('options that are none are a mistake of the caller: %j', async (options, message) => {
  await expect(loadSkills('.', options as never)).rejects.toThrow(new TypeError(message));
});

describe('an invalid skill', () => {
  const nodes = {
    'bad/SKILL.md': skillMd('other'),
    'good/SKILL.md': skillMd('good'),
    'good/.env': '',
    'worse/x/SKILL.md': skillMd('x'),
    'worse/x/a b': '',
  };

  test('rejects with every problem, warnings too, sorted', async () => {
    const error = (await loadSkills(makeTree(nodes)).catch((thrown: unknown) => thrown)) as SkillsError;
    expect(error.name).toBe('SkillsError');
    expect(error.problems.map(({ path, code }) => `${path} ${code}`)).toEqual([
      'bad/SKILL.md name-mismatch',
      'good hidden-skipped',
      'worse/x/a b path-characters',
    ]);
    for (const { message } of error.problems) expect(error.message).toContain(message);
  });

  test('costs only itself under skip, and its problems stay', async () => {
    const catalog = await loadSkills(makeTree(nodes), { invalid: 'skip' });
    expect(catalog.skills.map(({ uri }) => uri)).toEqual(['skill://good/SKILL.md']);
    expect(catalog.problems.map(({ code }) => code)).toEqual(['name-mismatch', 'hidden-skipped', 'path-characters']);
    expect(catalog.read('skill://bad/SKILL.md')).toBeUndefined();
    expect(catalog.readDirectory('skill://worse')).toBeUndefined();
  });
});
