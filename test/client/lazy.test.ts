import { describe, expect, test } from 'vitest';
import { SkillRegistry } from '../../src/client/index.ts';
import { rpcError, Server } from './server.ts';

/** A server that lists its skills in pages of one, under these cursors. */
function paged(count: number, toCursor: (page: number) => unknown = (page) => `c${page}`): Server {
  const server = new Server(...Array.from({ length: count }, (_, index) => `skill-${String(index).padStart(4, '0')}`));
  const all = server.listed;
  let page = 0;
  server.answers['skills/list'] = ({ cursor }) => {
    if (cursor === undefined) page = 0;
    const skills = all.slice(page, page + 1);
    page += 1;
    return page < all.length ? { skills, nextCursor: toCursor(page) } : { skills };
  };
  return server;
}

test('registering a server asks for its listing, and for nothing else', async () => {
  const server = new Server('refunds', { path: 'on-call', files: { 'a.md': 'a' } });
  const registry = new SkillRegistry();
  expect(await registry.addServer(server, 'hf')).toEqual({ skills: 2, unavailable: 0 });
  registry.list();
  registry.toPrompt();
  registry.toTools('c');
  registry.copy();
  expect(server.asked).toEqual(['skills/list']);
});

test('every page is asked for', async () => {
  const server = paged(7);
  expect(await new SkillRegistry().addServer(server, 'hf')).toEqual({ skills: 7, unavailable: 0 });
  expect(server.asked.length).toBe(7);
});

describe('what came of a listing so far is kept, and the state says that it is partial', () => {
  test('a cursor that comes twice', async () => {
    const server = paged(9, (page) => `c${page % 3}`);
    const registry = new SkillRegistry();
    expect(await registry.addServer(server, 'hf')).toEqual({
      skills: 4,
      unavailable: 0,
      partial: 'the server gave a cursor of its listing twice',
    });
    expect([registry.list().length, server.asked.length]).toEqual([4, 4]);
  });

  test('more pages than are allowed', async () => {
    const server = paged(9);
    expect(await new SkillRegistry({ maxPages: 3 }).addServer(server, 'hf')).toEqual({
      skills: 3,
      unavailable: 0,
      partial: 'the listing has more than 3 pages',
    });
    expect(server.asked.length).toBe(3);
  });

  test('100 pages and 1,000 skills where the host says nothing', async () => {
    const pages = paged(150);
    expect(await new SkillRegistry().addServer(pages, 'hf')).toMatchObject({ skills: 100 });
    const many = new Server(...Array.from({ length: 1001 }, (_, index) => `skill-${index}`));
    expect(await new SkillRegistry().addServer(many, 'hf')).toEqual({
      skills: 1000,
      unavailable: 0,
      partial: 'the server lists more than 1000 skills',
    });
  });

  test('exactly as many as are allowed are all', async () => {
    expect(await new SkillRegistry({ maxSkills: 4, maxPages: 4 }).addServer(paged(4), 'hf')).toEqual({
      skills: 4,
      unavailable: 0,
    });
  });

  test.each([
    ['an error', () => Promise.reject(rpcError(-32603, 'down\u202e')), 'its server answered "down\\u{202e}"'],
    ['no list', () => ({ skills: {} }), 'its server answered "the result of skills/list has no list of \\"skills\\""'],
    [
      'a cursor that is no string',
      () => ({ skills: [], nextCursor: 3 }),
      'its server answered "the \\"nextCursor\\" of skills/list is not a string"',
    ],
  ])('a page that is %s', async (_, answer, why) => {
    const server = new Server('refunds');
    const { listed } = server;
    server.answers['skills/list'] = ({ cursor }) =>
      cursor === undefined ? { skills: listed, nextCursor: 'two' } : answer();
    expect(await new SkillRegistry().addServer(server, 'hf')).toEqual({
      skills: 1,
      unavailable: 0,
      partial: `a page of the listing did not come: ${why}`,
    });
  });
});

test('a first page that does not come is an error', async () => {
  const server = new Server('refunds');
  server.answers['skills/list'] = () => Promise.reject(rpcError(-32603, 'down'));
  await expect(new SkillRegistry().addServer(server, 'hf')).rejects.toThrow('down');
  server.answers['skills/list'] = () => undefined;
  await expect(new SkillRegistry().addServer(server, 'hf')).rejects.toThrow('no list of "skills"');
});

test('a server that never answers costs as long as the host waits', async () => {
  const server = new Server('refunds');
  let isAborted = false;
  server.answers['skills/list'] = (_, signal) =>
    new Promise(() => signal?.addEventListener('abort', () => (isAborted = true)));
  await expect(new SkillRegistry({ timeout: 20 }).addServer(server, 'hf')).rejects.toThrow(
    'skills/list had no answer after 20 ms',
  );
  expect(isAborted).toBe(true);
});

test('a signal of the host ends a request', async () => {
  const server = new Server('refunds');
  const controller = new AbortController();
  server.answers['skills/list'] = () => new Promise(() => controller.abort());
  const adding = new SkillRegistry().addServer(server, 'hf', { signal: controller.signal });
  await expect(adding).rejects.toThrow('skills/list was aborted');
});

test.each(['maxPages', 'maxSkills', 'maxCachedBytes', 'maxCharacters', 'timeout'])('%s is a whole number', (name) => {
  for (const value of [0, -1, 1.5, Number.NaN, '5']) {
    expect(() => new SkillRegistry({ [name]: value } as never)).toThrow(RangeError);
  }
});
