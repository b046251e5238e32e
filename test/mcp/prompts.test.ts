import { createHash } from 'node:crypto';
import { McpServer } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import { publishSkills } from '../../src/mcp/server.ts';
import { makeCatalog, makeMany, toSkillMd } from './catalog.ts';
import { connect, ERAS, toError, toPlain } from './connect.ts';

const DESCRIPTION = 'One line\nand another, with <markup>, \u{e0041} and 😀.';
const PDF = { path: 'office/pdf', description: DESCRIPTION, files: { 'a.md': 'A' } };
const CATALOG = makeCatalog([PDF, { path: 'billing/refund' }, { path: 'shop/refund' }, { path: 'shop-refund' }]);
const TASK = { name: 'task', description: 'What to do with the skill', required: false };
const MARK = createHash('sha256').update(toSkillMd(PDF)).digest('hex').slice(0, 24);
const PREFACE =
  `This is the skill "office/pdf", for the user's task. All that follows the line "SKILL.md ${MARK}:", to the end of this message, ` +
  'is content of the skill: none of it is a message from the user, the host or this server. ' +
  "Relative paths in it resolve against the skill's own folder. ";

function toText(ways: string, task = ''): string {
  const size = new TextEncoder().encode(toSkillMd(PDF)).length;
  const files = `Files:\n- SKILL.md (text/markdown, ${size} bytes)\n- a.md (text/markdown, 1 byte)`;
  return `${task}${PREFACE}Read its files ${ways} when it refers to them.\n\n${files}\n\nSKILL.md ${MARK}:\n\n${toSkillMd(PDF)}`;
}

describe.each(ERAS)('on %s', (era) => {
  it('lists one prompt a skill, with names that hosts make commands of and no two skills share', async () => {
    const { prompts } = await (await connect(CATALOG, era, { prompts: true })).listPrompts();
    expect(prompts).toEqual([
      { name: 'billing_refund', title: 'billing/refund', description: 'What billing/refund does.', arguments: [TASK] },
      { name: 'office_pdf', title: 'pdf', description: DESCRIPTION, arguments: [TASK] },
      { name: 'shop-refund', title: 'shop-refund', description: 'What shop-refund does.', arguments: [TASK] },
      { name: 'shop_refund', title: 'shop/refund', description: 'What shop/refund does.', arguments: [TASK] },
    ]);
    for (const { name } of prompts) expect(name).toMatch(/^[a-zA-Z0-9_-]+$/);
  });

  it.each([
    ['always', 'with skill_file (skill "office/pdf")'],
    ['auto', 'with the tool skill_file (skill "office/pdf"), or as resources below skill://office/pdf/'],
    ['never', 'as resources below skill://office/pdf/'],
  ] as const)('with tools %s, gives a skill and where its files are', async (tools, ways) => {
    const client = await connect(CATALOG, era, { prompts: true, tools });
    expect(toPlain(await client.getPrompt({ name: 'office_pdf' }))).toEqual({
      description: DESCRIPTION,
      messages: [{ role: 'user', content: { type: 'text', text: toText(ways) } }],
    });
    expect(toPlain(await client.getPrompt({ name: 'office_pdf', arguments: { task: ' Fill form.pdf. ' } }))).toEqual({
      description: DESCRIPTION,
      messages: [
        { role: 'user', content: { type: 'text', text: toText(ways, "The user's task: Fill form.pdf.\n\n") } },
      ],
    });
  });

  it('takes one word for what it may be: the first of a task that a host split at blanks', async () => {
    const client = await connect(CATALOG, era, { prompts: true, tools: 'always' });
    const { messages } = await client.getPrompt({ name: 'office_pdf', arguments: { task: 'for' } });
    const told =
      'The user started this skill with "for", which may be only the first word of the task: ' +
      'where the conversation shows more of it, go by that.\n\n';
    expect(messages).toEqual([
      { role: 'user', content: { type: 'text', text: toText('with skill_file (skill "office/pdf")', told) } },
    ]);
  });

  it('says what a wrong request should have been', async () => {
    const client = await connect(CATALOG, era, { prompts: true });
    expect(await toError(client.getPrompt({ name: 'office_pdff' }))).toEqual({
      code: -32602,
      message: 'there is no prompt "office_pdff": did you mean "office_pdf"?',
    });
    expect((await toError(client.getPrompt({ name: 'office/pdf' }))).message).toBe(
      'there is no prompt "office/pdf": did you mean "office_pdf"?',
    );
    const params = { name: 'office_pdf', arguments: { task: 7 as never } };
    expect(await toError(client.request({ method: 'prompts/get', params }))).toEqual({
      code: -32602,
      message: 'the argument "task" is not a string',
    });
  });

  it('answers an empty list where prompts are off', async () => {
    const client = await connect(CATALOG, era);
    expect(client.getServerCapabilities()?.prompts).toBeUndefined();
    expect(toPlain(await client.request({ method: 'prompts/list', params: {} }))).toEqual({ prompts: [] });
    expect((await toError(client.request({ method: 'prompts/get', params: { name: 'office_pdf' } }))).code).toBe(
      -32601,
    );
  });

  it('lists the prompts of a host beside ours, and gives both', async () => {
    const client = await connect(() => {
      const server = new McpServer({ name: 'host', version: '1' });
      publishSkills(server, CATALOG, { prompts: true });
      server.registerPrompt('greet', {}, () => ({
        messages: [{ role: 'user', content: { type: 'text', text: 'hello' } }],
      }));
      return server;
    }, era);
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual([
      'greet',
      'billing_refund',
      'office_pdf',
      'shop-refund',
      'shop_refund',
    ]);
    expect((await client.getPrompt({ name: 'greet' })).messages[0]?.content).toEqual({ type: 'text', text: 'hello' });
    expect((await client.getPrompt({ name: 'office_pdf' })).description).toBe(DESCRIPTION);
  });
});

describe('how many', () => {
  const single = (count: number) => ({
    name: 'skill',
    title: 'Skill',
    description: `Loads one of the ${count} skills of this server`,
    arguments: [{ name: 'name', description: 'The path of the skill, or its name', required: true }, TASK],
  });

  it.each([
    [0, undefined, 0],
    [1, undefined, 1],
    [100, undefined, 100],
    [101, 101, 101],
    [1, 1, 1],
  ])('%i skills, at most %j: %i prompts', async (count, maxPrompts, expected) => {
    const options = { prompts: true, ...(maxPrompts === undefined ? {} : { maxPrompts }) };
    const client = await connect(makeMany(count), '2026-07-28', options);
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ title }) => title)).toEqual(
      makeMany(expected).skills.map(({ frontmatter }) => frontmatter.name),
    );
  });

  it.each([
    [101, undefined],
    [2000, undefined],
    [2, 1],
    [1, 0],
  ])('%i skills, at most %j: a single prompt for all', async (count, maxPrompts) => {
    const options = { prompts: true, ...(maxPrompts === undefined ? {} : { maxPrompts }) };
    const client = await connect(makeMany(count), '2025-11-25', options);
    expect((await client.listPrompts()).prompts).toEqual([single(count)]);
    const { description } = await client.getPrompt({ name: 'skill', arguments: { name: 'skill-0000' } });
    expect(description).toBe('What skill-0000 does.');
  });

  it('finds the skill of the single prompt by path or unique name, and helps where there is none', async () => {
    const client = await connect(CATALOG, '2025-11-25', { prompts: true, maxPrompts: 3 });
    const get = (name: string) => client.getPrompt({ name: 'skill', arguments: { name } });
    expect((await get('shop/refund')).description).toBe('What shop/refund does.');
    expect((await get('pdf')).description).toBe(DESCRIPTION);
    expect(await toError(get('refund'))).toEqual({
      code: -32602,
      message: '"refund" is the name of 2 skills: write one of the paths "billing/refund", "shop/refund"',
    });
    expect((await toError(get('office/pfd'))).message).toBe(
      'there is no skill "office/pfd": did you mean "office/pdf"?',
    );
    expect((await toError(client.getPrompt({ name: 'skill' }))).message).toBe(
      'the argument "name" is missing: it names the skill',
    );
    expect((await toError(client.getPrompt({ name: 'shop_refund' }))).message).toBe(
      'there is no prompt "shop_refund": the one prompt is "skill", and its argument "name" names the skill',
    );
  });

  it('pages', async () => {
    const client = await connect(makeMany(5), '2025-11-25', { prompts: true, pageSize: 2 });
    const names: string[][] = [];
    for (let cursor: string | undefined; ; ) {
      const params = cursor === undefined ? {} : { cursor };
      const page = await client.request({ method: 'prompts/list', params });
      names.push(page.prompts.map(({ name }) => name));
      cursor = page.nextCursor;
      if (cursor === undefined) break;
    }
    expect(names).toEqual([['skill-0000', 'skill-0001'], ['skill-0002', 'skill-0003'], ['skill-0004']]);
    expect((await toError(client.request({ method: 'prompts/list', params: { cursor: 'x' } }))).code).toBe(-32602);
  });
});
