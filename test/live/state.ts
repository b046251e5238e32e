import { setTimeout } from 'node:timers/promises';
import { afterEach } from 'vitest';
import type { LiveSkills } from '../../src/catalog/live.ts';
import { type LiveOptions, watchSkills } from '../../src/live/watch.ts';

/** The ways to notice changes, quick enough for a test. */
export const WAYS = [
  ['events', { watch: 'events', settle: 0.05 }],
  ['poll', { watch: 'poll', interval: 0.05, settle: 0.05 }],
] as const satisfies readonly (readonly [string, LiveOptions])[];

const open: LiveSkills[] = [];

afterEach(async () => {
  for (const live of open.splice(0)) await live.close();
});

/** Follows folders until the test is over. */
export async function follow(roots: Parameters<typeof watchSkills>[0], options: LiveOptions = {}): Promise<LiveSkills> {
  const live = await watchSkills(roots, options);
  open.push(live);
  return live;
}

/** Waits for a state, however long it takes: the time limit is that of the test. */
export async function until<T>(find: () => T | undefined | false): Promise<T> {
  for (;;) {
    const found = find();
    if (found !== undefined && found !== false) return found;
    await setTimeout(5);
  }
}

/** Waits until the description of a skill is this one; undefined for a skill that is gone. */
export async function untilDescribed(live: LiveSkills, path: string, description: string | undefined): Promise<void> {
  await until(() => live.catalog.get(`skill://${path}/SKILL.md`)?.frontmatter.description === description);
}
