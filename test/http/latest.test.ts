import { expect, test } from 'vitest';
import { createLatest } from '../../src/latest.ts';

test('runs once at a time, and once more for all who ask meanwhile', async () => {
  const started: string[] = [];
  const kept: string[] = [];
  let written = 'old';
  const finish: (() => void)[] = [];
  const read = createLatest(async () => {
    const found = written;
    started.push(found);
    await new Promise<void>((resolve) => finish.push(resolve));
    kept.push(found);
  });
  const first = read();
  written = 'newer';
  const second = read();
  written = 'newest';
  const third = read();
  expect([started, second === third]).toEqual([['old'], true]);
  finish.shift()?.();
  await first;
  await Promise.resolve();
  expect(started).toEqual(['old', 'newest']);
  finish.shift()?.();
  await Promise.all([second, third]);
  expect(kept).toEqual(['old', 'newest']);
  const last = read();
  finish.shift()?.();
  await last;
  expect(kept).toEqual(['old', 'newest', 'newest']);
});

test('goes on after a run that fails, which only those hear of who asked for it', async () => {
  let runs = 0;
  const read = createLatest(async () => {
    runs += 1;
    const isFirst = runs === 1;
    await Promise.resolve();
    if (isFirst) throw new Error('unreadable');
  });
  const [first, second] = await Promise.allSettled([read(), read()]);
  expect([first.status, second.status]).toEqual(['rejected', 'fulfilled']);
  await read();
  expect(runs).toBe(3);
});
