import { toSkillPath } from '../catalog/catalog.ts';
import { countOf, formatNumber } from '../text/count.ts';
import { disarmLine, escapeText } from '../text/escape.ts';
import type { JsonValue } from '../text/jsonvalue.ts';
import type { CatalogDiff, FileChange, SkillChange } from './compare.ts';
import type { FieldChange, NewLink } from './effects.ts';
import { pickFiles } from './impact.ts';

/** Characters of a value that are shown: no description that may be published is longer. */
const VALUE_SHOWN = 1024;

/** Links of one skill that are listed. */
const LINKS_SHOWN = 20;

const MARKS = { added: '+', removed: '-', changed: '~' } as const;

/** For people: each skill that differs with what differs in it, and how many there are. */
export function formatDiffText({ changes, unchanged, refused }: CatalogDiff): string {
  const lines = changes.flatMap((change) => [...describeChange(change), '']);
  lines.push(...refused.map((uri) => `not compared, because it has errors: ${uri}`));
  return [...lines, summarizeDiff({ changes, unchanged }), ''].map((line) => disarmLine(line)).join('\n');
}

/** How many skills differ, and how: `1 added, 2 changed, 40 unchanged`. */
export function summarizeDiff({ changes, unchanged }: Pick<CatalogDiff, 'changes' | 'unchanged'>): string {
  if (changes.length === 0) return `no skill differs (${unchanged} compared)`;
  const parts = (['added', 'removed', 'renamed', 'changed'] as const).flatMap((kind) => {
    const count = changes.filter((change) => change.kind === kind).length;
    return count === 0 ? [] : [`${count} ${kind}`];
  });
  const noun = changes.length === 1 && unchanged === 0 ? 'skill' : 'skills';
  return `${noun}: ${[...parts, `${unchanged} unchanged`].join(', ')}`;
}

/** One skill that differs: what happened, then what a host acts on, files, and whose approval ends. */
function describeChange(change: SkillChange): string[] {
  const { kind, uri, oldUri, fields = [], links = [], frontmatter, revokes } = change;
  const from = oldUri === undefined ? '' : ` (from ${oldUri})`;
  const lines = [`${kind} ${uri}${from}${describeRefusal(change)}`];
  if (kind === 'added' && frontmatter !== undefined) {
    lines.push(`    description: ${formatValue(frontmatter['description'])}`);
    if ('allowed-tools' in frontmatter) lines.push(`    allowed-tools: ${formatValue(frontmatter['allowed-tools'])}`);
  }
  for (const field of fields) lines.push(...describeField(field));
  const { shown, rest } = pickFiles(change);
  for (const file of shown) {
    lines.push(
      `  ${MARKS[file.kind]} ${escapeText(file.path)} (${[describeSize(file), ...listNotes(file)].join(', ')})`,
    );
  }
  if (rest !== undefined) lines.push(`    ${rest}`);
  if (links.length > 0) lines.push(`    ${describeLinks(links)}`);
  if (revokes !== undefined) lines.push(`    revokes approvals given to ${revokes}`);
  return lines;
}

/** Why a skill that seems to be gone or new is not. */
export function describeRefusal({ kind, isRefused }: SkillChange): string {
  if (isRefused !== true) return '';
  return kind === 'removed' ? ', because it has errors now' : ', because it had errors before';
}

function describeField({ name, before, after }: FieldChange): string[] {
  return [
    `    ${escapeText(name)}:`,
    ...(before === undefined ? [] : [`      - ${formatValue(before)}`]),
    ...(after === undefined ? [] : [`      + ${formatValue(after)}`]),
  ];
}

/** A value of frontmatter on one line, cut where it is long. */
function formatValue(value: JsonValue | undefined): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value ?? null);
  const shown = [...text.slice(0, VALUE_SHOWN * 2)].slice(0, VALUE_SHOWN).join('');
  return `${escapeText(shown)}${shown.length < text.length ? '…' : ''}`;
}

/** The size of a file, or both: `812 -> 901 bytes`. */
export function describeSize({ before, after }: FileChange): string {
  if (before === undefined || after === undefined) return countBytes((before ?? after)?.size ?? 0);
  if (before.size === after.size) return `${countBytes(after.size)}, as before`;
  const more = after.size - before.size;
  const sign = more > 0 ? '+' : '-';
  return `${formatNumber(before.size)} -> ${countBytes(after.size)}, ${sign}${formatNumber(Math.abs(more))}`;
}

function countBytes(bytes: number): string {
  return `${formatNumber(bytes)} byte${bytes === 1 ? '' : 's'}`;
}

function listNotes({ isScript, isLineEnds }: FileChange): string[] {
  return [...(isScript ? ['a script'] : []), ...(isLineEnds === true ? ['only line ends differ'] : [])];
}

function describeLinks(links: readonly NewLink[]): string {
  const shown = links
    .slice(0, LINKS_SHOWN)
    .map(({ host, url, path }) => `${escapeText(host)} (${escapeText(url.slice(0, 200))} in ${escapeText(path)})`);
  const more = links.length - shown.length;
  return `new links to ${shown.join(', ')}${more > 0 ? ` and ${countOf(more, 'more host')}` : ''}`;
}

/** The sentence for a catalog that is not the locked one, with what to do. */
export function describeMismatch(diff: CatalogDiff, lock: string): string {
  const [first] = diff.changes;
  const example =
    first === undefined ? '' : `: ${toSkillPath(first.uri)} is ${DIFFERS[first.kind]}${describeRefusal(first)}`;
  const more = diff.changes.length > 1 ? ` (1 of ${countOf(diff.changes.length, 'difference')})` : '';
  const files = diff.changes.flatMap((change) => change.files);
  const isGit = files.some(({ isLineEnds }) => isLineEnds === true);
  const hint = isGit ? '; git changed line ends: put "* -text" for these files into .gitattributes' : '';
  return `the skills are not those of ${escapeText(lock)}${example}${more}${hint}`;
}

const DIFFERS = { added: 'not in it', removed: 'missing', renamed: 'at another path', changed: 'not the locked one' };
