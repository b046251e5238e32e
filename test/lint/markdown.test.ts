import { describe, expect, test } from 'vitest';
import { readMarkdown } from '../../src/lint/markdown.ts';
import { LINEAR, measureTextGrowth } from '../growth.ts';

const linksOf = (text: string): string[] => readMarkdown(text).links.map(({ target }) => target);
const commentsOf = (text: string): string[] =>
  readMarkdown(text).comments.map(({ start, end }) => text.slice(start, end));

describe('links', () => {
  test.each([
    ['[a](b.md)', ['b.md']],
    ['![a](b.png "title")', ['b.png']],
    ["[a]( <b c.md> 'title' ) [d](e.md (title))", ['b c.md', 'e.md']],
    ['[a](b(1).md) [x](y\\).md)', ['b(1).md', 'y\\).md']],
    ['[![a](img.png)](b.md)', ['img.png', 'b.md']],
    ['[a\nb](c.md)', ['c.md']],
    ['[a](\nc.md\n)', ['c.md']],
    ['[id]: b.md "title"\n[id2]: <c d.md>\n[^1]: note.md', ['b.md', 'c d.md']],
    ['> - [a](b.md)\n\n1. [c](d.md)', ['b.md', 'd.md']],
    ['| [a](b.md) | x |', ['b.md']],
    ['[x][id] [x] (no.md) \\[x](no.md) [x\\](no.md)', []],
    ['[a](b c) [d](e', []],
    ['[Note]: something that is said here', []],
    ['', []],
  ])('%j', (text, targets) => {
    expect(linksOf(text)).toEqual(targets);
    expect(linksOf(text.replaceAll('\n', '\r\n'))).toEqual(targets);
  });

  test('in code and comments are none', () => {
    expect(linksOf('`[a](no.md)` ``[b](`no.md)`` \\`[c](yes.md)` `d [e](yes2.md)')).toEqual(['yes.md', 'yes2.md']);
    expect(linksOf('```md\n[a](no.md)\n~~~\n[b](no.md)\n```\n[c](yes.md)')).toEqual(['yes.md']);
    expect(linksOf('~~~~\n[a](no.md)\n~~~\n[b](no.md)\n~~~~~\n[c](yes.md)')).toEqual(['yes.md']);
    expect(linksOf('- x\n  ```\n  [a](no.md)\n  ```\n- [c](yes.md)')).toEqual(['yes.md']);
    expect(linksOf('text\n\n    [a](no.md)\n\n    [b](no.md)\n\n[c](yes.md)')).toEqual(['yes.md']);
    expect(linksOf('- item\n\n    [a](yes.md)\n\ntext\n\n    [b](no.md)')).toEqual(['yes.md']);
    expect(linksOf('<!-- [a](no.md)\n\n```\n[b](no.md) --> [c](yes.md)\n\n[d](yes2.md)')).toEqual([
      'yes.md',
      'yes2.md',
    ]);
    expect(linksOf('``` `x` ```\n[a](yes.md)')).toEqual(['yes.md']);
    expect(linksOf('```\n[a](no.md)')).toEqual([]);
  });

  test('have their place in the text', () => {
    const text = 'x\n\n[a](<b c.md>) and [d]: no\n[e]: f.md\n';
    expect(readMarkdown(text, 2).links.map(({ start, end }) => text.slice(start, end))).toEqual(['b c.md', 'f.md']);
    expect(readMarkdown('[e]: f.md').links).toEqual([{ target: 'f.md', start: 5, end: 9 }]);
  });
});

test('comments', () => {
  expect(commentsOf('a <!-- b --> c <!-- d\n\ne --> f')).toEqual(['<!-- b -->', '<!-- d\n\ne -->']);
  expect(commentsOf('`<!-- a -->`\n\n```\n<!-- b -->\n```\n')).toEqual([]);
  expect(commentsOf('a <!-- never closed')).toEqual([]);
  expect(commentsOf('  <!-- never closed\n\nmore')).toEqual(['<!-- never closed\n\nmore']);
});

test('code spans', () => {
  const spansOf = (text: string): string[] => readMarkdown(text).spans.map(({ start, end }) => text.slice(start, end));
  expect(spansOf('a `b` ``c `d` e`` `f\ng` \\`h` i`')).toEqual(['b', 'c `d` e', 'f\ng', ' i']);
  expect(spansOf('```\n`a`\n```\n\n    `b`\n\n<!-- `c` --> - `d`')).toEqual(['d']);
});

test('a line ends at LF, CRLF or CR, and at nothing else', () => {
  const text = '[a]: b.md "t"\n\n```\n[x](no.md)\n```\n- [c](d.md)\n[e]: <f.md>';
  for (const end of ['\n', '\r\n', '\r']) expect(linksOf(text.replaceAll('\n', end))).toEqual(['b.md', 'd.md', 'f.md']);
  expect(linksOf('x\u2028[a]: b.md')).toEqual([]);
});

test('a line may hold more marks of containers than a stack has room for', () => {
  const marks = '- '.repeat(4 * 1024 * 1024);
  expect(linksOf(`${marks}[a](b.md)\n${'> '.repeat(1024)}\`\`\`\n[c](no.md)`)).toEqual(['b.md']);
});

const PIECES = [
  '[',
  ']',
  '](',
  '](<',
  '](x (',
  '](x "',
  '](x "y"',
  '`',
  '``` `',
  '<!--',
  'x <!--\n\n',
  '[a](b)',
  '\\',
  '- ',
  '1. ',
  '> ',
  '[a]: ',
  '![',
  '\n',
  '    x\n\n',
  '`a``b```c',
  '~~~\n',
  '\u3000',
];

/** What one line end after another makes of a beginning and an end: patterns that know other line ends than the text has. */
const FRAMES = ['\n', '\r', '\r\n', '\u2028', '\u2029', '\u0085', ' ', '\t', '\v'].flatMap((end) => [
  { before: '[a]: x "', piece: ' ', after: `${end}x` },
  { before: '[a]: x "', piece: ` ${end}`, after: '' },
  { before: '', piece: `${end}[`, after: ']: x' },
  { before: '', piece: `${end}[a]: <x`, after: '' },
  { before: '[a](x', piece: end, after: '' },
]);

describe('takes linear time, whatever the text', () => {
  const frames = [...PIECES.map((piece) => ({ before: '', piece, after: '' })), ...FRAMES];
  test.each(frames)('$before $piece $after', async ({ before, piece, after }) => {
    const growth = await measureTextGrowth((length) =>
      readMarkdown(before + piece.repeat(length / piece.length) + after),
    );
    expect(growth).toBeLessThan(LINEAR);
  });
});
