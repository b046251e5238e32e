import { expect, test } from 'vitest';
import { createLane } from '../../src/serve/lane.ts';

const rest = () => new Promise((resolve) => setImmediate(resolve));

test('makes one answer at a time, the clients taking turns', async () => {
  const lane = createLane();
  const made: string[] = [];
  let atOnce = 0;
  const make = (client: string, name: string) =>
    lane(client, async () => {
      atOnce += 1;
      expect(atOnce).toBe(1);
      await rest();
      made.push(name);
      atOnce -= 1;
      return name;
    });
  const flood = Array.from({ length: 5 }, (_, i) => make('flood', `flood ${i}`));
  const others = [make('one', 'one'), make('two', 'two'), make('one', 'one again')];
  expect(await Promise.all([...flood, ...others])).toHaveLength(8);
  expect(made).toEqual(['flood 0', 'flood 1', 'one', 'two', 'flood 2', 'one again', 'flood 3', 'flood 4']);
});

test('goes on behind what fails, and past what waits', async () => {
  const lane = createLane();
  await expect(lane('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  let finish = (_: string) => {};
  const slow = lane(
    'a',
    () =>
      new Promise<string>((resolve) => {
        finish = resolve;
      }),
  );
  expect(await Promise.all([lane('a', async () => 1), lane('b', async () => 2)])).toEqual([1, 2]);
  finish('late');
  expect(await slow).toBe('late');
  expect(await lane('a', async () => 3)).toBe(3);
});

test('rests between large answers, so that connections are heard', async () => {
  const lane = createLane();
  const order: string[] = [];
  const large = (name: string) =>
    lane('a', async () => {
      const started = performance.now();
      while (performance.now() - started < 10);
      order.push(name);
    });
  const made = [large('one'), large('two'), large('three')];
  const heard = rest().then(() => order.push('heard'));
  await Promise.all([...made, heard]);
  expect(order.indexOf('heard')).toBeLessThan(order.indexOf('three'));
});
