import { isMap } from 'yaml';
import { say } from '../messages/say.ts';
import { findLineStart } from '../text/position.ts';
import { isEmpty, isNode, type Passage } from './passage.ts';

/** What a list item contains begins beside its dash: parsers differ over dashes that are alone on their line. `dash` is an offset into the frontmatter. */
export function judgeItem(item: unknown, dash: number, { source, start, findings }: Passage): void {
  const from = isNode(item) ? (item.range?.[0] ?? dash) : dash;
  const between = source.slice(dash, from);
  const empty = isEmpty(item);
  if (empty ? isClearlyEmpty(source, dash) : /^-[^#\n]*(?:\n[^#\n]*)?$/.test(between)) return;
  // Between a dash alone on its line and its mapping, parsers take lines of comments for nothing.
  if (isMap(item) && item.flow !== true && /^-[ \r]*\n(?: *#[^\n]*\n)+ *$/.test(between)) return;
  findings.add(
    { start: start + dash, end: start + dash + 1 },
    say(empty ? 'yaml-ambiguous/item-empty' : 'yaml-ambiguous/item-below'),
  );
}

/** A dash alone on its line is read alike when the next item, a line that is indented less, or nothing at all follows directly. */
function isClearlyEmpty(source: string, dash: number): boolean {
  const lineStart = findLineStart(source, dash);
  const indent = dash - lineStart;
  const feed = source.indexOf('\n', dash);
  const own = source.slice(lineStart, feed === -1 ? source.length : feed).trim();
  if (own !== '-') return false;
  if (feed === -1) return true;
  const end = source.indexOf('\n', feed + 1);
  const next = source.slice(feed + 1, end === -1 ? source.length : end).trimEnd();
  const text = next.trimStart();
  const deep = next.length - text.length;
  if (text === '') return source.slice(feed).trim() === '';
  if (/^-(?: |$)/.test(text)) return deep === indent;
  return deep < indent && !text.startsWith('#');
}
