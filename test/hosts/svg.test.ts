import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { toSvg } from './svg.ts';

const DOCS = join(import.meta.dirname, '..', '..', 'docs');

test('the picture of the first run shows its text', () => {
  const lines = readFileSync(join(DOCS, 'first-run.txt'), 'utf8').trimEnd().split('\n');
  expect(readFileSync(join(DOCS, 'first-run.svg'), 'utf8')).toBe(toSvg(lines, 'One skill, one command, one question'));
});

test('escapes what XML would read', () => {
  expect(toSvg(['$ echo "<a> & <b>"', 'ok'], 'a & b').match(/<(?:title|text).*/g)).toEqual([
    '<title>a &amp; b</title>',
    '<text x="20" y="58" xml:space="preserve"><tspan fill="#7ee2a8">$ </tspan><tspan font-weight="bold">echo "&lt;a&gt; &amp; &lt;b&gt;"</tspan></text>',
    '<text x="20" y="78" xml:space="preserve">ok</text>',
  ]);
});
