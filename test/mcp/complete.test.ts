import { completable, McpServer } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { TEMPLATE } from '../../src/mcp/methods.ts';
import { publishSkills } from '../../src/mcp/server.ts';
import { makeCatalog, makeMany } from './catalog.ts';
import { connect, ERAS, toError, toPlain } from './connect.ts';

const CATALOG = makeCatalog([
  { path: 'office/pdf-forms', files: { 'scripts/Fields.py': '' } },
  { path: 'pdf' },
  { path: 'tax' },
]);
const skill = { type: 'ref/prompt', name: 'skill' } as const;
const template = { type: 'ref/resource', uri: TEMPLATE } as const;
const toResult = (values: string[], total = values.length) => ({
  completion: { values, total, hasMore: total > values.length },
});

describe.each(ERAS)('on %s', (era) => {
  it.each([
    [skill, 'name', '', ['office/pdf-forms', 'pdf', 'tax']],
    [skill, 'name', 'PDF', ['office/pdf-forms', 'pdf']],
    [skill, 'name', 'forms', ['office/pdf-forms']],
    [skill, 'name', 'x-x', []],
    [skill, 'task', 'pdf', []],
    [template, 'path', 'fields', ['office/pdf-forms/scripts/Fields.py']],
    [template, 'path', 'pdf', ['office/pdf-forms/SKILL.md', 'office/pdf-forms/scripts/Fields.py', 'pdf/SKILL.md']],
    [template, 'other', 'pdf', []],
  ])('completes %j, %s, %j', async (ref, name, value, values) => {
    const client = await connect(CATALOG, era, { prompts: true, maxPrompts: 2 });
    expect(client.getServerCapabilities()?.completions).toEqual({});
    expect(toPlain(await client.complete({ ref, argument: { name, value } }))).toEqual(toResult(values));
  });

  it('has nothing for the prompt of a skill, and an error for what is not there', async () => {
    const client = await connect(CATALOG, era, { prompts: true });
    const ask = (ref: typeof skill | { type: 'ref/resource'; uri: string } | { type: 'ref/prompt'; name: string }) =>
      client.complete({ ref, argument: { name: 'task', value: 'f' } });
    expect(toPlain(await ask({ type: 'ref/prompt', name: 'tax' }))).toEqual(toResult([]));
    expect(await toError(ask(skill))).toEqual({ code: -32602, message: 'there is nothing to complete for "skill"' });
    expect((await toError(ask({ type: 'ref/resource', uri: 'x://{y}' }))).message).toBe(
      'there is nothing to complete for "x://{y}"',
    );
    const params = { ref: template } as never;
    expect((await toError(client.request({ method: 'completion/complete', params }))).code).toBe(-32602);
  });

  it('completes the template, and answers nothing for prompts, where prompts are off', async () => {
    const client = await connect(CATALOG, era, { instructions: true });
    expect(toPlain(await client.complete({ ref: skill, argument: { name: 'name', value: '' } }))).toEqual(toResult([]));
    expect(toPlain(await client.complete({ ref: template, argument: { name: 'path', value: 'tax' } }))).toEqual(
      toResult(['tax/SKILL.md']),
    );
  });

  it('answers nothing at all, and declares nothing, where every surface is off', async () => {
    const client = await connect(CATALOG, era);
    expect(client.getServerCapabilities()?.completions).toBeUndefined();
    const complete = (ref: typeof template | { type: 'ref/prompt'; name: string }) =>
      client.request({ method: 'completion/complete', params: { ref, argument: { name: 'path', value: 'tax' } } });
    expect(toPlain(await complete(template))).toEqual(toResult([]));
    expect(toPlain(await complete({ type: 'ref/prompt', name: 'tax' }))).toEqual(toResult([]));
  });

  it('leaves the completion of a host to the host', async () => {
    const client = await connect(() => {
      const server = new McpServer({ name: 'host', version: '1' });
      const argsSchema = z.object({ who: completable(z.string(), () => ['Ada', 'Alan']) });
      server.registerPrompt('greet', { argsSchema }, () => ({ messages: [] }));
      publishSkills(server, CATALOG, { prompts: true, maxPrompts: 0 });
      return server;
    }, era);
    const ask = (name: string, argument: string) =>
      client.complete({ ref: { type: 'ref/prompt', name }, argument: { name: argument, value: 'a' } });
    expect(toPlain(await ask('greet', 'who'))).toEqual(toResult(['Ada', 'Alan']));
    expect(toPlain(await ask('skill', 'name'))).toEqual(toResult(['tax']));
  });
});

it.each([
  [0, 0, 0, false],
  [99, 99, 99, false],
  [100, 100, 100, false],
  [101, 100, 101, true],
  [2000, 100, 2000, true],
])('gives at most 100 of %i values', async (count, shown, total, hasMore) => {
  const client = await connect(makeMany(count), '2026-07-28', { prompts: true, maxPrompts: 0 });
  const { completion } = await client.complete({ ref: template, argument: { name: 'path', value: 'KILL-' } });
  expect({ ...completion, values: completion.values.length }).toEqual({ values: shown, total, hasMore });
});
