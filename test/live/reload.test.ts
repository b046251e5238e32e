import { mkdirSync, renameSync, rmSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readSkills } from '../../src/judge/judge.ts';
import { followSkills, type ReadingEvent } from '../../src/live/follow.ts';
import { readReports } from '../../src/live/reading.ts';
import { watchSkills } from '../../src/live/watch.ts';
import { SkillsError } from '../../src/load.ts';
import { makeTree, skillMd } from '../tree.ts';
import { follow, until } from './state.ts';

const OFF = { watch: false, settle: 0.01 } as const;
const uri = (path: string) => `skill://${path}/SKILL.md`;

test('reload() tells what it did, and reads nothing where nothing is new', async () => {
  const root = makeTree({ 'a/SKILL.md': skillMd('a', 'one'), 'a/x.md': 'x' });
  const live = await follow(root, OFF);
  expect(live.status).toMatchObject({ generation: 1, mode: 'off', state: 'current' });
  const { catalog } = live;
  expect(await live.reload()).toEqual({ outcome: 'unchanged' });
  utimesSync(join(root, 'a', 'x.md'), 1, 1);
  expect(await live.reload()).toEqual({ outcome: 'unchanged' });
  expect(live.status.generation).toBe(1);
  expect(live.catalog.digest).toBe(catalog.digest);
  writeFileSync(join(root, 'a', 'x.md'), 'y');
  expect(await live.reload()).toEqual({
    outcome: 'changed',
    change: {
      from: catalog.digest,
      to: live.catalog.digest,
      added: [],
      removed: [],
      changed: [uri('a')],
      files: ['skill://a/x.md'],
    },
  });
  expect(live.catalog.read('skill://a/x.md')?.text).toBe('y');
  expect(catalog.read('skill://a/x.md')?.text).toBe('x');
  writeFileSync(join(root, 'a', 'SKILL.md'), 'broken');
  const refused = await live.reload();
  expect(refused).toMatchObject({ outcome: 'refused', problems: [{ code: 'frontmatter-missing' }] });
  // the same again is the same answer
  expect(await live.reload()).toEqual(refused);
});

test('a call of reload() while one runs gets a reading that began after it', async () => {
  const root = makeTree({ 'a/SKILL.md': skillMd('a', 'one') });
  const live = await follow(root, OFF);
  writeFileSync(join(root, 'a', 'SKILL.md'), skillMd('a', 'two'));
  const first = live.reload();
  await new Promise((resolve) => setImmediate(resolve));
  writeFileSync(join(root, 'a', 'SKILL.md'), skillMd('a', 'three'));
  await Promise.all([first, live.reload()]);
  expect(live.catalog.get(uri('a'))?.frontmatter.description).toBe('three');
});

test('the first reading must be good', async () => {
  const root = makeTree({ 'a/SKILL.md': 'broken' });
  await expect(watchSkills(root)).rejects.toThrow(SkillsError);
  await expect(watchSkills(join(root, 'nowhere'), { invalid: 'skip' })).rejects.toThrow('there is no folder');
  await expect(watchSkills(root, { wacth: 'poll' } as never)).rejects.toThrow(
    new TypeError(
      'there is no option "wacth": the options are invalid, exclude, nested, pathFrom, from, watch, interval, settle, signal',
    ),
  );
  await expect(watchSkills(root, { watch: true } as never)).rejects.toThrow(
    new TypeError('watch must be "auto", "events", "poll" or false, not true'),
  );
  await expect(watchSkills(root, { interval: -1 })).rejects.toThrow(
    new TypeError('interval must be a number of seconds from 0 to 86400, not -1'),
  );
  await expect(watchSkills(root, { signal: AbortSignal.abort(new Error('too late')) })).rejects.toThrow('too late');
});

test('a listener that throws stops no other, and is reported', async () => {
  const root = makeTree({ 'a/SKILL.md': skillMd('a', 'one') });
  const live = await follow(root, OFF);
  const warnings: string[] = [];
  const onWarning = ({ message }: Error) => warnings.push(message);
  process.on('warning', onWarning);
  const heard: string[][] = [];
  live.subscribe(() => {
    throw new Error('a listener of mine');
  });
  live.subscribe(({ changed }) => heard.push([...changed]));
  const end = live.subscribe(() => heard.push(['never']));
  end();
  writeFileSync(join(root, 'a', 'SKILL.md'), skillMd('a', 'two'));
  await live.reload();
  expect(heard).toEqual([[uri('a')]]);
  await until(() => warnings.some((warning) => warning.includes('a listener of mine')));
  process.off('warning', onWarning);
});

describe('under invalid: skip, a skill with errors keeps its last good version', () => {
  const nodes = {
    'a/SKILL.md': skillMd('a', 'good'),
    'a/references/x.md': 'x',
    'group/b/SKILL.md': skillMd('b', 'good'),
    'c/SKILL.md': skillMd('c', 'good'),
  };
  const start = async () => {
    const root = makeTree(nodes);
    return { root, live: await follow(root, { ...OFF, invalid: 'skip' }) };
  };
  const NOTE = /; its version of \d\d:\d\d:\d\d is still served$/;

  test.each([
    [
      'its frontmatter is broken',
      'a',
      (root: string) => writeFileSync(join(root, 'a/SKILL.md'), 'broken'),
      'frontmatter-missing',
    ],
    [
      'a file of it may not be there',
      'a',
      (root: string) => writeFileSync(join(root, 'a/x y.md'), ''),
      'path-characters',
    ],
    [
      'its SKILL.md is gone and its files are not',
      'a',
      (root: string) => unlinkSync(join(root, 'a/SKILL.md')),
      'group-empty',
    ],
    [
      'its SKILL.md is called otherwise',
      'a',
      (root: string) => renameSync(join(root, 'a/SKILL.md'), join(root, 'a/skill.md')),
      'skill-file-case',
    ],
    [
      'a folder around it became a skill',
      'group/b',
      (root: string) => writeFileSync(join(root, 'group/SKILL.md'), skillMd('group')),
      'nested-skill',
    ],
  ])('where %s', async (_, path, damage, code) => {
    const { root, live } = await start();
    damage(root);
    expect(await live.reload()).toEqual({ outcome: 'unchanged' });
    expect(live.status).toMatchObject({ state: 'stale', keptSkills: [uri(path)], generation: 1 });
    const problem = live.status.problems.find((each) => each.code === code);
    expect([code, problem?.message]).toEqual([code, expect.stringMatching(NOTE)]);
    expect(live.catalog.get(uri(path))?.frontmatter.description).toBe('good');
  });

  test('unless its folder is gone', async () => {
    const { root, live } = await start();
    writeFileSync(join(root, 'a/SKILL.md'), 'broken');
    await live.reload();
    rmSync(join(root, 'a'), { recursive: true });
    expect(await live.reload()).toMatchObject({ outcome: 'changed', change: { removed: [uri('a')] } });
    expect(live.status).toMatchObject({ state: 'current', keptSkills: [], problems: [] });
  });

  test('unless its URI belongs to another skill', async () => {
    const root = makeTree({
      'one/folder/SKILL.md': skillMd('a', 'good'),
      'one/b/SKILL.md': skillMd('b'),
      'two/c/SKILL.md': skillMd('c'),
    });
    const live = await follow([join(root, 'one'), join(root, 'two')], { ...OFF, invalid: 'skip', pathFrom: 'name' });
    writeFileSync(join(root, 'one/folder/SKILL.md'), 'broken');
    await live.reload();
    expect(live.status.keptSkills).toEqual([uri('a')]);
    mkdirSync(join(root, 'two/new'));
    writeFileSync(join(root, 'two/new/SKILL.md'), skillMd('a', 'of another'));
    expect(await live.reload()).toMatchObject({ outcome: 'changed', change: { changed: [uri('a')] } });
    expect(live.catalog.get(uri('a'))?.frontmatter.description).toBe('of another');
    expect(live.status.keptSkills).toEqual([]);
  });

  test('also where another one claims its URI, which neither gets', async () => {
    const root = makeTree({ 'one/a/SKILL.md': skillMd('a', 'good'), 'two/b/SKILL.md': skillMd('b') });
    const live = await follow([join(root, 'one'), join(root, 'two')], { ...OFF, invalid: 'skip' });
    mkdirSync(join(root, 'two/a'));
    writeFileSync(join(root, 'two/a/SKILL.md'), skillMd('a', 'of another'));
    expect(await live.reload()).toEqual({ outcome: 'unchanged' });
    expect(live.status.keptSkills).toEqual([uri('a')]);
    expect(live.catalog.get(uri('a'))?.frontmatter.description).toBe('good');
  });

  test('and takes the new one once it is repaired', async () => {
    const { root, live } = await start();
    writeFileSync(join(root, 'a/SKILL.md'), 'broken');
    await live.reload();
    writeFileSync(join(root, 'c/SKILL.md'), skillMd('c', 'newer'));
    expect(await live.reload()).toMatchObject({ outcome: 'changed', change: { changed: [uri('c')] } });
    expect(live.status).toMatchObject({ state: 'stale', generation: 2 });
    writeFileSync(join(root, 'a/SKILL.md'), skillMd('a', 'repaired'));
    expect(await live.reload()).toMatchObject({ outcome: 'changed', change: { changed: [uri('a')] } });
    expect(live.status).toMatchObject({ state: 'current', generation: 3, keptSkills: [], problems: [] });
  });
});

test('a root of several that has no skill left is refused, whatever it holds', async () => {
  const root = makeTree({ 'one/a/SKILL.md': skillMd('a'), 'two/b/SKILL.md': skillMd('b'), 'two/notes/x.md': 'x' });
  const live = await follow([join(root, 'one'), join(root, 'two')], { ...OFF, invalid: 'skip' });
  rmSync(join(root, 'two/b'), { recursive: true });
  const result = await live.reload();
  expect(result.outcome === 'refused' && result.problems[0]).toMatchObject({ code: 'root-empty', path: '.' });
  expect(live.catalog.skills).toHaveLength(2);
});

test('one match of a glob may go', async () => {
  const root = makeTree({ 'p/one/skills/a/SKILL.md': skillMd('a'), 'p/two/skills/b/SKILL.md': skillMd('b') });
  const live = await follow(join(root, 'p/*/skills'), OFF);
  rmSync(join(root, 'p/two'), { recursive: true });
  expect(await live.reload()).toMatchObject({ outcome: 'changed', change: { removed: [uri('b')] } });
  mkdirSync(join(root, 'p/new/skills/c'), { recursive: true });
  writeFileSync(join(root, 'p/new/skills/c/SKILL.md'), skillMd('c'));
  expect(await live.reload()).toMatchObject({ outcome: 'changed', change: { added: [uri('c')] } });
});

describe('somebody else may refuse a reading', () => {
  test.each([
    ['with a sentence', 'the lock has another digest', { reason: 'the lock has another digest', problems: [] }],
    [
      'with problems',
      [{ code: 'unreadable', severity: 'error', path: '.', message: 'no' }] as const,
      { problems: [{ code: 'unreadable' }] },
    ],
  ])('%s', async (_, objection, expected) => {
    const root = makeTree({ 'a/SKILL.md': skillMd('a', 'one'), lock: 'one' });
    const events: ReadingEvent[] = [];
    let isAccepted = false;
    const read = async () => readReports((await readSkills(root)).reports);
    const live = followSkills(
      { reading: await read(), start: new Date() },
      {
        places: { roots: root, exclude: [], beside: [join(root, 'lock')] },
        ...{ read, invalid: 'fail', watch: false, settle: 0.01 },
        accept: () => (isAccepted ? undefined : objection),
        onReading: (event) => events.push(event),
      },
    );
    writeFileSync(join(root, 'a/SKILL.md'), skillMd('a', 'two'));
    expect((await live.reload()).outcome).toBe('refused');
    expect(events).toMatchObject([expected]);
    isAccepted = true;
    writeFileSync(join(root, 'lock'), 'two');
    expect((await live.reload()).outcome).toBe('changed');
    await live.close();
  });
});

test('nothing is left of it after close(), and it keeps no process alive', async () => {
  const root = makeTree({ 'a/SKILL.md': skillMd('a') });
  const count = () => process.getActiveResourcesInfo().length;
  const before = count();
  for (const watch of ['events', 'poll', false] as const) {
    const live = await watchSkills(root, { watch });
    await live.close();
    await live.close();
    await expect(live.reload()).rejects.toThrow('these skills are no longer followed: close() was called');
    expect(live.catalog.skills).toHaveLength(1);
  }
  const aborting = new AbortController();
  const live = await watchSkills(root, { signal: aborting.signal });
  aborting.abort();
  await expect(live.reload()).rejects.toThrow('no longer followed');
  await until(() => count() <= before);
});
