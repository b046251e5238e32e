import { setMaxListeners } from 'node:events';
import { expect, test } from 'vitest';
import { createLane } from '../../src/http/lane.ts';

const { signal } = new AbortController();
// one for all that wait, where each request has its own
setMaxListeners(0, signal);
const none = () => 0;
const rest = () => new Promise((resolve) => setImmediate(resolve));

test('makes one answer at a time, the clients taking turns', async () => {
  // all answers take as long: no time at all
  const lane = createLane(none, () => 0);
  const made: string[] = [];
  let atOnce = 0;
  const make = (client: string, name: string) =>
    lane(client, signal, async () => {
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

test('gives the next turn to the client whose answers took the least time', async () => {
  let now = 0;
  const lane = createLane(none, () => now);
  const made: string[] = [];
  const make = (client: string, ms: number) =>
    lane(client, signal, async () => {
      now += ms;
      made.push(client);
    });
  const ask = (client: string, ms: number, times: number) => Array.from({ length: times }, () => make(client, ms));
  await Promise.all([...ask('large', 50, 3), ...ask('other', 50, 3), ...ask('small', 10, 8)]);
  // one large one of each, and then as many small ones as take as long
  const few = Array(3).fill('small');
  const turns = ['large', 'other', ...few, 'small', 'small', 'large', 'other', ...few, 'large', 'other'];
  expect(made).toEqual(turns);
  // where nobody waits, what was used before counts no more
  await rest();
  await rest();
  made.length = 0;
  await Promise.all([make('small', 10), make('large', 50), make('small', 10)]);
  expect(made).toEqual(['small', 'large', 'small']);
});

test('lets a small answer wait for one large one at the most, however many clients ask for large ones', async () => {
  let now = 0;
  const lane = createLane(none, () => now);
  const made: string[] = [];
  const make = (client: string, ms: number, size: 'small' | 'large') =>
    lane(
      client,
      signal,
      async () => {
        now += ms;
        made.push(size);
      },
      size,
    );
  const large = Array.from({ length: 20 }, (_, i) => make(`client ${i}`, 50, 'large'));
  const small = (async () => {
    for (let i = 0; i < 4; i += 1) await make('one', 30, 'small');
  })();
  await Promise.all([...large, small]);
  const pattern = ['large', 'small', 'small'];
  expect(made).toEqual([...pattern, ...pattern, ...Array(18).fill('large')]);
  // nor are large ones kept out by many small ones
  now = 0;
  made.length = 0;
  await rest();
  await rest();
  const many = Array.from({ length: 40 }, (_, i) => make(`client ${i}`, 5, 'small'));
  await Promise.all([...many, make('one', 50, 'large'), make('two', 50, 'large')]);
  expect([made.indexOf('large'), made.lastIndexOf('large')]).toEqual([1, 12]);
});

test('goes on behind what fails, and past what waits', async () => {
  const lane = createLane();
  await expect(lane('a', signal, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  let finish = (_: string) => {};
  const slow = lane(
    'a',
    signal,
    () =>
      new Promise<string>((resolve) => {
        finish = resolve;
      }),
  );
  expect(await Promise.all([lane('a', signal, async () => 1), lane('b', signal, async () => 2)])).toEqual([1, 2]);
  finish('late');
  expect(await slow).toBe('late');
  expect(await lane('a', signal, async () => 3)).toBe(3);
});

test('rests between large answers, so that connections are heard', async () => {
  const lane = createLane();
  const order: string[] = [];
  const large = (name: string) =>
    lane('a', signal, async () => {
      const started = performance.now();
      while (performance.now() - started < 10);
      order.push(name);
    });
  const made = [large('one'), large('two'), large('three')];
  const heard = rest().then(() => order.push('heard'));
  await Promise.all([...made, heard]);
  expect(order.indexOf('heard')).toBeLessThan(order.indexOf('three'));
});

test('hears all who arrive before it makes another large one, but not for ever', async () => {
  let arrived = 0;
  const order: string[] = [];
  const arrive = async (times: number) => {
    for (let i = 0; i < times; i += 1) {
      await rest();
      arrived += 1;
    }
    order.push(`${times} arrived`);
  };
  const make = (lane: ReturnType<typeof createLane>, name: string) =>
    lane('a', signal, async () => {
      const started = performance.now();
      while (performance.now() - started < 10);
      order.push(name);
    });
  const lane = createLane(() => arrived);
  const made = [make(lane, 'one'), make(lane, 'two')];
  await Promise.all([...made, arrive(20)]);
  expect(order).toEqual(['one', '20 arrived', 'two']);
  const flooded = createLane(() => {
    arrived += 1;
    return arrived;
  });
  await Promise.all([make(flooded, 'three'), make(flooded, 'four')]);
  expect(order.slice(3)).toEqual(['three', 'four']);
});

test('lets those go that give up, and stays free for the others', async () => {
  const lane = createLane(none, () => 0);
  const made: string[] = [];
  const stop = new AbortController();
  let finish = () => {};
  const first = lane('a', signal, () => new Promise<void>((resolve) => (finish = resolve)));
  const make = (client: string, name: string, until: AbortSignal) =>
    lane(client, until, async () => {
      made.push(name);
      return name;
    });
  const gone = [make('a', 'gone', stop.signal), make('b', 'gone too', stop.signal)];
  const others = [make('a', 'stays', signal), make('c', 'stays too', signal)];
  stop.abort();
  expect(await Promise.all(gone)).toEqual([undefined, undefined]);
  expect(await make('d', 'came too late', stop.signal)).toBeUndefined();
  expect(made).toEqual([]);
  finish();
  await first;
  expect(await Promise.all(others)).toEqual(['stays', 'stays too']);
  expect(await make('a', 'next', signal)).toBe('next');
  expect(made).toEqual(['stays', 'stays too', 'next']);
});
