import { diffArrays } from 'diff';
import { escapeText } from '../text/escape.ts';
import type { JsonValue } from '../text/jsonvalue.ts';
import type { FieldChange } from './effects.ts';
import { toFence } from './markup.ts';

/** Columns of a line: a comment does not wrap code. */
const COLUMNS = 100;

/** Characters of a value that are shown. */
const SHOWN = 2048;

/**
 * A field before and after, sentence by sentence, so that one changed word in a long description is seen.
 *
 * @param isNew - whether there is no skill before: then it is the value alone
 */
export function formatField({ before, after }: FieldChange, isNew: boolean): string {
  const [old, now] = [toSentences(before), toSentences(after)];
  if (isNew) return toFence('text', now.flatMap((line) => wrap('', line)).join('\n'));
  const lines = diffArrays(old, now).flatMap(({ value, added, removed }) =>
    value.flatMap((sentence) => wrap(added ? '+ ' : removed ? '- ' : '  ', sentence)),
  );
  return toFence('diff', lines.join('\n'));
}

function toSentences(value: JsonValue | undefined): string[] {
  if (value === undefined) return [];
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const shown = text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
  return shown
    .split(/(?<=[.!?:;]) +|\n+/)
    .map(escapeText)
    .filter((sentence) => sentence !== '');
}

/** Breaks a sentence at blanks; a longer word stays whole. */
function wrap(mark: string, sentence: string): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of sentence.split(' ')) {
    if (line !== '' && line.length + word.length + 1 > COLUMNS) {
      lines.push(mark + line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, mark + line];
}
