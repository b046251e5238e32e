import { describe, expect, test } from 'vitest';
import { html } from '../../src/page/html.ts';
import { toRawPaths } from '../../src/page/rawpaths.ts';
import { renderMarkdown } from '../../src/page/render.ts';
import { formatSize } from '../../src/page/size.ts';
import { LINEAR, measureTextGrowth } from '../growth.ts';

const files = new Map([
  ['references/a.md', 'files/references/a.md'],
  ['assets/b.png', 'files/assets/b.png'],
  ['assets/c.svg', 'files/assets/c.svg.txt'],
]);

function render(text: string): string {
  return renderMarkdown(text, { hrefOf: (path) => files.get(path) }).text.trim();
}

test.each([
  ['a file', '[a](references/a.md "t")', '<p><a href="files/references/a.md">a</a></p>'],
  ['a way around', '[a](./x/../references/a.md?y#z)', '<p><a href="files/references/a.md">a</a></p>'],
  ['no file', '[a](b.md)', '<p><span class="soft" title="not a link that is followed: b.md">a</span></p>'],
  ['an image', '![b](assets/b.png)', '<p><img src="files/assets/b.png" alt="b" loading="lazy"></p>'],
  ['an SVG', '![c](assets/c.svg)', '<p><a href="files/assets/c.svg.txt">image: c</a></p>'],
  [
    'a remote image',
    '![b](https://example.com/b.png)',
    '<p><a href="https://example.com/b.png" rel="noreferrer noopener nofollow">image: b</a></p>',
  ],
  [
    'an image in a link',
    '[![b](https://example.com/b.png)](https://example.com)',
    '<p><a href="https://example.com/" rel="noreferrer noopener nofollow"><span class="soft" title="https://example.com/b.png">[image: b]</span></a></p>',
  ],
  ['HTML', '<b onclick="x">a</b>', '<p>&lt;b onclick=&quot;x&quot;&gt;a&lt;/b&gt;</p>'],
  [
    'hidden characters',
    'a\u200b`\u202e`',
    '<p>a<mark class="u">U+200B</mark><code><mark class="u">U+202E</mark></code></p>',
  ],
  ['an entity for one', '&#x202e;', '<p><mark class="u">U+202E</mark></p>'],
  ['emoji and words that need a joiner', '👩‍💻 می‌خواهم', '<p>👩‍💻 می‌خواهم</p>'],
  [
    'headings, lowered and without a gap',
    '# A b!\n#### A b!\n# 日本',
    '<h3 id="md-a-b">A b!</h3>\n<h4 id="md-a-b-1">A b!</h4>\n<h3 id="md-日本">日本</h3>',
  ],
  ['a link to a heading', '# A\n[a](#a) [b](#b)', expect.stringContaining('<a href="#md-a">a</a> <span class="soft"')],
  [
    'alignment, without a style at an element',
    '| a | b |\n| :-: | --: |',
    expect.stringContaining('<th class="c">a</th>\n<th class="r">b</th>'),
  ],
])('lays out %s', (_, text, wanted) => {
  expect(render(text)).toEqual(wanted);
});

test('a text that is too long is shown as it is written', () => {
  const text = `# ${'<a> '.repeat(40_000)}`;
  expect(render(text)).toMatch(/too long to be laid out.*<pre class="wrap" tabindex="0"># &lt;a&gt; /s);
});

describe('takes no more than linear time for', () => {
  test.each([
    ['links', '[a](b)'],
    ['open brackets', '['],
    ['open images', '!['],
    ['emphasis', '*a**'],
    ['code spans', '`a``'],
    ['quotes', '> '],
    ['headings', '# a\n'],
    ['entities', '&#x41;'],
    ['hidden characters', '\u202e'],
    ['tables', '| a | b |\n| - | - |\n| 1 | 2 |\n\n'],
  ])('%s', async (_, unit) => {
    // longer ones are not laid out
    const work = (length: number) => render(unit.repeat(Math.min(length, 128 * 1024) / unit.length));
    expect(await measureTextGrowth(work)).toBeLessThan(LINEAR);
  });
});

test('names of files that a host could serve as active get another ending, which no other file has', () => {
  const paths = [
    'a.html',
    'A.HTML.txt',
    'b.svg',
    'c.Xml',
    'd',
    'e.md',
    'f.docx',
    'g.js',
    'h.unknown',
    'i.php',
    'j.json',
    `${'k'.repeat(250)}.htm`,
  ];
  expect([...toRawPaths(paths).values()]).toEqual([
    'a.html.txt.txt',
    'A.HTML.txt',
    'b.svg.txt',
    'c.Xml.txt',
    'd.txt',
    'e.md',
    'f.docx',
    'g.js',
    'h.unknown.txt',
    'i.php.txt',
    'j.json',
    `${'k'.repeat(230)}.txt`,
  ]);
});

test('a template escapes for the place that a value is at', () => {
  const text = `<"'&\u202e`;
  expect(html`<a href="${text}" title="x ${text}">${text}${[1, false, undefined, html`<b>`]}</a>`.text).toBe(
    '<a href="&lt;&quot;&#39;&amp;\\u{202e}" title="x &lt;&quot;&#39;&amp;\\u{202e}">&lt;&quot;&#39;&amp;<mark class="u">U+202E</mark>1<b></a>',
  );
});

test.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [1023, '1023 bytes'],
  [1024, '1.0 KiB'],
  [1024 * 1024 - 1, '1.0 MiB'],
  [16 * 1024 * 1024, '16.0 MiB'],
])('%s bytes are %s', (bytes, shown) => {
  expect(formatSize(bytes)).toBe(shown);
});
