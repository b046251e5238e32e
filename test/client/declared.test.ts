import { describe, expect, test } from 'vitest';
import { SkillRegistry, SkillsNotServed } from '../../src/client/index.ts';
import { EXTENSION } from '../../src/client/labels.ts';
import { Server } from './server.ts';

describe('a server that does not declare the extension', () => {
  test.each([
    ['no capabilities', {}],
    ['no extensions', { extensions: {} }],
    ['another extension', { extensions: { 'io.example/skills': {} } }],
    ['no settings', { extensions: { [EXTENSION]: null } }],
    ['true', { extensions: { [EXTENSION]: true } }],
    ['the extension under experimental', { experimental: { [EXTENSION]: {} } }],
  ])('is an error, and asked nothing: %s', async (_, capabilities) => {
    const server = new Server('refunds');
    server.capabilities = capabilities as never;
    const registry = new SkillRegistry();
    const error = await registry.addServer(server, 'hf').catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(SkillsNotServed);
    expect(error).toMatchObject({
      name: 'SkillsNotServed',
      label: 'hf',
      message: `the server "hf" does not declare the Skills extension, ${EXTENSION}`,
    });
    expect([server.asked, registry.list()]).toEqual([[], []]);
  });

  test('keeps nothing when it declared it before', async () => {
    const server = new Server('refunds');
    const registry = new SkillRegistry();
    await registry.addServer(server, 'hf');
    server.capabilities = {};
    await expect(registry.addServer(server, 'hf')).rejects.toThrow(SkillsNotServed);
  });
});

test('a server that declares settings nobody knows is asked all the same', async () => {
  const server = new Server('refunds');
  server.capabilities = { extensions: { [EXTENSION]: { directoryRead: true, future: 1 } } };
  expect(await new SkillRegistry().addServer(server, 'hf')).toEqual({ skills: 1, unavailable: 0 });
});
