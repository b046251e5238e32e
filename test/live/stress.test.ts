import { createHash } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { describe, expect, test } from 'vitest';
import type { Skill } from '../../src/catalog/catalog.ts';
import type { LiveSkills } from '../../src/catalog/live.ts';
import { createInstance } from '../../src/mcp/instance.ts';
import { ask } from '../embed/clients.ts';
import { makeTree, skillMd } from '../tree.ts';
import { follow, WAYS } from './state.ts';

const INFO = { name: 'test', version: '0' };

async function connect(live: LiveSkills, pageSize = 100): Promise<Client> {
  const [near, far] = InMemoryTransport.createLinkedPair();
  serveStdio(() => createInstance(INFO, live, { pageSize }), { transport: far });
  const client = new Client(INFO);
  await client.connect(near);
  return client;
}

/** Writes to both files of a skill the same number, 200 times, and waits now and then until it is told to go on. */
const WRITER = `
  const { writeFileSync } = require('node:fs');
  const { parentPort, workerData: { folder, times, burst } } = require('node:worker_threads');
  let at = 0;
  const write = () => {
    do {
      at += 1;
      writeFileSync(folder + '/SKILL.md', '---\\nname: pair\\ndescription: number ' + at + '\\n---\\n');
      writeFileSync(folder + '/other.md', 'number ' + at + '\\n');
    } while (at % burst !== 0);
    parentPort.postMessage(at);
    if (at < times) parentPort.once('message', write);
  };
  write();
`;

interface Seen {
  readonly reads: number;
  readonly mismatches: number;
  /** What should not have been seen. */
  readonly wrong: readonly string[];
}

/** Lists, gets and reads all the time, and checks all that comes, until it is told to stop. */
async function readAll(client: Client, isOver: () => boolean): Promise<Seen> {
  const wrong: string[] = [];
  let reads = 0;
  let mismatches = 0;
  const readText = async (uri: string) => {
    const { contents } = await ask(client, 'resources/read', { uri });
    reads += 1;
    return (contents as { text: string }[])[0]?.text ?? '';
  };
  const digestOf = (text: string) => `sha256:${createHash('sha256').update(text).digest('hex')}`;
  /** The texts of a skill's files, or undefined where one of them is not what the entry says. */
  const load = async ({ resources }: Skill): Promise<string[] | undefined> => {
    const texts: string[] = [];
    for (const { uri, digest } of resources) {
      const text = await readText(uri);
      if (digestOf(text) !== digest) return undefined;
      texts.push(/number (\d+)/.exec(text)?.[1] ?? text);
    }
    return texts;
  };
  while (!isOver()) {
    const [entry] = (await ask(client, 'skills/list'))['skills'] as Skill[];
    let texts = await load(entry as Skill);
    if (texts === undefined) {
      mismatches += 1;
      const { skill } = await ask(client, 'skills/get', { uri: 'skill://pair/SKILL.md' });
      texts = await load(skill as Skill);
      // the skill may be another one again, but not each time
      if (texts === undefined)
        texts = await load((await ask(client, 'skills/get', { uri: 'skill://pair/SKILL.md' }))['skill'] as Skill);
      if (texts === undefined) wrong.push('not healed');
    }
    if (new Set(texts).size > 1) wrong.push(`mixed: ${texts}`);
    // the reader shares its thread with the server
    await new Promise((resolve) => setImmediate(resolve));
  }
  return { reads, mismatches, wrong };
}

describe.each(WAYS)('with %s', (_, options) => {
  test('200 changes of two files under a reader that verifies everything', { timeout: 120_000 }, async () => {
    const root = makeTree({ 'pair/SKILL.md': skillMd('pair', 'number 0'), 'pair/other.md': 'number 0\n' });
    const live = await follow(root, { ...options, settle: 0.1 });
    const client = await connect(live);
    let isOver = false;
    const reading = readAll(client, () => isOver);
    const workerData = { folder: join(root, 'pair'), times: 200, burst: 20 };
    const writer = new Worker(WRITER, { eval: true, workerData });
    const described = () => live.catalog.get('skill://pair/SKILL.md')?.frontmatter.description;
    for await (const [at] of on(writer)) {
      while (described() !== `number ${at}`) await new Promise((resolve) => setTimeout(resolve, 5));
      if (at === workerData.times) break;
      writer.postMessage('go on');
    }
    isOver = true;
    const seen = await reading;
    expect(seen).toEqual({ reads: expect.any(Number), mismatches: expect.any(Number), wrong: [] });
    expect(seen.reads).toBeGreaterThan(100);
    expect(live.status.generation).toBeGreaterThanOrEqual(11);
    await writer.terminate();
  });
});

async function* on(writer: Worker): AsyncGenerator<[number]> {
  for (;;) yield [await new Promise<number>((resolve) => writer.once('message', resolve))];
}

test('a walk of 1,000 skills across a change lists what stays exactly once', { timeout: 60_000 }, async () => {
  const name = (at: number) => `s-${String(at).padStart(4, '0')}`;
  const root = makeTree(
    Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`${name(at)}/SKILL.md`, skillMd(name(at))])),
  );
  const live = await follow(root, { watch: false, settle: 0.01 });
  const before = live.catalog.skills.map(({ uri }) => uri);
  const client = await connect(live);
  for (const method of ['skills/list', 'resources/list'] as const) {
    const field = method === 'skills/list' ? 'skills' : 'resources';
    const seen: string[] = [];
    let cursor: unknown;
    let pages = 0;
    do {
      const page = await ask(client, method, cursor === undefined ? {} : { cursor });
      seen.push(...(page[field] as { uri: string }[]).map(({ uri }) => uri));
      cursor = page['nextCursor'];
      pages += 1;
      if (pages === 4 && method === 'skills/list') {
        // the last one that was listed, others before and after it, and a new one on either side
        for (const at of [399, 10, 20, 400, 900]) rmSync(join(root, name(at)), { recursive: true });
        for (const each of ['a-new', 'z-new']) {
          mkdirSync(join(root, each));
          writeFileSync(join(root, each, 'SKILL.md'), skillMd(each));
        }
        writeFileSync(join(root, name(500), 'SKILL.md'), skillMd(name(500), 'changed'));
        expect((await live.reload()).outcome).toBe('changed');
      }
    } while (cursor !== undefined);
    const after = new Set(live.catalog.skills.map(({ uri }) => uri));
    const stayed = before.filter((uri) => after.has(uri));
    expect(seen.filter((uri) => stayed.includes(uri))).toEqual(stayed);
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toContain('skill://z-new/SKILL.md');
  }
});
