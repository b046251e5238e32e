import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { loadSkills, type SkillsError } from '../../src/load.ts';
import { makeTree, skillMd, toLine } from '../tree.ts';

describe('a relative root', () => {
  const root = makeTree({
    'skills/a/SKILL.md': skillMd('a'),
    'src/skills/b/SKILL.md': skillMd('b'),
    'src/deep/module.js': '',
    'lib/module.js': '',
  });
  const namesFrom = async (from: string | URL) =>
    (await loadSkills('skills', { from })).skills.map(({ frontmatter }) => frontmatter.name);

  test('is looked for from a module upwards, and the first that holds it wins', async () => {
    expect(await namesFrom(pathToFileURL(join(root, 'src/deep/module.js')))).toEqual(['b']);
    expect(await namesFrom(pathToFileURL(join(root, 'lib/module.js')).href)).toEqual(['a']);
    expect(await namesFrom(join(root, 'lib/module.js'))).toEqual(['a']);
  });

  test('is looked for from a folder itself, however it is given', async () => {
    const folder = join(root, 'src');
    const module = pathToFileURL(join(folder, 'main.js'));
    for (const from of [folder, `${folder}/`, pathToFileURL(folder), new URL('.', module), new URL('.', module).href]) {
      expect([String(from), await namesFrom(from)]).toEqual([String(from), ['b']]);
    }
    expect(await namesFrom(new URL('not-there/', module))).toEqual(['b']);
  });

  test('that is nowhere is told with where the search began', async () => {
    const error = await loadSkills('not-skills', { from: join(root, 'src') }).catch((thrown: unknown) => thrown);
    expect((error as SkillsError).problems.map(toLine)).toEqual([
      `error root-missing . (-) there is no folder "not-skills" in "${root}/src" or in a folder above it | create it, or pass its absolute path`,
    ]);
  });

  test('that was found is told by where it is', async () => {
    const from = makeTree({ 'skills/README.md': '', 'file/skills': '' });
    const fail = async (place: string) =>
      ((await loadSkills('skills', { from: place }).catch((thrown: unknown) => thrown)) as SkillsError).message
        .split('\n')
        .slice(1);
    expect(await fail(from)).toEqual([
      `${from}/skills: error: the root contains no skill: no folder below it has a SKILL.md [root-empty]`,
      '  = hint: give each skill a folder of its own in the root: my-skill/SKILL.md',
    ]);
    expect(await fail(join(from, 'file'))).toEqual([
      `${from}/file/skills: error: "${from}/file/skills" is not a folder [root-unreadable]`,
      '  = hint: pass the folder that contains skills',
    ]);
  });

  test.each([
    ['', '""'],
    [null, 'null'],
    [5, '5'],
    [{}, 'an object'],
    ['data:text/javascript,', '"data:text/javascript,"'],
    ['webpack:///src/main.js', '"webpack:///src/main.js"'],
    [new URL('https://example.com/main.js'), '"https://example.com/main.js"'],
  ])('is not looked for from %o', async (from, shown) => {
    await expect(loadSkills('skills', { from: from as string })).rejects.toThrow(
      new TypeError(
        `from must be the path or the file: URL of a module or a folder, such as import.meta.url, not ${shown}`,
      ),
    );
  });
});
