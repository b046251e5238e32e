import { expect, test } from 'vitest';
import { readFrontmatter } from '../../src/frontmatter.ts';
import type { JsonValue } from '../../src/text/jsonvalue.ts';

/** What stands at the edge of a rule: the value where it is accepted, `undefined` where it is refused. */
const EDGES: readonly (readonly [yaml: string, value: JsonValue | undefined])[] = [
  ['k: "a\tb"', 'a\tb'],
  ["k: 'a\tb'\nz: w", 'a\tb'],
  ['k: ["a\tb"]', undefined],
  ['k: {a: b:c}', { a: 'b:c' }],
  ['k: [b:c]', ['b:c']],
  ['k: {a: {b: [c:d]}}', undefined],
  ['k: {"a":b}', { a: 'b' }],
  ['k: {"a":/b}', undefined],
  ['k: [a -]', undefined],
  ['k: [a-]', ['a-']],
  ['k: {"1": a}', { '1': 'a' }],
  ['k:\n  "0": a', undefined],
  ['k: |-\n  # a\n  b', '# a\nb'],
  ['k: |-\n  # a\nz: w', '# a'],
  ['k: 1.5e+05', 150_000],
  ['k: 1.5e+15', undefined],
  ['k: a\n  - b', 'a - b'],
  ['k: a\n  - b\nz: w', 'a - b'],
  ['k: a\n  - b # c', undefined],
  ['k: a\n  - b\n# c', undefined],
  ['k: a\n  - b\n\nz: w', undefined],
  ['k: a\n  - b\n  c', undefined],
  ['k: a\n  ? b', 'a ? b'],
  ['k:\n  -\n  - a', [null, 'a']],
  ['k:\n  - a\n  -', ['a', null]],
  ['k:\n  -\nz: w', [null]],
  ['k:\n-\nz: w', undefined],
  ['k:\n  -\n\n  - a', undefined],
  ['k:\n  - # c\n  - a', undefined],
  ['k:\n  - -\n  - a', undefined],
  ['k:\n  -\n    # c\n    a: b', [{ a: 'b' }]],
  ['k:\n  -\n    # c\n    a', undefined],
  ['k:\n  -\n\n    a: b', undefined],
  ['k: |\n  v\n # c\nz: w', 'v\n'],
  ['k:\n  - |\n    v\n # c\n  - w', undefined],
  ['k: v\n-a: b', 'v'],
  ['k:\n  - a\n-a: b', ['a']],
  ['k:\n- a\n"-a": b', ['a']],
  ['k:\n- a\n-a: b', undefined],
  ['k:\n- a: b\n# c\n--: d', undefined],
  ['k:\n  l:\n  - - a\n  -1a: b', undefined],
  ['k:\n  l:\n    - a\n  -1a: b', { l: ['a'], '-1a': 'b' }],
];

test.each(EDGES)('%j', (yaml, value) => {
  expect(readFrontmatter(`---\n${yaml}\n---\n`).frontmatter?.['k']).toEqual(value);
});
