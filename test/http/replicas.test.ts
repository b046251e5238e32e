import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isRequired } from '../required.ts';
import { connectClient, NGINX } from './harness.ts';
import {
  connectRetrying,
  createGeneration,
  listPage,
  type Pair,
  type Replica,
  readWhileKilled,
  startPair,
  walk,
} from './pair.ts';

const READS = 1_000;

let pair: Pair;

describe.skipIf(NGINX === undefined && !isRequired)('two replicas behind nginx', () => {
  beforeAll(async () => {
    pair = await startPair(new URL('../../', import.meta.url));
  });
  afterAll(() => pair?.close());

  test('answer every page for each other', async () => {
    const [a, b] = await Promise.all(
      pair.replicas.map(({ port }) => connectClient(`http://127.0.0.1:${port}/mcp`, 'modern')),
    );
    let cursor: string | undefined;
    let pages = 0;
    do {
      const ours = await listPage(a as Client, cursor);
      expect(await listPage(b as Client, cursor)).toEqual(ours);
      cursor = ours.nextCursor;
      pages += 1;
    } while (cursor !== undefined);
    expect(pages).toBe(21);
    await Promise.all([a?.close(), b?.close()]);
  });

  test.each(['modern', 'legacy'] as const)('give every answer right while one is killed, %s', async (era) => {
    const { kills, retries, ...rest } = await readWhileKilled(pair, era, READS);
    expect(rest).toEqual({ reads: expect.any(Number), walks: expect.any(Number), failed: [] });
    expect(rest.reads).toBeGreaterThanOrEqual(READS);
    expect(kills).toBeGreaterThan(0);
    // The proxy asks the other replica itself, so a client seldom has to.
    expect(retries).toBeLessThan(READS / 10);
  });

  test('take old cursors during and after a rolling change', async () => {
    const client = await connectRetrying(pair.url, 'modern', () => {});
    const before = await listPage(client, undefined);
    const { uris } = createGeneration(1);
    const walking = walk(client);
    const stopped: (number | null)[] = [];
    for (const index of [0, 1]) {
      const { port, stop } = pair.replicas[index] as Replica;
      stopped.push(await stop());
      pair.replicas[index] = await pair.launch(port, 2);
    }
    expect(stopped).toEqual([0, 0]);
    const next = await listPage(client, before.nextCursor);
    expect(next.skills.map(({ uri }) => uri)).toEqual(uris.slice(100, 200));
    expect(await walking).toEqual({ uris, restarts: 0 });
    const after = await walk(client);
    expect(after).toEqual({ uris: createGeneration(2).uris, restarts: 0 });
    const { contents } = await client.readResource({ uri: 'skill://generation/SKILL.md' });
    expect(contents).toMatchObject([{ text: expect.stringContaining('Generation 2') }]);
    await client.close();
  });
});
