import type { Client } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import type { Skill } from '../../src/catalog/catalog.ts';
import { isForModel, isForUser, namePaths } from '../../src/mcp/audience.ts';
import type { PublishOptions } from '../../src/mcp/settings.ts';
import { ask } from '../embed/clients.ts';
import { makeCatalog, toSkillMd } from './catalog.ts';
import { connect, ERAS, toError, toPlain } from './connect.ts';

const CATALOG = makeCatalog([
  { path: 'deploy', fields: { 'disable-model-invocation': true }, files: { 'steps.md': 'Steps\n' } },
  { path: 'house-style', fields: { 'user-invocable': false } },
  { path: 'pdf' },
  { path: 'team/notes' },
]);
const ALL = ['deploy', 'house-style', 'pdf', 'team/notes'];
const EVERYTHING: PublishOptions = { tools: 'always', prompts: true, instructions: true, legacyIndex: true };

/** The paths of skills in each listing. */
async function survey(client: Client) {
  const toPaths = (uris: readonly string[]) => uris.map((uri) => /^skill:\/\/(.+)\/SKILL\.md$/.exec(uri)?.[1]);
  const list = async (method: string, field: string) => (await ask(client, method))[field] as { uri: string }[];
  const call = async (name: string, args: object) =>
    ((await client.callTool({ name, arguments: args as never })).content as { text: string }[])
      .map(({ text }) => text)
      .join('');
  const { tools } = await client.listTools();
  const description = tools.find(({ name }) => name.endsWith('skill_list'))?.description ?? '';
  const index = (await client.readResource({ uri: 'skill://index.json' })).contents[0] as { text: string };
  const complete = async (ref: object, name: string) =>
    (await client.complete({ ref, argument: { name, value: '' } } as never)).completion.values;
  return {
    wire: toPaths((await list('skills/list', 'skills')).map(({ uri }) => uri)),
    resources: toPaths((await list('resources/list', 'resources')).map(({ uri }) => uri)),
    index: toPaths((JSON.parse(index.text) as { skills: { url: string }[] }).skills.map(({ url }) => url)),
    files: (await complete({ type: 'ref/resource', uri: 'skill://{+path}' }, 'path'))
      .filter((path) => path.endsWith('/SKILL.md'))
      .map((path) => path.slice(0, -9)),
    prompts: (await client.listPrompts()).prompts.map(({ name }) => name),
    tool: [...(await call(tools[0]?.name ?? '', {})).matchAll(/^- (\S+) \(/gm)].map(([, path]) => path),
    description: (/of task\): (.*?)\. Use it/.exec(description)?.[1] ?? '').split(', '),
    instructions: [...(client.getInstructions() ?? '').matchAll(/^- ([^\s:]+): /gm)].map(([, path]) => path),
  };
}

const OFFERED = ['house-style', 'pdf', 'team/notes'];
const SURVEY = {
  wire: ALL,
  resources: ALL,
  index: ALL,
  files: ALL,
  prompts: ['deploy', 'pdf', 'team_notes'],
  tool: OFFERED,
  description: OFFERED,
  instructions: OFFERED,
};

describe.each(ERAS)('on %s', (era) => {
  it('offers models what they may load, users what they may start, and the wire everything', async () => {
    expect(await survey(await connect(CATALOG, era, EVERYTHING))).toEqual(SURVEY);
  });

  it('says of each resource whom it is for', async () => {
    const { resources } = await (await connect(CATALOG, era, EVERYTHING)).listResources();
    expect(resources.map(({ title, annotations }) => [title, annotations?.audience])).toEqual([
      ['deploy', ['user']],
      ['house-style', ['assistant']],
      ['pdf', ['assistant']],
      ['team/notes', ['assistant']],
    ]);
  });

  it('leaves a skill for users to users, and lets a model read its files once one has started it', async () => {
    const client = await connect(CATALOG, era, EVERYTHING);
    expect(toPlain(await client.callTool({ name: 'skill_load', arguments: { skill: 'deploy' } }))).toEqual({
      content: [
        {
          type: 'text',
          text:
            'the skill "deploy" is for users to start (its author wrote "disable-model-invocation: true"): ' +
            'go on without it, or ask the user to start it',
        },
      ],
      isError: true,
    });
    expect((await client.getPrompt({ name: 'deploy' })).description).toBe('What deploy does.');
    const read = { name: 'skill_file', arguments: { skill: 'deploy', paths: ['steps.md'] } };
    expect((await client.callTool(read)).content).toMatchObject([{}, { text: 'Steps\n' }]);
    const none = { name: 'skill_load', arguments: { skill: 'deploi' } };
    expect((await client.callTool(none)).content).toMatchObject([
      { text: 'there is no skill "deploi"; skill_list shows what there is' },
    ]);
  });

  it('has no prompt for a skill that users do not start, alone or as the argument of the one prompt', async () => {
    const client = await connect(CATALOG, era, EVERYTHING);
    expect((await toError(client.getPrompt({ name: 'house-style' }))).code).toBe(-32602);
    const single = await connect(CATALOG, era, { ...EVERYTHING, maxPrompts: 2 });
    expect((await single.listPrompts()).prompts).toMatchObject([
      { name: 'skill', description: 'Loads one of the 3 skills of this server' },
    ]);
    expect(await toError(single.getPrompt({ name: 'skill', arguments: { name: 'house-style' } }))).toEqual({
      code: -32602,
      message: 'the skill "house-style" has no prompt: its author wrote "user-invocable: false"',
    });
    const { completion } = await single.complete({
      ref: { type: 'ref/prompt', name: 'skill' },
      argument: { name: 'name', value: '' },
    });
    expect(completion.values).toEqual(['deploy', 'pdf', 'team/notes']);
  });

  it('keeps what is not listed out of each listing, and serves it by its address', async () => {
    const isListed = ({ uri }: { uri: string }) => !uri.includes('//team/');
    const client = await connect(CATALOG, era, { ...EVERYTHING, isListed });
    const keep = (paths: string[]) => paths.filter((path) => !path.startsWith('team'));
    expect(await survey(client)).toEqual(
      Object.fromEntries(Object.entries(SURVEY).map(([surface, paths]) => [surface, keep(paths)])),
    );
    const uri = 'skill://team/notes/SKILL.md';
    const text = toSkillMd({ path: 'team/notes' });
    expect(await ask(client, 'skills/get', { uri })).toMatchObject({ skill: { uri } });
    expect((await client.readResource({ uri })).contents).toMatchObject([{ text }]);
    expect(await ask(client, 'resources/directory/read', { uri: 'skill://team/notes' })).toMatchObject({
      resources: [{ uri }],
    });
    expect((await client.callTool({ name: 'skill_load', arguments: { skill: 'notes' } })).content).toMatchObject([
      {},
      { text },
    ]);
    expect((await client.getPrompt({ name: 'team_notes' })).description).toBe('What team/notes does.');
    const found = await client.callTool({ name: 'skill_list', arguments: { query: 'notes' } });
    expect(found.content).toMatchObject([{ text: expect.stringContaining('- team/notes (1 file)') }]);
  });

  it('walks a listing of some skills to its end, and goes on in a listing of others after the last one of a page', async () => {
    const made = makeCatalog(Array.from({ length: 30 }, (_, index) => ({ path: `s-${10 + index}` })));
    const isListed = ({ uri }: { uri: string }) => Number(uri.slice(10, 12)) % 2 === 0;
    const client = await connect(made, era, { pageSize: 4, isListed });
    const seen: string[] = [];
    let first: string | undefined;
    for (let cursor: string | undefined; ; ) {
      const page = await ask(client, 'skills/list', cursor === undefined ? {} : { cursor });
      seen.push(...(page['skills'] as { uri: string }[]).map(({ uri }) => uri));
      cursor = page['nextCursor'] as string | undefined;
      first ??= cursor;
      if (cursor === undefined) break;
    }
    expect(seen).toEqual(made.skills.filter(isListed).map(({ uri }) => uri));
    const other = await connect(made, era, { pageSize: 4 });
    const next = (await ask(other, 'skills/list', { cursor: first }))['skills'] as { uri: string }[];
    // after the fourth that is listed to the first client, which is s-16
    expect(next.map(({ uri }) => uri)).toEqual(['17', '18', '19', '20'].map((each) => `skill://s-${each}/SKILL.md`));
  });

  it('lists no resources where they are off, and reads all of them', async () => {
    const client = await connect(CATALOG, era, { ...EVERYTHING, resources: false });
    expect(client.getServerCapabilities()?.resources).toEqual({});
    expect(await survey(client)).toEqual({ ...SURVEY, resources: [] });
    expect((await client.listResourceTemplates()).resourceTemplates).toHaveLength(1);
    for (const { resources } of CATALOG.skills) {
      for (const { uri } of resources) expect((await client.readResource({ uri })).contents).toMatchObject([{ uri }]);
    }
  });

  it('gives the tools of two servers names of their own, wherever they are named', async () => {
    const client = await connect(CATALOG, era, { ...EVERYTHING, toolPrefix: 'acme' });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['acme_skill_list', 'acme_skill_load', 'acme_skill_file']);
    const loaded = await client.callTool({ name: 'acme_skill_load', arguments: { skill: 'deploy' } });
    const said = [
      JSON.stringify(tools),
      client.getInstructions(),
      JSON.stringify(loaded),
      JSON.stringify(await client.callTool({ name: 'acme_skill_list', arguments: {} })),
      JSON.stringify(await client.callTool({ name: 'acme_skill_load', arguments: { skill: 'nothing-like-it' } })),
      JSON.stringify(await client.callTool({ name: 'acme_skill_file', arguments: { skill: 'pdf', paths: ['none'] } })),
      JSON.stringify(await client.getPrompt({ name: 'deploy' })),
    ].join('\n');
    expect(said).toContain('acme_skill_file');
    expect(said.match(/(?<!acme_)skill_(?:list|load|file)/g)).toBeNull();
    expect(await toError(client.callTool({ name: 'skill_load', arguments: {} }))).toEqual({
      code: -32602,
      message: 'there is no tool "skill_load": did you mean "acme_skill_load"?',
    });
  });
});

it.each([
  ['disable-model-invocation', true, false],
  ['disable-model-invocation', 'true', false],
  ['disable-model-invocation', false, true],
  ['disable-model-invocation', null, true],
  ['disable-model-invocation', { toString: 'true' }, true],
  ['user-invocable', false, false],
  ['user-invocable', 'false', false],
  ['user-invocable', true, true],
  ['user-invocable', ['false'], true],
])('takes %s: %j for what it says', (field, value, isOffered) => {
  const [skill] = makeCatalog([{ path: 'a', fields: { [field]: value } }]).skills as [Skill];
  expect([isForModel(skill), isForUser(skill)]).toEqual(
    field === 'user-invocable' ? [true, isOffered] : [isOffered, true],
  );
});

describe('a bare name that is the path of one skill and the name of another', () => {
  const catalog = makeCatalog([{ path: 'deploy' }, { path: 'acme/deploy' }, { path: 'other' }]);
  const load = async (skill: string) => {
    const client = await connect(catalog, '2026-07-28', { tools: 'always' });
    const { content } = await client.callTool({ name: 'skill_load', arguments: { skill } });
    return (content as { text: string }[])[0]?.text.split('\n')[0];
  };

  it('is answered with both', async () => {
    expect(await load('deploy')).toBe(
      '"deploy" is the path of one skill and the name of another: write one of "skill://deploy/SKILL.md", "acme/deploy"',
    );
  });

  it.each([
    ['skill://deploy/SKILL.md', 'deploy'],
    ['deploy/SKILL.md', 'deploy'],
    ['acme/deploy', 'acme/deploy'],
    ['other', 'other'],
  ])('and %j loads %s', async (text, path) => {
    expect(await load(text)).toMatch(new RegExp(`^This is the skill "${path}", `));
  });
});

describe('descriptions of tools', () => {
  const describeList = async (count: number, length: number) => {
    const made = makeCatalog(Array.from({ length: count }, (_, index) => ({ path: `${index}`.padStart(length, 'a') })));
    const client = await connect(made, '2026-07-28', { tools: 'always' });
    const first = (await client.listTools()).tools;
    await client.callTool({ name: 'skill_list', arguments: {} });
    // Copilot CLI fails the first call of a tool whose definition has changed
    expect((await client.listTools()).tools).toEqual(first);
    return first[0]?.description ?? '';
  };

  it.each([
    [1, 8, 1],
    [30, 20, 30],
    [100, 20, 37],
    [2000, 64, 12],
  ])('of %i skills with names of %i characters name %i', async (count, length, named) => {
    const description = await describeList(count, length);
    expect(description.length).toBeLessThanOrEqual(1024);
    expect(description.match(/\ba*\d+\b(?= and|,|\.)/g)).toHaveLength(named);
    expect(description).toContain(
      named === count ? '. Use it to see what' : ` and ${count - named} more. Use it to see what`,
    );
  });
});

it('names as many paths as fit, and counts one that would keep the others out', () => {
  const paths = (...names: string[]) => makeCatalog(names.map((path) => ({ path }))).skills;
  expect(namePaths(paths('a', 'b', 'c'), 7)).toBe('a, b, c');
  expect(namePaths(paths('aaa', 'bbb', 'ccc', 'ddd'), 15)).toBe('aaa and 3 more');
  expect(namePaths(paths(`${'a/'.repeat(80)}z`, 'b'), 100)).toBe('b and 1 more');
  expect(namePaths(paths('a-name-that-is-long'), 10)).toBe('1, too long to name here');
});
