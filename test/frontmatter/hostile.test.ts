import { describe, expect, test } from 'vitest';
import { readFrontmatter } from '../../src/frontmatter.ts';
import { judgeFrontmatter } from '../../src/judge/document.ts';
import { LINEAR, measureGrowth } from '../growth.ts';
import { showProblem } from './show.ts';

const MEGABYTE = 1_048_576;
const HEAD = 'name: x\ndescription: d\n';

function codesOf(file: string | Uint8Array): readonly string[] {
  return [...new Set(readFrontmatter(file).problems.map(({ code }) => code))].sort();
}

function wrap(yaml: string): string {
  return `---\n${HEAD}${yaml}\n---\nText\n`;
}

describe('bombs and depths', () => {
  test('aliases are refused without being expanded', () => {
    const lines = ['a0: &a0 [x, x]'];
    for (let level = 1; level < 40; level += 1) lines.push(`a${level}: &a${level} [*a${level - 1}, *a${level - 1}]`);
    const { frontmatter, problems } = readFrontmatter(wrap(lines.join('\n')));
    expect(frontmatter).toBeUndefined();
    expect(problems.length).toBe(40 + 39 * 2);
    expect(showProblem(problems[0]!)).toBe(
      '4:5+3 error yaml-unportable: "&a0" is an anchor, which some YAML parsers refuse = write the value itself at each place, or quote it if it is text: "&a0 [x, x]"',
    );
  });

  test.each([
    ['brackets', (depth: number) => `k: ${'['.repeat(depth)}${']'.repeat(depth)}`],
    ['braces', (depth: number) => `k: ${'{a: '.repeat(depth)}b${'}'.repeat(depth)}`],
    ['dashes', (depth: number) => `k:\n  ${'- '.repeat(depth)}a`],
    [
      'indented keys',
      (depth: number) =>
        Array.from({ length: depth }, (_, level) => `${' '.repeat(level)}k:`)
          .join('\n')
          .concat(' v'),
    ],
  ])('%s: 32 levels below the root are read, 33 are not', (kind, nest) => {
    const deepest = kind === 'indented keys' ? 33 : 32;
    expect(codesOf(wrap(nest(deepest)))).toEqual([]);
    expect(codesOf(wrap(nest(deepest + 1)))).toEqual(['yaml-unportable']);
  });

  test.each([
    ['opening brackets', '['.repeat(60_000)],
    ['opening braces', '{'.repeat(60_000)],
    ['dashes', '- '.repeat(30_000)],
    ['question marks', '? '.repeat(30_000)],
    ['colons', ': '.repeat(30_000)],
    ['brackets both ways', '[]'.repeat(30_000)],
    ['double quotes', '"'.repeat(60_000)],
    ['single quotes', "'".repeat(60_000)],
    ['ampersands', '&a '.repeat(20_000)],
    ['exclamation marks', '! '.repeat(30_000)],
    ['blanks', ' '.repeat(60_000)],
    ['tabs', '\t'.repeat(60_000)],
    ['backslashes', `"${'\\'.repeat(60_000)}`],
    ['empty lines', '\n'.repeat(60_000)],
    ['comments', ' #\n'.repeat(20_000)],
    ['dashes on lines', '-\n'.repeat(30_000)],
    ['pipes', '|\n'.repeat(30_000)],
    ['commas', `[${','.repeat(60_000)}]`],
    ['carriage returns', '\r'.repeat(60_000)],
    ['NUL', '\0'.repeat(60_000)],
  ])('60,000 %s are judged, as a value and as lines', (_, text) => {
    for (const file of [wrap(`k: ${text}`), wrap(text), `---\n${text}\n---\n`]) {
      const { frontmatter, problems } = readFrontmatter(file);
      expect(problems.length > 0 || frontmatter !== undefined).toBe(true);
      expect(problems.every(({ line, column, length }) => line! >= 1 && column! >= 1 && length! >= 1)).toBe(true);
    }
  });
});

test('more levels than the parser can go down are refused by their depth', () => {
  const text = wrap(`k: [${'x: '.repeat(20_000)}]`);
  expect(readFrontmatter(text).problems.map(showProblem)).toEqual([
    '2:1+1 error yaml-unportable: lists and mappings are nested thousands of levels deep; some YAML parsers read 32 at most = use fewer levels',
  ]);
});

describe('size', () => {
  test.each(['[', '{', '"', "'", ' ', '\t', '-', '\n', '\\', '#', '\u4e2d'])(
    'a megabyte of %j is refused by its size',
    (char) => {
      const { findings } = judgeFrontmatter(wrap(`k: ${char.repeat(MEGABYTE)}`));
      expect(findings.map(({ problem }) => problem.code)).toContain('yaml-unportable');
    },
  );

  test('65,536 bytes are read, one more is not', () => {
    const fill = (bytes: number): string => `---\n${HEAD}k: ${'x'.repeat(bytes - HEAD.length - 4)}\n---\n`;
    expect(codesOf(fill(65_536))).toEqual([]);
    expect(readFrontmatter(fill(65_537)).problems.map(showProblem)).toEqual([
      '1:1+3 error yaml-unportable: the frontmatter has 65537 bytes, more than the 65536 that are read = move long values into the text below the frontmatter',
    ]);
  });

  test.each(['---', ' ---\n', '<!--', '```\n', '\u200b', '\r', '<'])(
    'a body of %j again and again is judged in linear time',
    async (piece) => {
      const judge = (times: number) =>
        judgeFrontmatter(`---\n${HEAD}---\n${piece.repeat((times * MEGABYTE) / piece.length)}`);
      expect(await measureGrowth(judge)).toBeLessThan(LINEAR);
    },
  );

  test.each([':b', 'a:b '])('unquoted text of %j in brackets is judged in linear time', async (piece) => {
    const judge = (times: number) => judgeFrontmatter(wrap(`k: [a${piece.repeat((times * 7000) / piece.length)}]`));
    expect(await measureGrowth(judge)).toBeLessThan(LINEAR);
  });

  test.each([
    ['allowed-tools: ', 'a, '],
    ['allowed-tools: ', 'a,b('],
    ['allowed-tools: "', ','],
    ['description: ', '<a'],
    ['description: ', '</'],
    ['k: ', '---'],
    ['k:\n', '  - 1.0\n'],
    ['', 'nme: x\n'],
  ])('warnings of %j and %j again and again take linear time', async (before, piece) => {
    const judge = (times: number) =>
      judgeFrontmatter(`---\nname: x\n${before}${piece.repeat((times * 7500) / piece.length)}\n---\n`);
    expect(await measureGrowth(judge)).toBeLessThan(LINEAR);
  });

  test('a file that never closes its fence is judged once', () => {
    expect(codesOf(`---\n${'--\n'.repeat(MEGABYTE / 3)}`)).toEqual(['frontmatter-unclosed']);
  });
});

describe('keys that are names of the language', () => {
  test('__proto__ is refused, wherever it stands, and changes nothing', () => {
    for (const yaml of [
      '__proto__: {polluted: true}',
      '"__proto__": 1',
      'a:\n  __proto__:\n    polluted: true',
      'a: {__proto__: {polluted: true}}',
    ]) {
      expect(codesOf(wrap(yaml))).toEqual(['yaml-unportable']);
    }
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  test('constructor, prototype, toString and hasOwnProperty are keys like others', () => {
    const { frontmatter, problems } = readFrontmatter(
      wrap('constructor: a\nprototype: b\ntoString: c\nhasOwnProperty: d'),
    );
    expect(problems).toEqual([]);
    expect(JSON.stringify(frontmatter)).toBe(
      '{"name":"x","description":"d","constructor":"a","prototype":"b","toString":"c","hasOwnProperty":"d"}',
    );
    expect(Object.getPrototypeOf({})).toBe(Object.prototype);
  });
});

describe('any bytes', () => {
  test('2,000 random files are judged without an exception', () => {
    let state = 7;
    for (let index = 0; index < 2000; index += 1) {
      const bytes = new Uint8Array(64);
      for (let at = 0; at < bytes.length; at += 1) {
        state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
        bytes[at] = (state >>> 16) & 0xff;
      }
      const file = Buffer.concat([Buffer.from('---\nk: '), bytes, Buffer.from('\n---\n')]);
      const { text, findings } = judgeFrontmatter(file);
      expect(text === undefined).toBe(findings.some(({ problem }) => problem.code === 'not-utf8'));
    }
  });
});
