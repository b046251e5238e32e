import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXTENSION } from '../../src/mcp/methods.ts';
import { toSkillMd } from './catalog.ts';
import { ERAS, type Era, toPlain } from './connect.ts';

const HOME = join(import.meta.dirname, '../..');
const root = mkdtempSync(join(tmpdir(), 'surfaces-'));
const clients: Client[] = [];

beforeAll(() => {
  execFileSync('npm', ['run', '--silent', 'bundle'], { cwd: HOME });
  for (const path of ['group/one', 'two']) {
    mkdirSync(join(root, path), { recursive: true });
    writeFileSync(join(root, path, 'SKILL.md'), toSkillMd({ path }));
  }
});

afterAll(async () => {
  for (const client of clients) await client.close();
  rmSync(root, { recursive: true, force: true });
});

async function start(era: Era, args: readonly string[], knowsSkills = false): Promise<Client> {
  const client = new Client(
    { name: 'client', version: '0' },
    {
      versionNegotiation: { mode: era === '2026-07-28' ? { pin: era } : 'legacy' },
      capabilities: knowsSkills ? { extensions: { [EXTENSION]: {} } } : {},
    },
  );
  const command = join(HOME, 'bin/mcp-server-skills.js');
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [command, root, ...args] }));
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

describe.each(ERAS)('the command on %s', (era) => {
  it.each([
    [[], false, DEFAULT],
    [[], true, { ...DEFAULT, tools: [] }],
    [['--tools', 'always'], true, DEFAULT],
    [['--max-prompts', '1'], false, { ...DEFAULT, prompts: ['skill'] }],
    [['--prompts', '--instructions', '--legacy-index'], false, { ...DEFAULT, hasIndex: true }],
    [
      ['--tools', 'never', '--no-prompts', '--no-instructions'],
      false,
      { capabilities: { completions: {} }, tools: [], prompts: [], hasInstructions: false, hasIndex: false },
    ],
  ])('with %j, for a client that knows the extension: %s', async (args, knowsSkills, expected) => {
    expect(await survey(await start(era, args, knowsSkills))).toEqual(expected);
  });

  it('answers a tool, a prompt, a completion and the listings of resources', async () => {
    const client = await start(era, []);
    const uri = 'skill://group/one/SKILL.md';
    const text = toSkillMd({ path: 'group/one' });
    const loaded = await client.callTool({ name: 'skill_load', arguments: { skill: 'one' } });
    expect(loaded.structuredContent).toMatchObject({ path: 'group/one', uri, content: text });
    const { messages } = await client.getPrompt({ name: 'group_one', arguments: { task: 'Go.' } });
    expect(messages).toMatchObject([{ content: { text: expect.stringContaining(`\n\n${text}\n\nTask: Go.`) } }]);
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
])('refuses %j', (args, message) => {
  const run = () =>
    execFileSync(process.execPath, [join(HOME, 'bin/mcp-server-skills.js'), root, ...args], {
      stdio: 'pipe',
      encoding: 'utf8',
    });
  expect(run).toThrow(message);
});
