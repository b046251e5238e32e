import { describe, expect, test } from 'vitest';
import { type RegistryOptions, SkillRegistry } from '../../src/client/index.ts';
import { rpcError, Server } from './server.ts';

const GET = 'skills/get skill://acme/hidden/SKILL.md';

/** A server that lists one skill, and serves another that it does not list. */
async function open(options: RegistryOptions = {}): Promise<{ server: Server; registry: SkillRegistry }> {
  const server = new Server('refunds', 'acme/hidden');
  server.listed = [server.entry('refunds')];
  const registry = new SkillRegistry(options);
  await registry.addServer(server, 'hf');
  server.asked.length = 0;
  return { server, registry };
}

test('a skill that no listing has is asked for once, and registered unlisted', async () => {
  const { server, registry } = await open();
  const before = [registry.list(), registry.toPrompt()];
  for (const context of ['a', 'b']) {
    expect(await registry.activate('hf:acme/hidden', context)).toMatchObject({ outcome: 'activated', verified: true });
  }
  expect(server.asked).toEqual([GET, 'resources/read skill://acme/hidden/SKILL.md']);
  expect([registry.list(), registry.toPrompt()]).toEqual(before);
  expect(registry.active('a')).toMatchObject([{ name: 'hf:acme/hidden' }]);
});

test('a name of another scheme is a URI', async () => {
  const { server, registry } = await open();
  await registry.activate('hf:github://owner/repo/refunds');
  expect(server.asked).toEqual(['skills/get github://owner/repo/refunds/SKILL.md']);
});

test('what cannot be the name of a served skill is asked of nobody', async () => {
  const { server, registry } = await open();
  const names = [
    'hf:',
    'hf:Refunds',
    'hf:a/',
    'hf:/a',
    'hf:a//b',
    'hf:../a',
    'hf:a/../b',
    'hf:skill://acme/hidden',
    'hf:a b',
    'hf:a?b',
    'hf:a#b',
  ];
  for (const name of [
    ...names,
    `hf:${'x/'.repeat(600)}x`,
    'hf:é',
    'none:acme/hidden',
    'HF:acme/hidden',
    'acme/hidden',
    '',
  ]) {
    expect([name, (await registry.activate(name)).outcome]).toEqual([name, 'unknown']);
  }
  expect(server.asked).toEqual([]);
});

describe('that a server has no such skill', () => {
  test('is remembered for 60 seconds', async () => {
    let time = 1_000_000;
    const { server, registry } = await open({ now: () => time });
    const activate = async () => {
      expect(await registry.activate('hf:none')).toMatchObject({
        outcome: 'unknown',
        reason: 'there is no such skill',
      });
      return server.asked.length;
    };
    expect([await activate(), await activate()]).toEqual([1, 1]);
    time += 59_999;
    expect(await activate()).toBe(1);
    time += 1;
    expect([await activate(), await activate()]).toEqual([2, 2]);
  });

  test('is remembered of 100 names for each label', async () => {
    const { server, registry } = await open();
    const other = new Server('refunds');
    await registry.addServer(other, 'other');
    await registry.activate('other:none');
    for (let index = 0; index < 101; index++) await registry.activate(`hf:none-${index}`);
    server.asked.length = 0;
    for (const index of [100, 1, 0]) await registry.activate(`hf:none-${index}`);
    expect(server.asked).toEqual(['skills/get skill://none-0/SKILL.md']);
    other.asked.length = 0;
    await registry.activate('other:none');
    expect(other.asked).toEqual([]);
  });

  test('is not what an answer says that never came', async () => {
    const { server, registry } = await open();
    server.answers['skills/get'] = () => Promise.reject(rpcError(-32603, 'down'));
    for (let time = 1; time <= 2; time++) {
      expect(await registry.activate('hf:none')).toMatchObject({
        outcome: 'failed',
        reason: 'its server answered "down"',
      });
      expect(server.asked.length).toBe(time);
    }
  });
});

test('an unlisted skill is held to the same rules', async () => {
  const { server, registry } = await open();
  server.entry('acme/hidden').resources = 'dynamic';
  expect(await registry.activate('hf:acme/hidden')).toMatchObject({ outcome: 'unavailable' });
  server.answers['skills/get'] = () => ({ skill: server.entry('refunds') });
  expect(await registry.activate('hf:acme/other')).toMatchObject({
    outcome: 'unavailable',
    reason: 'its server answered with another skill',
  });
  expect(server.asked).toEqual([GET, 'skills/get skill://acme/other/SKILL.md']);
});

test('a registry holds 100 skills that were asked for by name', async () => {
  const { server, registry } = await open();
  const entry = server.entry('acme/hidden');
  server.answers['skills/get'] = ({ uri }) => {
    const name = String(uri).split('/').at(-2);
    const resources = [{ ...(entry.resources as { digest: string }[])[0], uri }];
    return { skill: { uri, frontmatter: { ...entry.frontmatter, name }, resources } };
  };
  for (let index = 0; index < 102; index++) await registry.activate(`hf:made-${index}`);
  const gets = () => server.asked.filter((each) => each.startsWith('skills/get')).length;
  expect(gets()).toBe(102 + 102);
  await registry.activate('hf:made-1');
  expect(gets()).toBeGreaterThan(204);
});
