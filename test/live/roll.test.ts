import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterEach, describe, expect, test } from 'vitest';
import type { Skill } from '../../src/catalog/catalog.ts';
import { ask, walk } from '../embed/clients.ts';
import { isRequired } from '../required.ts';
import { findPort, NGINX, startNginx } from '../serve/harness.ts';
import { connectRetrying, end, launchReplica, readProxy } from '../serve/pair.ts';
import { makeTree, skillMd } from '../tree.ts';
import { until } from './state.ts';

const HOME = new URL('../../', import.meta.url);
const [AT_ONCE = '', PINNED = ''] = [
  ...readFileSync(new URL('docs/live.md', HOME), 'utf8').matchAll(/```nginx\n(.*?)```/gs),
].map(([, block]) => block);

/** Two generations of skills: one of them has other files in each, and others are the same. */
function makeGeneration(generation: number): string {
  const text = `generation ${generation}`;
  return makeTree({
    'rolled/SKILL.md': skillMd('rolled', text),
    'rolled/notes.md': text,
    'rolled/same.md': 'the same',
    [`rolled/only-${generation}.md`]: text,
    ...Object.fromEntries(Array.from({ length: 8 }, (_, at) => [`s-${at}/SKILL.md`, skillMd(`s-${at}`)])),
  });
}

const READERS = 4;

const closing: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

interface Reader {
  /** The generation that was read last. */
  generation: number;
  rounds: number;
  healed: number;
  readonly failed: string[];
}

/** Lists, gets and reads, and verifies every digest: what does not match may be healed by one `skills/get`. */
async function readOnce(client: Client, reader: Reader): Promise<void> {
  const readFiles = async ({ resources }: Skill) => {
    const texts: string[] = [];
    for (const { uri, digest } of resources) {
      const { contents } = await ask(client, 'resources/read', { uri });
      const [{ text }] = contents as [{ text: string }];
      if (`sha256:${createHash('sha256').update(text).digest('hex')}` !== digest)
        throw new Error(`${uri} is another one`);
      texts.push(text);
    }
    return texts;
  };
  const find = (skills: unknown[]) =>
    skills.find((skill) => (skill as Skill).uri === 'skill://rolled/SKILL.md') as Skill;
  const listed = find(await walk(client, 'skills/list', 'skills'));
  const texts = await readFiles(listed).catch(async () => {
    reader.healed += 1;
    const { skill } = await ask(client, 'skills/get', { uri: listed.uri });
    return readFiles(skill as Skill);
  });
  const generations = new Set(
    texts.flatMap((text) => [...text.matchAll(/generation (\d)/g)].map(([, digit]) => digit)),
  );
  if (generations.size !== 1) throw new Error(`mixed: ${[...generations]}`);
  reader.generation = Number([...generations][0]);
  reader.rounds += 1;
}

describe.skipIf(NGINX === undefined && !isRequired)('two replicas that are rolled behind nginx', () => {
  test.each(['all at once', 'one after the other, with pinned clients'])(
    '%s: no read fails',
    { timeout: 120_000 },
    async (way) => {
      const isAtOnce = way === 'all at once';
      const [old, next] = [makeGeneration(1), makeGeneration(2)];
      const launch = async (root: string, port?: number) => {
        const replica = await launchReplica(HOME, root, port ?? (await findPort()));
        closing.push(replica.kill);
        return replica;
      };
      const pair = [await launch(old), await launch(old)];
      const [folder, port] = [makeTree({}), await findPort()];
      const toHttp = (ports: number[]) => readProxy(HOME, port, ports, isAtOnce ? AT_ONCE : PINNED);
      const nginx = await startNginx(folder, await toHttp(pair.map((replica) => replica.port)));
      closing.push(() => end(nginx));
      const url = `http://127.0.0.1:${port}/mcp`;
      let isReady = false;
      while (!isReady)
        isReady = await fetch(new URL('/readyz', url)).then(
          ({ ok }) => ok,
          () => false,
        );

      const readers: Reader[] = [];
      let isOver = false;
      const read = async (at: number) => {
        const reader: Reader = { generation: 0, rounds: 0, healed: 0, failed: [] };
        readers.push(reader);
        // one that is pinned is pinned by its token
        const client = await connectRetrying(url, at % 2 === 0 ? 'modern' : 'legacy', () => undefined, `token-${at}`);
        while (!isOver) await readOnce(client, reader).catch((error) => reader.failed.push(String(error)));
        await client.close();
      };
      const reading = Promise.all(Array.from({ length: READERS }, (_, at) => read(at)));
      const untilAll = (isDone: (reader: Reader) => boolean) =>
        until(() => readers.length === READERS && readers.every(isDone));
      const untilFurther = () => {
        const rounds = new Map(readers.map((reader) => [reader, reader.rounds]));
        return untilAll((reader) => reader.rounds > (rounds.get(reader) ?? 0) + 2);
      };
      await untilAll(({ rounds }) => rounds > 2);
      if (isAtOnce) {
        const ports = [await launch(next), await launch(next)].map((replica) => replica.port);
        const file = join(folder, 'nginx.conf');
        const before = await toHttp(pair.map((replica) => replica.port));
        await writeFile(file, readFileSync(file, 'utf8').replace(before, await toHttp(ports)));
        nginx.kill('SIGHUP');
        await untilAll(({ generation }) => generation === 2);
        for (const replica of pair) expect(await replica.stop()).toBe(0);
      } else {
        for (const replica of pair) {
          expect(await replica.stop()).toBe(0);
          await launch(next, replica.port);
          // a roll-out takes its time: for a while one replica is new and the other one is old
          await untilFurther();
        }
        await untilAll(({ generation }) => generation === 2);
      }
      await untilFurther();
      isOver = true;
      await reading;
      expect(readers.flatMap(({ failed }) => failed)).toEqual([]);
      expect(new Set(readers.map(({ generation }) => generation))).toEqual(new Set([2]));
    },
  );
});
