import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { type Skill, toSkillPath } from '../../src/catalog/catalog.ts';
import { filterSkills } from '../../src/filter.ts';
import type { Problem } from '../../src/problems.ts';
import { createViews } from '../../src/views.ts';
import { type MadeSkill, makeCatalog } from '../mcp/catalog.ts';
import { connect, ERAS, type Era } from '../mcp/connect.ts';

const SKILLS: readonly MadeSkill[] = [
  { path: 'billing/payouts', description: 'Pays people out', files: { 'rules.md': 'pay\n' } },
  { path: 'billing/refunds', description: 'Refunds people', files: { 'rules.md': 'refund\n' } },
  { path: 'internal/hr', description: 'Hires people', files: { 'forms/a.txt': 'form\n' } },
  { path: 'doorways', description: 'Opens doors to people' },
];
const toProblem = (path: string, severity: Problem['severity']): Problem => ({
  ...{ code: 'folder-ignored', severity, message: `of ${path}`, path },
  skill: `skill://${path}/SKILL.md`,
});
const PROBLEMS = [
  toProblem('billing/refunds', 'warning'),
  toProblem('internal/hr', 'warning'),
  toProblem('internal/secret', 'error'),
  // of a skill that is kept from an earlier reading
  { ...toProblem('billing/refunds', 'error'), message: 'would be inside the skill skill://internal/hr/SKILL.md' },
];
const CATALOG = makeCatalog(SKILLS, PROBLEMS);
const OPTIONS = { tools: 'always', prompts: true, instructions: true, pageSize: 2 } as const;

/** What each caller sees. */
const CALLERS: Readonly<Record<string, readonly string[]>> = {
  nobody: [],
  guest: ['doorways'],
  finance: ['billing/payouts', 'billing/refunds', 'doorways'],
  clerk: ['billing/refunds', 'internal/hr'],
  everybody: SKILLS.map(({ path }) => path),
};

const uriOf = (path: string, file = 'SKILL.md') => `skill://${path}/${file}`;

/** Each surface, asked about one skill. */
const SURFACES: Readonly<Record<string, (path: string) => readonly [method: string, params: object]>> = {
  'skills/list': () => ['skills/list', {}],
  'skills/get': (path) => ['skills/get', { uri: uriOf(path) }],
  'resources/read': (path) => ['resources/read', { uri: uriOf(path) }],
  'a file': (path) => ['resources/read', { uri: uriOf(path, 'rules.md') }],
  'a folder': (path) => ['resources/directory/read', { uri: `skill://${path}` }],
  'a group': (path) => ['resources/directory/read', { uri: `skill://${path.split('/')[0]}` }],
  'resources/list': () => ['resources/list', {}],
  'tools/list': () => ['tools/list', {}],
  skill_list: () => ['tools/call', { name: 'skill_list', arguments: {} }],
  search: (path) => ['tools/call', { name: 'skill_list', arguments: { query: path.replace('/', ' ') } }],
  skill_load: (path) => ['tools/call', { name: 'skill_load', arguments: { skill: path } }],
  'did you mean': (path) => ['tools/call', { name: 'skill_load', arguments: { skill: `${path}s` } }],
  skill_file: (path) => ['tools/call', { name: 'skill_file', arguments: { skill: path, paths: ['rules.md'] } }],
  'prompts/list': () => ['prompts/list', {}],
  'prompts/get': (path) => ['prompts/get', { name: path.replaceAll('/', '_') }],
  completion: (path) => [
    'completion/complete',
    { ref: { type: 'ref/resource', uri: 'skill://{+path}' }, argument: { name: 'path', value: path } },
  ],
};

/** All that a server says, as text: instructions, and each surface about each skill, all pages. */
async function hear(catalog: typeof CATALOG, era: Era): Promise<Record<string, string>> {
  const client = await connect(catalog, era, OPTIONS);
  const any = { '~standard': { version: 1, vendor: 'test', validate: (value: unknown) => ({ value }) } };
  const ask = async (method: string, params: object): Promise<string> => {
    const answer = (await client
      .request({ method, params } as never, any as never)
      .catch(({ code, message, data }) => ({ code, message, data }))) as { nextCursor?: string };
    const rest = answer.nextCursor === undefined ? '' : await ask(method, { ...params, cursor: answer.nextCursor });
    return JSON.stringify({ ...answer, nextCursor: undefined }) + rest;
  };
  const heard: Record<string, string> = { instructions: client.getInstructions() ?? '' };
  for (const [surface, toRequest] of Object.entries(SURFACES)) {
    for (const { path } of SKILLS) heard[`${surface} of ${path}`] = await ask(...toRequest(path));
  }
  return heard;
}

for (const era of ERAS) {
  test.each(Object.entries(CALLERS))(`to %s, what is hidden is what was never there (${era})`, async (_, visible) => {
    const sees = ({ uri }: Skill) => visible.includes(toSkillPath(uri));
    const own = PROBLEMS.filter(
      ({ severity, skill = '' }) => severity === 'warning' && visible.includes(toSkillPath(skill)),
    );
    const bare = makeCatalog(
      SKILLS.filter(({ path }) => visible.includes(path)),
      own,
    );
    const view = filterSkills(CATALOG, sees);
    expect([view.skills, view.digest, view.problems]).toEqual([bare.skills, bare.digest, own]);
    const heard = await hear(view, era);
    expect(heard).toEqual(await hear(bare, era));
    // where it was not asked for, no byte of an answer has it
    for (const { path, description = '' } of SKILLS.filter((skill) => !visible.includes(skill.path))) {
      for (const [surface, text] of Object.entries(heard)) {
        const digest = createHash('sha256')
          .update(CATALOG.read(uriOf(path))?.bytes ?? '')
          .digest('hex');
        expect([surface, text.includes(description), text.includes(digest)]).toEqual([surface, false, false]);
        if (!surface.includes(path)) expect([surface, text.includes(path)]).toEqual([surface, false]);
      }
    }
  });
}

test('a view shares what it shows, and is as frozen', () => {
  const view = filterSkills(CATALOG, ({ uri }) => uri === uriOf('doorways'));
  expect(view.skills[0]).toBe(CATALOG.get(uriOf('doorways')));
  expect(Object.isFrozen(view) && Object.isFrozen(view.skills)).toBe(true);
  expect(() => filterSkills(CATALOG, (() => undefined) as never)).toThrow(
    'the filter must return true or false, not undefined (for skill://billing/payouts/SKILL.md)',
  );
});

test('callers who see the same get the same view; the one that was not used for longest is made again', () => {
  const views = createViews(CATALOG, { max: 2 });
  const only = (path: string) => views.view(({ uri }) => uri === uriOf(path));
  const first = only('doorways');
  const second = only('billing/refunds');
  expect(only('doorways')).toBe(first);
  only('internal/hr');
  expect(only('doorways')).toBe(first);
  const again = only('billing/refunds');
  expect([again === second, again.digest === second.digest]).toEqual([false, true]);
  expect(() => createViews(CATALOG, { max: 0 })).toThrow('max must be a whole number from 1, not 0');
});
