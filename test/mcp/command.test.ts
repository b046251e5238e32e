import type { Client } from '@modelcontextprotocol/client';
import { afterAll, describe, expect, it } from 'vitest';
import type { Skill } from '../../src/catalog/catalog.ts';
import { explainCut } from '../../src/cli/claude.ts';
import { EXTENSION } from '../../src/mcp/methods.ts';
import { connect, ERAS, type Era, run } from '../command.ts';
import { makeTree } from '../tree.ts';
import { makeCatalog, toSkillMd } from './catalog.ts';
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
    resources: (await client.listResources()).resources.map(({ uri }) => uri),
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
  // the folder is followed
  capabilities: { tools: {}, prompts: { listChanged: true }, completions: {} },
  tools: TOOLS,
  prompts: PROMPTS,
  hasInstructions: true,
  hasIndex: false,
  resources: ['skill://group/one/SKILL.md', 'skill://two/SKILL.md'],
};

describe.each(ERAS)('the command, %s era', (era) => {
  it.each([
    [[], false, DEFAULT],
    [[], true, { ...DEFAULT, tools: [] }],
    [['--tools', 'always'], true, DEFAULT],
    [['--max-prompts', '1'], false, { ...DEFAULT, prompts: ['skill'] }],
    [['--prompts', '--instructions', '--legacy-index'], false, { ...DEFAULT, hasIndex: true }],
    [['--no-resources'], false, { ...DEFAULT, resources: [] }],
    [['--tool-prefix', 'acme'], false, { ...DEFAULT, tools: TOOLS.map((name) => `acme_${name}`) }],
    [
      ['--unlisted', 'group'],
      false,
      { ...DEFAULT, prompts: ['two'], hasInstructions: false, resources: ['skill://two/SKILL.md'] },
    ],
    [
      ['--tools', 'never', '--no-prompts', '--no-instructions'],
      false,
      { ...DEFAULT, capabilities: {}, tools: [], prompts: [], hasInstructions: false },
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
  [['--tool-prefix', 'a b'], /It must be 1 to 32 letters, digits, "_" or "-"\./],
  [['--unlisted', 'three'], /^mcp-server-skills: --unlisted "three" matches no skill\n$/],
  [['--unlisted', 'two', '--unlisted', './one'], /^mcp-server-skills: --unlisted "\.\/one" matches no skill\n$/],
  [['--unlisted', '/'], /^mcp-server-skills: --unlisted "\/" names nothing\n$/],
])('refuses %j', async (args, message) => {
  const { status, stdout, stderr } = await run([root, ...args]);
  expect([status, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(message);
});

describe('--unlisted', () => {
  const listed = async (args: readonly string[]) => {
    const client = await connect('modern', args);
    clients.push(client);
    return (await client.listResources()).resources.map(({ title }) => title);
  };
  const other = makeTree({
    'two/SKILL.md': toSkillMd({ path: 'two' }),
    'three/SKILL.md': toSkillMd({ path: 'three' }),
  });

  it.each([
    [
      ['--unlisted', 'two'],
      ['a/group/one', 'b/three'],
    ],
    [['--unlisted', './t*'], ['a/group/one']],
    [
      ['--unlisted', 'group/*'],
      ['a/two', 'b/three', 'b/two'],
    ],
    [
      ['--unlisted', 'group/', '--unlisted', 'three'],
      ['a/two', 'b/two'],
    ],
    [
      ['--unlisted', 'b/t*'],
      ['a/group/one', 'a/two'],
    ],
    [
      ['--unlisted', 'a'],
      ['b/three', 'b/two'],
    ],
    [['--unlisted', '*'], []],
  ])('%j is matched against the paths in each root, and as they are served', async (args, titles) => {
    expect(await listed([`a=${root}`, `b=${other}`, ...args])).toEqual(titles);
  });

  it('names the skill that a root is', async () => {
    const alone = makeTree({ 'two/SKILL.md': toSkillMd({ path: 'two' }) });
    expect(await listed([`${alone}/two`])).toEqual(['two']);
    expect(await listed([`${alone}/two`, '--unlisted', 'two'])).toEqual([]);
  });

  it('serves by its address what no listing has', async () => {
    const client = await start('modern', ['--unlisted', '*']);
    expect((await client.readResource({ uri: 'skill://two/SKILL.md' })).contents).toHaveLength(1);
    expect(client.getInstructions()).toBe(
      'This server publishes Agent Skills. skill_list finds 2 skills by words; load one with skill_load before a task that it fits.',
    );
    expect((await client.listTools()).tools[0]?.description).toContain('. It finds 2 by words of a query.');
  });
});

describe('Claude Code at a listing that it does not take whole', () => {
  const initialize = (name: string) => {
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name, version: '2.1.332' } };
    return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
  };
  const discover = (name: string, id = 1) => {
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name, version: '2.1.332' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    return JSON.stringify({ jsonrpc: '2.0', id, method: 'server/discover', params: { _meta } });
  };
  const told = async (args: readonly string[], ...lines: string[]) => {
    const { status, stdout, stderr } = await run(args, { input: `${lines.join('\n')}\n` });
    expect([status, stdout.split('\n').length]).toEqual([0, lines.length + 1]);
    return stderr;
  };
  const toWarning = (taken: number, all: number) =>
    `mcp-server-skills: Claude Code takes the first ${taken} of ${all} skills into its own list; skills/get and the tools reach the ` +
    'others. --unlisted chooses what is listed\n';
  const paths = Array.from({ length: 101 }, (_, index) => `skill-${String(index).padStart(3, '0')}`);
  const many = makeTree(Object.fromEntries(paths.map((path) => [`${path}/SKILL.md`, toSkillMd({ path })])));

  it('is told of once, in either era', async () => {
    expect(await told([many], initialize('claude-code'))).toBe(toWarning(100, 101));
    expect(await told([many], discover('claude-code'), discover('claude-code', 2))).toBe(toWarning(100, 101));
  });

  it.each([
    ['another client', [many], 'codex'],
    ['100 skills', [many, '--exclude', 'skill-000'], 'claude-code'],
    ['100 listed skills', [many, '--unlisted', 'skill-000'], 'claude-code'],
  ])('is not told to %s', async (_, args, name) => {
    expect(await told(args, initialize(name))).toBe('');
    expect(await told(args, discover(name))).toBe('');
  });

  it('counts pages and bytes as well', async () => {
    expect(await told([many, '--page-size', '3'], discover('claude-code'))).toBe(toWarning(60, 101));
    // two entries of 512 KiB together, and of a byte more
    const toPair = (bytes: number) => {
      const [first, second] = makeCatalog([{ path: 'a' }, { path: 'b' }]).skills as [Skill, Skill];
      const size = (skill: Skill) => Buffer.byteLength(JSON.stringify(skill));
      const room = bytes - size(first) - size(second) - ',"notes":""'.length;
      return [first, { ...second, frontmatter: { ...second.frontmatter, notes: 'x'.repeat(room) } }];
    };
    expect(explainCut(toPair(512 * 1024), 100)).toBeUndefined();
    expect(explainCut(toPair(512 * 1024 + 1), 100)).toMatch(/ takes the first 1 of 2 skills /);
  });
});
