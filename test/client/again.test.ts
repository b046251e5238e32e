import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type RegistryEvents, SkillRegistry } from '../../src/client/index.ts';
import { rpcError, Server } from './server.ts';

const REFUNDS = { path: 'refunds', body: 'Refund.\n', files: { 'a.md': 'a\n', 'b.md': 'b\n' } };

async function open(): Promise<{ server: Server; registry: SkillRegistry; events: unknown[] }> {
  const server = new Server(REFUNDS, 'on-call');
  const registry = new SkillRegistry();
  await registry.addServer(server, 'hf');
  await registry.activate('hf:refunds', 'c');
  const events: unknown[] = [];
  for (const name of ['changed', 'retired'] as const) {
    registry.on(name, (event: RegistryEvents[typeof name]) => events.push([name, event]));
  }
  server.asked.length = 0;
  return { server, registry, events };
}

const RETIRED = (reason: string) => [
  'retired',
  { name: 'hf:refunds', label: 'hf', uri: 'skill://refunds/SKILL.md', reason },
];
const CHANGED = ['changed', { label: 'hf' }];

describe('registering a server again', () => {
  test('replaces its entries', async () => {
    const { server, registry, events } = await open();
    server.publish(REFUNDS, 'new');
    expect(await registry.addServer(server, 'hf')).toEqual({ skills: 2, unavailable: 0 });
    expect(registry.list().map(({ name }) => name)).toEqual(['hf:new', 'hf:refunds']);
    expect([server.asked, events]).toEqual([['skills/list'], [CHANGED]]);
  });

  test('retires a skill that is gone, an active one included', async () => {
    const { server, registry, events } = await open();
    server.publish('on-call');
    await registry.addServer(server, 'hf');
    const reason = 'its server no longer serves it';
    expect(events).toEqual([RETIRED(reason), CHANGED]);
    expect(await registry.readFile('hf:refunds', 'a.md', 'c')).toMatchObject({ outcome: 'retired', reason });
    expect(await registry.activate('hf:refunds', 'c')).toMatchObject({ outcome: 'unknown' });
    expect(server.asked).toEqual(['skills/list', 'skills/get skill://refunds/SKILL.md']);
  });

  test('retires a skill that it offers in a form which the host does not take', async () => {
    const { server, registry, events } = await open();
    server.entry('refunds').resources = 'dynamic';
    await registry.addServer(server, 'hf');
    const reason = 'its content is dynamic, so it cannot be verified, and this host does not allow that';
    expect(events).toEqual([RETIRED(reason), CHANGED]);
    expect(await registry.readFile('hf:refunds', 'a.md', 'c')).toMatchObject({ outcome: 'retired', reason });
  });

  test('lets a skill that is active keep the entry by which it was loaded', async () => {
    const { server, registry, events } = await open();
    server.publish({ ...REFUNDS, body: 'Changed.\n', files: { 'a.md': 'a\n', 'b.md': 'changed\n' } });
    await registry.addServer(server, 'hf');
    expect(events).toEqual([CHANGED]);
    // verified against that entry, and not against the one that is held now
    expect(await registry.readFile('hf:refunds', 'a.md', 'c')).toMatchObject({ outcome: 'read', text: 'a\n' });
    expect(await registry.readFile('hf:refunds', 'b.md', 'c')).toMatchObject({ outcome: 'retired' });
    expect(await registry.activate('hf:refunds', 'd')).toMatchObject({ outcome: 'activated', body: '\nChanged.\n' });
    expect(await registry.readFile('hf:refunds', 'b.md', 'd')).toMatchObject({ outcome: 'read', text: 'changed\n' });
  });

  test('retires what was loaded by an older entry too, when the skill is gone', async () => {
    const { server, registry } = await open();
    server.publish({ ...REFUNDS, body: 'Changed.\n' });
    await registry.addServer(server, 'hf');
    server.publish('on-call');
    await registry.addServer(server, 'hf');
    expect(await registry.readFile('hf:refunds', 'a.md', 'c')).toMatchObject({ outcome: 'retired' });
  });

  test('takes a skill back that was unavailable', async () => {
    const { server, registry } = await open();
    const { resources } = server.entry('refunds');
    server.entry('refunds').resources = 'dynamic';
    await registry.addServer(server, 'hf');
    server.entry('refunds').resources = resources;
    expect(await registry.addServer(server, 'hf')).toEqual({ skills: 2, unavailable: 0 });
    expect(await registry.activate('hf:refunds', 'c')).toMatchObject({ outcome: 'activated' });
  });

  test('keeps what the part of a listing that came says nothing of', async () => {
    const { server, registry, events } = await open();
    server.answers['skills/list'] = ({ cursor }) =>
      cursor === undefined ? { skills: [server.entry('on-call')], nextCursor: 'x' } : Promise.reject(rpcError(-32603));
    expect(await registry.addServer(server, 'hf')).toMatchObject({ skills: 2, partial: expect.any(String) });
    expect(events).toEqual([CHANGED]);
    expect(await registry.readFile('hf:refunds', 'a.md', 'c')).toMatchObject({ outcome: 'read' });
  });

  test('keeps everything where the listing does not come', async () => {
    const { server, registry, events } = await open();
    server.answers['skills/list'] = () => Promise.reject(rpcError(-32603, 'down'));
    await expect(registry.addServer(server, 'hf')).rejects.toThrow('down');
    expect([registry.list().length, events]).toEqual([2, []]);
  });

  test('asks for an unlisted skill again before its next activation', async () => {
    const { server, registry } = await open();
    server.listed = [server.entry('refunds')];
    await registry.addServer(server, 'hf');
    await registry.activate('hf:on-call', 'c');
    await registry.addServer(server, 'hf');
    server.asked.length = 0;
    expect(await registry.activate('hf:on-call', 'c')).toMatchObject({ outcome: 'activated' });
    expect(server.asked).toContain('skills/get skill://on-call/SKILL.md');
  });

  test('takes the answer that was asked for last', async () => {
    const { server, registry } = await open();
    const answers: ((value: unknown) => void)[] = [];
    server.answers['skills/list'] = () => new Promise((resolve) => answers.push(resolve));
    const both = [registry.addServer(server, 'hf'), registry.addServer(server, 'hf')];
    await vi.waitFor(() => expect(answers.length).toBe(2));
    answers[1]?.({ skills: [server.entry('refunds')] });
    answers[0]?.({ skills: [] });
    await Promise.all(both);
    expect(registry.list().map(({ name }) => name)).toEqual(['hf:refunds']);
  });
});

describe('a server that says that its resources changed', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  test('is listed again, and a flood of that is no flood of requests', async () => {
    const { server, registry, events } = await open();
    server.publish(REFUNDS, 'new');
    const notify = () => {
      for (const listener of server.listeners) listener();
    };
    for (let time = 0; time < 500; time++) notify();
    await vi.advanceTimersByTimeAsync(10);
    expect([server.asked, events, registry.list().length]).toEqual([['skills/list'], [CHANGED], 2]);
    await vi.advanceTimersByTimeAsync(1000);
    expect(server.asked).toEqual(['skills/list', 'skills/list']);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(server.asked.length).toBe(2);
    notify();
    await vi.advanceTimersByTimeAsync(10);
    expect(server.asked.length).toBe(3);
  });

  test('keeps its skills where the listing fails, and the host can log it', async () => {
    const log: string[] = [];
    const server = new Server(REFUNDS);
    const registry = new SkillRegistry({ log: (message) => log.push(message) });
    await registry.addServer(server, 'hf');
    server.answers['skills/list'] = () => Promise.reject(rpcError(-32603, 'down'));
    for (const listener of server.listeners) listener();
    await vi.advanceTimersByTimeAsync(10);
    expect([registry.list().length, log]).toEqual([
      1,
      ['the skills of "hf" could not be read again: its server answered "down"'],
    ]);
  });

  test('is not listened to any more when it was removed', async () => {
    const { server, registry } = await open();
    registry.removeServer('hf');
    expect(server.listeners.size).toBe(0);
  });
});

describe('removing a server', () => {
  test('ends the use of its skills', async () => {
    const { server, registry, events } = await open();
    registry.removeServer('hf');
    const reason = 'this host no longer uses its server';
    expect([registry.list(), events]).toEqual([[], [RETIRED(reason)]]);
    expect(await registry.readFile('hf:refunds', 'a.md', 'c')).toMatchObject({ outcome: 'retired', reason });
    expect(await registry.activate('hf:on-call', 'c')).toMatchObject({ outcome: 'unknown' });
    expect(server.asked).toEqual([]);
    registry.removeServer('hf');
  });

  test('ends a listing that is under way', async () => {
    const { server, registry } = await open();
    server.answers['skills/list'] = () =>
      new Promise((resolve) => setTimeout(() => resolve({ skills: server.listed }), 5));
    const adding = registry.addServer(server, 'hf');
    registry.removeServer('hf');
    expect([await adding, registry.list()]).toEqual([{ skills: 0, unavailable: 0 }, []]);
  });

  test('ends an activation that is under way', async () => {
    const { server, registry } = await open();
    const text = server.files.get('skill://on-call/SKILL.md');
    server.answers['resources/read'] = ({ uri }) => {
      registry.removeServer('hf');
      return { contents: [{ uri, text }] };
    };
    expect(await registry.activate('hf:on-call', 'c')).toMatchObject({ outcome: 'retired' });
  });
});

test('a listener that fails hinders nobody, and one that has left hears nothing', async () => {
  const log: string[] = [];
  const server = new Server(REFUNDS);
  const registry = new SkillRegistry({ log: (message) => log.push(message) });
  let heard = 0;
  const leave = registry.on('changed', () => {
    throw new Error('no');
  });
  registry.on('changed', () => (heard += 1));
  await registry.addServer(server, 'hf');
  leave();
  await registry.addServer(server, 'hf');
  expect([heard, log]).toEqual([2, ['a listener of "changed" failed: Error: no']]);
});
