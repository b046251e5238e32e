import { describe, expect, test } from 'vitest';
import { readMarkdown } from '../../src/lint/markdown.ts';
import { LINEAR, measureGrowth } from '../growth.ts';

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

test('takes linear time, whatever the text', async () => {
  const pieces = [
    '[',
    ']',
    '](',
    '](<',
    '](x (',
    '](x "',
    '`',
    '``` `',
    '<!--',
    'x <!--\n\n',
    '[a](b)',
    '\\',
    '- ',
    '> ',
    '[a]: ',
    '![',
    '\n',
    '    x\n\n',
    '`a``b```c',
  ];
  for (const piece of pieces) {
    const growth = await measureGrowth((times) => readMarkdown(piece.repeat((times * 100_000) / piece.length)));
    expect([piece, growth < LINEAR]).toEqual([piece, true]);
  }
});
