import { describe, expect, test } from 'vitest';
import { type RegistryEvents, SkillRegistry } from '../../src/client/index.ts';
import { Server } from './server.ts';

const REFUNDS = { path: 'refunds', files: { 'a.md': 'a\n' } };

async function open(): Promise<{ server: Server; registry: SkillRegistry }> {
  const server = new Server(REFUNDS, 'on-call', 'live', 'hidden');
  server.entry('live').resources = 'dynamic';
  server.listed = ['refunds', 'on-call', 'live'].map((path) => server.entry(path));
  const registry = new SkillRegistry();
  registry.addLocal({ name: 'own', description: 'Ours', read: () => 'Ours\n' });
  await registry.addServer(server, 'hf');
  server.asked.length = 0;
  return { server, registry };
}

const toNames = (registry: SkillRegistry) => registry.list().map(({ name }) => name);

test('a copy has the same skills and the same bytes', async () => {
  const { server, registry } = await open();
  const copy = registry.copy();
  expect([copy.list(), copy.toPrompt()]).toEqual([registry.list(), registry.toPrompt()]);
  const [mine, its] = [await registry.activate('hf:refunds', 'c'), await copy.activate('hf:refunds', 'c')];
  expect(its).toEqual(mine);
  // what one has read the other has as well, and what is active in one is not in the other
  expect(server.asked).toEqual(['resources/read skill://refunds/SKILL.md']);
  copy.deactivate('hf:refunds', 'c');
  expect([registry.active('c').length, copy.active('c').length]).toEqual([1, 0]);
});

test('a copy shares what is added and removed later', async () => {
  const { server, registry } = await open();
  const copy = registry.copy();
  await registry.addServer(new Server('more'), 'other');
  registry.addLocal({ name: 'late', description: 'Late', read: () => '' });
  expect(toNames(copy)).toEqual(['late', 'own', 'hf:live', 'hf:on-call', 'hf:refunds', 'other:more']);
  registry.removeServer('hf');
  expect(toNames(copy)).toEqual(['late', 'own', 'other:more']);
  expect(await copy.activate('hf:refunds')).toMatchObject({ outcome: 'unknown' });
  expect(server.asked).toEqual([]);
});

test('a skill retires in every copy, where it is active too', async () => {
  const { server, registry } = await open();
  const [copy, narrow] = [registry.copy(), registry.copy(['hf:refunds'])];
  for (const each of [copy, narrow]) await each.activate('hf:refunds', 'c');
  const heard: string[] = [];
  const hear = (who: string) => (event: RegistryEvents['retired']) => heard.push(`${who} ${event.name}`);
  registry.on('retired', hear('registry'));
  narrow.on('retired', hear('narrow'));
  registry.copy(['own']).on('retired', hear('other'));
  server.publish('on-call');
  await registry.addServer(server, 'hf');
  for (const each of [copy, narrow]) {
    expect(await each.readFile('hf:refunds', 'a.md', 'c')).toMatchObject({ outcome: 'retired' });
  }
  expect(heard).toEqual(['registry hf:refunds', 'narrow hf:refunds']);
});

describe('a copy that is narrowed to some names', () => {
  test('reaches those alone, and asks for no other', async () => {
    const { server, registry } = await open();
    const copy = registry.copy(['hf:refunds', 'own', 'hf:nowhere']);
    expect(toNames(copy)).toEqual(['own', 'hf:refunds']);
    for (const name of ['hf:on-call', 'hf:hidden', 'hf:live', 'hf:else']) {
      expect(await copy.activate(name, 'c')).toMatchObject({ outcome: 'unknown', reason: 'there is no such skill' });
    }
    expect(server.asked).toEqual([]);
    expect(await copy.activate('hf:refunds', 'c')).toMatchObject({ outcome: 'activated' });
    expect(await copy.activate('own', 'c')).toMatchObject({ outcome: 'activated' });
    expect(copy.toTools('c')[0]?.inputSchema.properties['name']?.enum).toEqual(['own', 'hf:refunds']);
  });

  test('asks for an unlisted skill that it was given', async () => {
    const { server, registry } = await open();
    expect(await registry.copy(['hf:hidden']).activate('hf:hidden', 'c')).toMatchObject({ outcome: 'activated' });
    expect(server.asked[0]).toBe('skills/get skill://hidden/SKILL.md');
  });

  test('is never widened again by a copy of it', async () => {
    const { registry } = await open();
    const copy = registry.copy(['hf:refunds']);
    expect([toNames(copy.copy()), toNames(copy.copy(['own', 'hf:refunds'])), toNames(copy.copy([]))]).toEqual([
      ['hf:refunds'],
      ['hf:refunds'],
      [],
    ]);
  });
});

describe('a copy without marks', () => {
  test('does not ask for what its source marked unavailable, nor name it', async () => {
    const { server, registry } = await open();
    const copy = registry.copy(undefined, { marks: false });
    expect(toNames(registry)).toEqual(['own', 'hf:live', 'hf:on-call', 'hf:refunds']);
    expect(toNames(copy)).toEqual(['own', 'hf:on-call', 'hf:refunds']);
    expect(await copy.activate('hf:live')).toMatchObject({ outcome: 'unknown' });
    expect(await registry.activate('hf:live')).toMatchObject({ outcome: 'unavailable' });
    // what its source asked for in vain is marked as well
    server.entry('hidden').resources = 'dynamic';
    expect(await registry.activate('hf:hidden')).toMatchObject({ outcome: 'unavailable' });
    server.asked.length = 0;
    expect(await copy.activate('hf:hidden')).toMatchObject({ outcome: 'unknown' });
    expect([server.asked, copy.copy(undefined, { marks: true }).list()]).toEqual([[], copy.list()]);
  });

  test('has a skill again when its source can use it again', async () => {
    const { server, registry } = await open();
    const copy = registry.copy(undefined, { marks: false });
    await registry.addServer(server, 'hf', { allowDynamic: true });
    expect(toNames(copy)).toContain('hf:live');
  });
});
