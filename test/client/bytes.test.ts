import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ByteCache } from '../../src/client/bytecache.ts';
import { SkillRegistry } from '../../src/client/index.ts';
import { Server } from './server.ts';

const KIB = 1024;
const SKILL = {
  path: 'refunds',
  files: { 'a.txt': 'a'.repeat(KIB), 'b.txt': 'b'.repeat(KIB), 'c.txt': 'c'.repeat(KIB) },
};

async function open(
  maxCachedBytes?: number,
): Promise<{ server: Server; registry: SkillRegistry; read: (path: string) => Promise<boolean> }> {
  const server = new Server(SKILL);
  const registry = new SkillRegistry(maxCachedBytes === undefined ? {} : { maxCachedBytes });
  await registry.addServer(server, 'hf');
  await registry.activate('hf:refunds', 'c');
  /** Reads a file, and says whether its server was asked. */
  const read = async (path: string) => {
    const before = server.asked.length;
    expect(await registry.readFile('hf:refunds', path, 'c')).toMatchObject({
      outcome: 'read',
      mimeType: 'text/markdown',
    });
    return server.asked.length > before;
  };
  return { server, registry, read };
}

test('a file is asked for once', async () => {
  const { read, registry, server } = await open();
  expect([await read('a.txt'), await read('a.txt'), await read('b.txt'), await read('b.txt')]).toEqual([
    true,
    false,
    true,
    false,
  ]);
  const asked = server.asked.length;
  await registry.activate('hf:refunds', 'd');
  expect(server.asked.length).toBe(asked);
});

test('up to so many bytes, and what was asked for longest ago goes first', async () => {
  const { read } = await open(2 * KIB + 200);
  expect([await read('a.txt'), await read('b.txt')]).toEqual([true, true]);
  expect(await read('a.txt')).toBe(false);
  expect(await read('c.txt')).toBe(true);
  expect([await read('a.txt'), await read('c.txt'), await read('b.txt')]).toEqual([false, false, true]);
});

test('while its entry is held', async () => {
  const { server, registry, read } = await open();
  await read('a.txt');
  await read('b.txt');
  server.publish({ ...SKILL, files: { ...SKILL.files, 'b.txt': 'B'.repeat(KIB) } });
  await registry.addServer(server, 'hf');
  await registry.activate('hf:refunds', 'c');
  // what is the same in the new entry stays
  expect([await read('a.txt'), await read('b.txt')]).toEqual([false, true]);
  registry.removeServer('hf');
  await registry.addServer(server, 'hf');
  server.asked.length = 0;
  await registry.activate('hf:refunds', 'c');
  expect(server.asked).toEqual(['resources/read skill://refunds/SKILL.md']);
  expect(await read('a.txt')).toBe(true);
});

test('a host that changes what it was given changes nothing', async () => {
  const { registry } = await open();
  const first = await registry.readFile('hf:refunds', 'a.txt', 'c');
  if (first.outcome === 'read') first.bytes.fill(0);
  expect(await registry.readFile('hf:refunds', 'a.txt', 'c')).toMatchObject({ text: 'a'.repeat(KIB) });
});

test('a dynamic file is asked for each time', async () => {
  const { server, registry, read } = await open();
  server.entry('refunds').resources = 'dynamic';
  await registry.addServer(server, 'hf', { allowDynamic: true });
  await registry.activate('hf:refunds', 'c');
  expect([await read('a.txt'), await read('a.txt')]).toEqual([true, true]);
});

test('nothing writes to a disk', () => {
  const folder = new URL('../../src/client/', import.meta.url);
  const using = readdirSync(folder).filter((name) => /from 'node:/.test(readFileSync(new URL(name, folder), 'utf8')));
  expect(using).toEqual([]);
});

describe('the memory for bytes', () => {
  const of = (length: number) => ({ bytes: new Uint8Array(length) });

  test('never has more than it may', () => {
    const cache = new ByteCache(100);
    for (let index = 0; index < 1000; index++) {
      cache.set(`k${index % 37}`, of((index * 31) % 120));
      expect(cache.size).toBeLessThanOrEqual(100);
    }
    for (let index = 0; index < 37; index++) cache.delete(`k${index}`);
    expect(cache.size).toBe(0);
  });

  test('does not keep what alone is too large, and drops what that would replace', () => {
    const cache = new ByteCache(100);
    cache.set('a', of(10));
    cache.set('b', of(10));
    cache.set('a', of(101));
    expect([cache.get('a'), cache.get('b')?.bytes.length, cache.size]).toEqual([undefined, 10, 10]);
  });
});
