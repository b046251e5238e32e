/** Random frontmatters that mix what readers part over. The same seed gives the same texts, on every platform. */
export function generateFrontmatters(seed: number): () => string {
  const random = createRandom(seed);
  return () => generateOne(random);
}

type Random = () => number;

/** Numbers in [0, 1) by the 32-bit mixer of `mulberry32`. */
function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function pick<T>(random: Random, list: readonly T[]): T {
  return list[Math.floor(random() * list.length)]!;
}

function chance(random: Random, share: number): boolean {
  return random() < share;
}

const WORDS = ['read', 'Use when', 'a b', 'data', 'PDF files', 'it', 'review', 'fast', 'x', 'plan', 'tools', 'v'];

/** Literals at the borders of what is text, a number, a boolean, a date or an indicator. */
const LITERALS = [
  ...[
    'y',
    'Yes',
    'no',
    'On',
    'off',
    'true',
    'True',
    'fALSE',
    'false',
    'null',
    'Null',
    '~',
    'nil',
    'none',
    'yes!',
    'nope',
  ],
  ...[
    '0',
    '7',
    '-7',
    '+7',
    '42',
    '08',
    '0755',
    '0o17',
    '0x1F',
    '0b11',
    '1_000',
    '1,000',
    '9007199254740991',
    '9007199254740993',
  ],
  ...[
    '1.5',
    '-0.25',
    '1.0',
    '1.10',
    '.5',
    '5.',
    '-0',
    '-0.0',
    '1e3',
    '1.5e3',
    '1.5e+3',
    '1E-2',
    '.inf',
    '-.Inf',
    '.nan',
    'NaN',
    'inf',
  ],
  ...[
    '0.1234567890123456',
    '123456789012.345',
    '1.2.3',
    '1.0.0',
    'v1.0',
    '127.0.0.1',
    '1-2',
    '12:30',
    '12:30:45',
    '1:60',
    '190:20:30.15',
  ],
  ...[
    '2026-10-12',
    '2026-1-2',
    '2026-10',
    '2026-10-12T01:02:03Z',
    '2026-10-12 01:02:03',
    '2026-10-12t1:2:3.5 +2',
    '2026-10-12x',
    '20261012',
  ],
  ...[
    ':a',
    ':',
    'a:b',
    'a::',
    '::',
    'x:',
    '=',
    '<<',
    '-',
    '--',
    '---',
    '...',
    '-a',
    '?',
    '?a',
    'a?',
    '!',
    '&',
    '*',
    '|',
    '>',
    '%',
    '@',
    '`',
  ],
  ...[
    'http://x.y/z?a=b#c',
    'C:\\x',
    'a\\',
    '\\',
    'Bash(git:*)',
    'a #b',
    'a#b',
    "it's",
    'say "hi"',
    '"',
    "'",
    '[',
    ']',
    '{',
    '}',
    ',',
    'a, b',
  ],
  ...[
    '\u00a0x',
    'x\u00a0',
    'x\u3000y',
    '\u2003',
    'e\u0301',
    '\u{1f680}',
    '\u4e2d\u6587',
    'a\tb',
    'x\t',
    '\ufeff',
    'a\u2028b',
    '\u0085',
    '\u0007',
  ],
  ...[
    '#c',
    '# c',
    '<tag>',
    '$HOME',
    '{{X}}',
    '[a]',
    '{a: b}',
    '**bold**',
    '_',
    '1_',
    '_1',
    '+',
    '+1x',
    '1x',
    '.',
    '..',
    '.a',
    '0.',
    '00',
    '1:a',
  ],
];

const ESCAPES = [
  '\\n',
  '\\t',
  '\\"',
  '\\\\',
  '\\/',
  '\\x41',
  '\\u00e9',
  '\\ud83d\\ude80',
  '\\ud800',
  '\\U0001F680',
  '\\0',
  '\\e',
  '\\_',
  '\\N',
  '\\L',
  '\\ ',
  '\\q',
  '\\u12',
];

const ALPHABET = [...' \n\t:-#"\'[]{},|>&*!?%@`~=+._\\/0123456789eExXyYnNoOtTfF\r\u00a0\u0085\ufeff<()abc'];

function generateOne(random: Random): string {
  const lines = generateMap(random, 0, 0);
  let text = `${lines.join('\n')}\n`;
  if (chance(random, 0.1)) text = `${pick(random, ['\n', '# c\n', ' \n', '#\n\n'])}${text}`;
  if (chance(random, 0.1)) text += pick(random, ['\n', '# c\n', '\n\n', ' \n', '  # c\n', '...\n']);
  if (chance(random, 0.4)) text = mutate(random, text);
  // A line of dashes would end the frontmatter itself.
  return text.replace(/^---/gm, '--');
}

function mutate(random: Random, text: string): string {
  let result = text;
  const count = 1 + Math.floor(random() * 3);
  for (let index = 0; index < count; index += 1) {
    const at = Math.floor(random() * result.length);
    const char = chance(random, 0.2) ? pick(random, LITERALS) : pick(random, ALPHABET);
    const drop = chance(random, 0.5) ? 1 + Math.floor(random() * 2) : 0;
    result = result.slice(0, at) + (chance(random, 0.25) ? '' : char) + result.slice(at + drop);
  }
  return result;
}

function generateMap(random: Random, indent: number, depth: number): string[] {
  const lines: string[] = [];
  const count = 1 + Math.floor(random() * (depth === 0 ? 4 : 3));
  for (let index = 0; index < count; index += 1) {
    addGap(random, lines, indent);
    addEntry(random, lines, indent, depth, `${' '.repeat(indent)}${generateKey(random, index)}:`);
  }
  return lines;
}

function addGap(random: Random, lines: string[], indent: number): void {
  if (chance(random, 0.08)) lines.push(pick(random, ['', '', ' ', '   ']));
  if (chance(random, 0.1))
    lines.push(
      `${' '.repeat(pick(random, [0, indent, indent, indent + 1, indent + 2, 1]))}${pick(random, ['# c', '#', '#x: y', '# - a'])}`,
    );
}

function generateKey(random: Random, index: number): string {
  const word = `${pick(random, ['name', 'tags', 'title', 'k', 'a b', 'meta-x', 'x_y', 'n0', 'v.1'])}${index}`;
  if (chance(random, 0.06)) return pick(random, LITERALS);
  if (chance(random, 0.06)) return `"${word}"`;
  if (chance(random, 0.04)) return `'${word}'`;
  if (chance(random, 0.03)) return `${pick(random, ['-', '-', '--', '?', ':'])}${word}`;
  return word;
}

function addEntry(random: Random, lines: string[], indent: number, depth: number, head: string): void {
  const comment = chance(random, 0.08) ? pick(random, [' # note', '  # x: y', ' #', ' #n']) : '';
  const roll = random();
  const step = pick(random, [1, 2, 2, 2, 4]);
  if (depth < 4 && roll < 0.12) {
    lines.push(`${head}${comment}`, ...generateMap(random, indent + step, depth + 1));
  } else if (depth < 4 && roll < 0.27) {
    lines.push(`${head}${comment}`, ...generateSeq(random, indent + pick(random, [0, step]), depth + 1));
  } else if (roll < 0.37) {
    lines.push(
      `${head} ${pick(random, ['|', '>', '|-', '>-', '|-', '>-', '|+', '>+', '|2', '>1-'])}${comment}`,
      ...generateBlock(random, indent + step),
    );
  } else if (roll < 0.45) {
    lines.push(`${head} ${pick(random, WORDS)}`, ...generateContinued(random, indent + step));
  } else if (roll < 0.48) {
    lines.push(`${head}${comment}`, `${' '.repeat(indent + step)}${generateScalar(random)}`);
  } else if (roll < 0.6) {
    lines.push(`${head} ${generateFlow(random, 0)}${comment}`);
  } else if (roll < 0.65) {
    lines.push(`${head}${pick(random, ['', ' ', '  '])}${comment}`);
  } else {
    lines.push(
      `${head}${pick(random, [' ', ' ', ' ', '  '])}${generateScalar(random)}${pick(random, ['', '', '', ' '])}${comment}`,
    );
  }
}

function generateSeq(random: Random, indent: number, depth: number): string[] {
  const lines: string[] = [];
  const count = 1 + Math.floor(random() * 3);
  for (let index = 0; index < count; index += 1) {
    addGap(random, lines, indent);
    const dash = `${' '.repeat(indent)}-`;
    const roll = random();
    if (depth < 4 && roll < 0.25) {
      const inner = generateMap(random, indent + 2, depth + 1);
      const first = inner.findIndex((line) => line.trim() !== '' && !line.trim().startsWith('#'));
      if (first === 0) inner[0] = `${dash} ${inner[0]!.slice(indent + 2)}`;
      else inner.unshift(dash);
      lines.push(...inner);
    } else if (depth < 4 && roll < 0.3) {
      const inner = generateSeq(random, indent + 2, depth + 1);
      if (inner[0]!.trim().startsWith('-')) inner[0] = `${dash} ${inner[0]!.slice(indent + 2)}`;
      else inner.unshift(dash);
      lines.push(...inner);
    } else {
      addEntry(random, lines, indent, 4, dash);
    }
  }
  return lines;
}

function generateBlock(random: Random, indent: number): string[] {
  const lines: string[] = [];
  const count = Math.floor(random() * 4) + (chance(random, 0.9) ? 1 : 0);
  for (let index = 0; index < count; index += 1) {
    if (chance(random, 0.12)) lines.push(pick(random, ['', '', '', ' '.repeat(indent), ' ']));
    const more = chance(random, 0.1) ? pick(random, ['  ', ' ', '- ', '# ', '\t']) : '';
    const text = chance(random, 0.3) ? pick(random, LITERALS) : `${pick(random, WORDS)} ${pick(random, WORDS)}`;
    lines.push(`${' '.repeat(indent)}${more}${text}${chance(random, 0.05) ? ' ' : ''}`);
  }
  if (chance(random, 0.1)) lines.push(pick(random, ['', '', '  ']));
  return lines;
}

function generateContinued(random: Random, indent: number): string[] {
  const lines: string[] = [];
  const count = 1 + Math.floor(random() * 2);
  for (let index = 0; index < count; index += 1) {
    if (chance(random, 0.08)) lines.push('');
    const text = chance(random, 0.3) ? pick(random, LITERALS) : pick(random, WORDS);
    lines.push(
      `${' '.repeat(indent + (chance(random, 0.1) ? 2 : 0))}${chance(random, 0.06) ? '- ' : ''}${text}${chance(random, 0.06) ? ' # c' : ''}`,
    );
  }
  return lines;
}

function generateScalar(random: Random): string {
  const roll = random();
  if (roll < 0.3) return `${pick(random, WORDS)} ${pick(random, WORDS)}`;
  if (roll < 0.6) return pick(random, LITERALS);
  if (roll < 0.7) return pick(random, LITERALS) + pick(random, ['', ' ', ':', '-', '_', '.']) + pick(random, LITERALS);
  if (roll < 0.85) return `"${generateQuoted(random, ESCAPES)}"`;
  return `'${generateQuoted(random, ["''", '"', '\\n', '\\'])}'`;
}

function generateQuoted(random: Random, specials: readonly string[]): string {
  let text = '';
  const count = Math.floor(random() * 3);
  for (let index = 0; index <= count; index += 1) {
    const literal = pick(random, LITERALS).replace(/["'\\]/g, '');
    text += chance(random, 0.3) ? pick(random, specials) : chance(random, 0.5) ? literal : pick(random, WORDS);
    if (chance(random, 0.04)) text += '\n  ';
  }
  return text;
}

function generateFlow(random: Random, depth: number): string {
  const count = Math.floor(random() * 4);
  const items: string[] = [];
  const map = chance(random, 0.4);
  for (let index = 0; index < count; index += 1) {
    const value = depth < 3 && chance(random, 0.15) ? generateFlow(random, depth + 1) : generateScalar(random);
    if (!map) items.push(chance(random, 0.04) ? `a: ${value}` : value);
    else
      items.push(
        chance(random, 0.05)
          ? pick(random, LITERALS)
          : `${generateKey(random, index)}:${pick(random, [' ', ' ', ' ', ''])}${value}`,
      );
  }
  const joined = items.join(pick(random, [', ', ', ', ', ', ',', ' , ', ',\n   ']));
  const pad = pick(random, ['', '', '', ' ']);
  return map ? `{${pad}${joined}${pad}}` : `[${pad}${joined}${chance(random, 0.05) ? ',' : ''}${pad}]`;
}
