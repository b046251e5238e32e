import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { quoteCommand } from '../../src/text/shell.ts';

test('a shell splits the line into the words that went in', () => {
  const words = [
    '',
    'plain',
    'two words',
    "it's",
    '"q"',
    '$HOME',
    '`id`',
    '$(id)',
    '\\',
    'a\nb',
    '*',
    '~',
    '#',
    '!',
    'x;y',
    '日本',
    '-n',
  ];
  const line = quoteCommand(words, { windows: false });
  const out = execFileSync('sh', ['-c', `for word in ${line}; do printf '%s\\0' "$word"; done`], { encoding: 'utf8' });
  expect(out.split('\0').slice(0, -1)).toEqual(words);
});

test('for cmd and PowerShell, double quotes, or nothing where they disagree', () => {
  expect(quoteCommand(['a', 'C:\\my skills', 'x&y'], { windows: true })).toBe('a "C:\\my skills" "x&y"');
  for (const word of ['%x%', '$x', '`', '"', 'C:\\a b\\'])
    expect(quoteCommand([word], { windows: true })).toBeUndefined();
});
