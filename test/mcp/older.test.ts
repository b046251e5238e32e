import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { expect, it } from 'vitest';
import { publishSkills } from '../../src/mcp/sdk.ts';
import { makeCatalog, toSkillMd } from './catalog.ts';

it('knows a client that declares the extension where the SDK drops that from what it keeps', async () => {
  const server = new McpServer({ name: 'a', version: '1' });
  // as 1.22 to 1.28 do
  server.server.getClientCapabilities = () => ({});
  publishSkills(server, makeCatalog([{ path: 'a' }]), { tools: 'auto' });
  const [c, s] = InMemoryTransport.createLinkedPair();
  await server.connect(s);
  const capabilities = { extensions: { 'io.modelcontextprotocol/skills': {} } };
  const client = new Client({ name: 'c', version: '1' }, { capabilities });
  await client.connect(c);
  expect((await client.listTools()).tools).toEqual([]);
});

it('puts every surface beside the tools of a server of the older SDK line', async () => {
  const server = new McpServer({ name: 'a', version: '1' });
  server.registerTool('greet', {}, () => ({ content: [] }));
  publishSkills(server, makeCatalog([{ path: 'a/b' }]), {
    tools: 'auto',
    prompts: true,
    instructions: true,
    legacyIndex: true,
  });
  const [c, s] = InMemoryTransport.createLinkedPair();
  await server.connect(s);
  const client = new Client({ name: 'c', version: '1' });
  await client.connect(c);
  expect((await client.listTools()).tools.map((t) => t.name)).toEqual([
    'greet',
    'skill_list',
    'skill_load',
    'skill_file',
  ]);
  expect(await client.callTool({ name: 'skill_load', arguments: { skill: 'b' } })).toMatchObject({
    content: [{ text: expect.stringMatching(/^This is the skill "a\/b"/) }, { text: toSkillMd({ path: 'a/b' }) }],
  });
  expect((await client.listPrompts()).prompts.map((t) => t.name)).toEqual(['a_b']);
  expect(
    (
      await client.complete({
        ref: { type: 'ref/resource', uri: 'skill://{+path}' },
        argument: { name: 'path', value: 'a' },
      })
    ).completion.values,
  ).toEqual(['a/b/SKILL.md']);
  expect((await client.readResource({ uri: 'skill://index.json' })).contents).toHaveLength(1);
  expect(client.getInstructions()).toContain('- a/b: What');
});
