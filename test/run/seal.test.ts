import { expect, it } from 'vitest';
import { type Plan, toPlan } from '../../src/run/runplan.ts';
import { createSealer, GOOD_FOR_MS } from '../../src/run/seal.ts';
import { makeCatalog } from '../mcp/catalog.ts';
import { grantScript } from './grants.ts';

function makePlan(args: readonly string[], more: object = {}, content = 'true'): Plan {
  const catalog = makeCatalog([{ path: 'demo', files: { run: content } }]);
  const plan = toPlan(grantScript(catalog, 'demo', 'run', { args: '.*', ...more }), args);
  if ('reason' in plan) throw new Error(plan.reason);
  return plan;
}

const OTHER = 'it is not for exactly this run in this session';

it('is good once', () => {
  const sealer = createSealer();
  const seal = sealer.seal(makePlan(['a']), 'model');
  expect([1, 2].map(() => sealer.take(seal, makePlan(['a']), 'model'))).toEqual([undefined, 'it has been used']);
});

it('is good for one run, and still good after it was tried for another', () => {
  const sealer = createSealer();
  const seal = sealer.seal(makePlan(['a', 'b']), 'model');
  const others = [
    makePlan(['a']),
    makePlan(['ab']),
    makePlan(['b', 'a']),
    makePlan(['a', 'b'], { env: ['KEY'] }),
    makePlan(['a', 'b'], { network: true }),
    makePlan(['a', 'b'], { timeout: 61 }),
    makePlan(['a', 'b'], { interpreter: '/usr/bin/node' }),
    makePlan(['a', 'b'], {}, 'false'),
  ];
  expect(others.map((plan) => sealer.take(seal, plan, 'model'))).toEqual(others.map(() => OTHER));
  expect(sealer.take(seal, makePlan(['a', 'b']), 'host')).toBe(OTHER);
  expect(sealer.take(seal, makePlan(['a', 'b']), 'model')).toBe(undefined);
});

it('is good for five minutes', () => {
  let time = 1_000_000;
  const sealer = createSealer(() => time);
  const [first, second] = [sealer.seal(makePlan([]), 'model'), sealer.seal(makePlan([]), 'model')];
  time += GOOD_FOR_MS - 1;
  expect(sealer.take(first, makePlan([]), 'model')).toBe(undefined);
  time += 1;
  expect(sealer.take(second, makePlan([]), 'model')).toBe('it has expired');
  expect(sealer.take(first, makePlan([]), 'model')).toBe('it has expired');
});

it('is good in its own session, and only as it was given out', () => {
  const sealer = createSealer();
  const seal = sealer.seal(makePlan([]), 'model');
  expect(createSealer().take(seal, makePlan([]), 'model')).toBe(OTHER);
  const end = seal.at(-1) === 'A' ? 'B' : 'A';
  const forged = ['', 'x', `${seal}A`, `${seal}=`, seal.slice(1), seal.slice(0, -1) + end, 'A'.repeat(seal.length)];
  expect(forged.map((each) => sealer.take(each, makePlan([]), 'model'))).toEqual(forged.map(() => OTHER));
});
