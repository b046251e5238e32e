import picomatch from 'picomatch';
import { expect, test } from 'vitest';
import { createDecider } from '../../src/policy/decide.ts';
import type { PolicyCaller } from '../../src/policy/policy.ts';
import { readPolicy } from '../../src/policy/readpolicy.ts';

const PATHS = ['billing/payouts', 'billing/refunds', 'internal/hr', 'open'];
const POLICY = `version: 1
default: none
groups:
  finance: { tokens: [alice, ci], scopes: [skills:finance], claims: { groups: [fin-*] } }
rules:
  - allow: ["**"]
    to: ["*"]
    except: ["internal/**", "billing/**"]
  - allow: ["billing/**"]
    to: [finance]
  - deny: ["billing/payouts"]
    to: [token:ci]
`;

function see(text: string, caller: PolicyCaller, paths = PATHS): readonly string[] {
  const decide = createDecider(readPolicy(text), paths).decide(caller);
  return paths.filter((path) => decide(path).isVisible);
}

const FINANCE = ['billing/payouts', 'billing/refunds', 'open'];

test.each<[PolicyCaller, readonly string[]]>([
  [{}, ['open']],
  [{ isAnonymous: true }, ['open']],
  [{ token: 'bob' }, ['open']],
  [{ token: 'alice' }, FINANCE],
  [{ token: 'ci' }, ['billing/refunds', 'open']],
  // deny wins, whatever else allows it
  [{ token: 'ci', scopes: ['skills:finance'] }, ['billing/refunds', 'open']],
  [{ scopes: ['other', 'skills:finance'] }, FINANCE],
  [{ scopes: ['skills:finance:more'] }, ['open']],
  [{ claims: { groups: 'fin-eu' } }, FINANCE],
  [{ claims: { groups: ['hr', 'fin-us'] } }, FINANCE],
  [{ claims: { groups: ['xfin-us'] } }, ['open']],
  [{ claims: { groups: { 0: 'fin-us' } } }, ['open']],
  [{ claims: { groups: [['fin-us']] } }, ['open']],
])('%j sees %j', (caller, expected) => {
  expect(see(POLICY, caller)).toEqual(expected);
});

test('the default is for callers that no rule names', () => {
  const rules = 'rules:\n  - allow: [open]\n    to: [token:a]\n';
  expect(see(`version: 1\ndefault: none\n${rules}`, { token: 'b' })).toEqual([]);
  expect(see(`version: 1\ndefault: all\n${rules}`, { token: 'b' })).toEqual(PATHS);
  expect(see(`version: 1\ndefault: all\n${rules}`, { token: 'a' })).toEqual(['open']);
  expect(see('version: 1\ndefault: all\nrules:\n  - deny: [open]\n    to: ["*"]\n', {})).toEqual([]);
});

test('globs are on paths: a name, all below a group, and any other', () => {
  const see1 = (glob: string) => see(`version: 1\ndefault: none\nrules: [{ allow: ["${glob}"], to: ["*"] }]`, {});
  expect(see1('billing')).toEqual([]);
  expect(see1('billing/**')).toEqual(['billing/payouts', 'billing/refunds']);
  expect(see1('open/**')).toEqual(['open']);
  expect(see1('*')).toEqual(['open']);
  expect(see1('*/{hr,refunds}')).toEqual(['billing/refunds', 'internal/hr']);
  expect(see1('**/refunds')).toEqual(['billing/refunds']);
  expect(see1('**')).toEqual(PATHS);
  expect(see1('!open')).toEqual([]);
});

test('a claim has to match from its beginning to its end', () => {
  const see1 = (pattern: string, value: string) =>
    see(`version: 1\ndefault: none\nrules: [{ allow: [open], to: ["claim:k=${pattern}"] }]`, { claims: { k: value } })
      .length;
  expect(see1('a*b', 'ab')).toBe(1);
  expect(see1('a*b', 'axxb')).toBe(1);
  expect(see1('a*b*b', 'ab')).toBe(0);
  expect(see1('a*b', 'abc')).toBe(0);
  expect(see1('a.c', 'abc')).toBe(0);
  expect(see1('*', '')).toBe(1);
  expect(see1('toString', 'toString')).toBe(1);
  expect(
    see('version: 1\ndefault: none\nrules: [{ allow: [open], to: ["claim:toString=*"] }]', { claims: {} }),
  ).toEqual([]);
});

test('says which rule decided, and which patterns match nothing', () => {
  const policy = readPolicy(`${POLICY}  - deny: ["nobody/*", internal/hr]\n    to: [token:x]\n    except: [gone]\n`);
  const decider = createDecider(policy, PATHS);
  const decide = decider.decide({ token: 'ci' });
  expect(PATHS.map((path) => [decide(path).isVisible, decide(path).rule?.line])).toEqual([
    [false, 11],
    [true, 9],
    [false, undefined],
    [true, 6],
  ]);
  expect(decider.idle.map(({ glob, line }) => [glob, line])).toEqual([
    ['nobody/*', 13],
    ['gone', 15],
  ]);
});

test('finds for each path what its globs match, whatever form they have', () => {
  const globs = [
    'a',
    'a/**',
    '**/b',
    '*/b',
    'a/*',
    'a?/b',
    '{a,c}/b',
    'a/**/b',
    'c*',
    '**',
    '[ac]/b',
    '{a,c}-*/[0-9]-b',
    '{a,{b,c}}/b',
    '[!a]/?',
    '**/b/**',
    'a-*/*-b',
    'b',
  ];
  const paths = ['a', 'b', 'c', 'a/b', 'c/b', 'ab/b', 'a/x/b', 'a/b/x', 'b/a', 'cc', 'a-1/2-b', 'x/a/b'];
  for (const glob of globs) {
    const policy = `version: 1\ndefault: none\nrules: [{ allow: ["${glob}"], to: ["*"] }]`;
    const expected = paths.filter((path) => picomatch.isMatch(path, glob, { dot: true }));
    expect([glob, see(policy, {}, paths)]).toEqual([glob, expected]);
  }
});

test('thousands of rules are no more work for a caller than a few', () => {
  const rules = Array.from(
    { length: 10_000 },
    (_, n) => `  - { allow: ["group-${n % 100}/skill-${n}"], to: ["token:t${n}"] }`,
  );
  const paths = Array.from({ length: 1000 }, (_, n) => `group-${n % 100}/skill-${n}`);
  const decider = createDecider(readPolicy(`version: 1\ndefault: none\nrules:\n${rules.join('\n')}`), paths);
  const decide = decider.decide({ token: 't7' });
  expect(paths.filter((path) => decide(path).isVisible)).toEqual(['group-7/skill-7']);
  expect(decider.idle).toHaveLength(9000);
});
