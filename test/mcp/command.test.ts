import type { Client } from '@modelcontextprotocol/client';
import { afterAll, describe, expect, it } from 'vitest';
import { EXTENSION } from '../../src/mcp/methods.ts';
import { connect, ERAS, type Era, run } from '../command.ts';
import { makeTree } from '../tree.ts';
import { toSkillMd } from './catalog.ts';
import { toPlain } from './connect.ts';

const clients: Client[] = [];
const root = makeTree(
  Object.fromEntries(['group/one', 'two'].map((path) => [`${path}/SKILL.md`, toSkillMd({ path })])),
);

afterAll(async () => {
  for (const client of clients) await client.close();
});

async function start(era: Era, args: readonly string[], knowsSkills = false): Promise<Client> {
  const client = await connect(era, [root, ...args], knowsSkills ? { [EXTENSION]: {} } : undefined);
  clients.push(client);
  return client;
}

async function survey(client: Client) {
  const { tools, prompts, completions } = client.getServerCapabilities() ?? {};
  const listed = async (method: 'tools/list' | 'prompts/list') => {
    const result = (await client.request({ method, params: {} })) as Record<string, { name: string }[]>;
    return result[method.slice(0, -5)]?.map(({ name }) => name);
  };
  return {
    capabilities: { tools, prompts, completions },
    tools: await listed('tools/list'),
    prompts: await listed('prompts/list'),
    hasInstructions: client.getInstructions()?.includes('- group/one: What group/one does.\n- two: ') ?? false,
    hasIndex: await client.readResource({ uri: 'skill://index.json' }).then(
      () => true,
      () => false,
    ),
  };
}

const TOOLS = ['skill_list', 'skill_load', 'skill_file'];
const PROMPTS = ['group_one', 'two'];
const DEFAULT = {
  capabilities: { tools: {}, prompts: {}, completions: {} },
  tools: TOOLS,
  prompts: PROMPTS,
  hasInstructions: true,
  hasIndex: false,
};

describe.each(ERAS)('the command, %s era', (era) => {
  it.each([
    [[], false, DEFAULT],
    [[], true, { ...DEFAULT, tools: [] }],
    [['--tools', 'always'], true, DEFAULT],
    [['--max-prompts', '1'], false, { ...DEFAULT, prompts: ['skill'] }],
    [['--prompts', '--instructions', '--legacy-index'], false, { ...DEFAULT, hasIndex: true }],
    [
      ['--tools', 'never', '--no-prompts', '--no-instructions'],
      false,
      { capabilities: {}, tools: [], prompts: [], hasInstructions: false, hasIndex: false },
    ],
  ])('with %j, for a client that knows the extension: %s', async (args, knowsSkills, expected) => {
    expect(await survey(await start(era, args, knowsSkills))).toEqual(expected);
  });

  it('answers a tool, a prompt, a completion and the listings of resources', async () => {
    const client = await start(era, []);
    const uri = 'skill://group/one/SKILL.md';
    const text = toSkillMd({ path: 'group/one' });
    const loaded = await client.callTool({ name: 'skill_load', arguments: { skill: 'one' } });
    expect(loaded).toMatchObject({ content: [{ text: expect.stringContaining('"group/one"') }, { text }] });
    const { messages } = await client.getPrompt({ name: 'group_one', arguments: { task: 'Go.' } });
    expect(messages).toMatchObject([
      { content: { text: expect.stringMatching(/^The user started this skill with "Go\."/) } },
    ]);
    const ref = { type: 'ref/resource', uri: 'skill://{+path}' } as const;
    expect(toPlain(await client.complete({ ref, argument: { name: 'path', value: 'ONE' } }))).toEqual({
      completion: { values: ['group/one/SKILL.md'], total: 1, hasMore: false },
    });
    const annotations = { audience: ['assistant'], priority: 1 };
    expect((await client.listResources()).resources).toMatchObject([
      { uri, annotations },
      { uri: 'skill://two/SKILL.md', annotations },
    ]);
    expect((await client.listResourceTemplates()).resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      ref.uri,
    ]);
  });
});

it.each([
  [['--tools', 'some'], /Allowed choices are auto, always, never/],
  [['--max-prompts', '-1'], /must be a whole number from 0/],
])('refuses %j', async (args, message) => {
  const { status, stdout, stderr } = await run([root, ...args]);
  expect([status, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(message);
});
