import { toSkillPath } from '../catalog/catalog.ts';
import { SKILL_FILE } from '../catalog/manifest.ts';
import { countOf } from '../text/count.ts';
import { escapeText } from '../text/escape.ts';
import type { CatalogDiff, FileChange, SkillChange } from './compare.ts';
import { describeRefusal, describeSize, summarizeDiff } from './describe.ts';
import type { FieldChange } from './effects.ts';
import { isFirst, listEffects, pickFiles, rankChange } from './impact.ts';
import { toCell, toCode, toFence } from './markup.ts';
import { countLines, formatPatch, formatPatches, type Sides } from './patches.ts';
import { formatField } from './sentences.ts';

/** Characters of a comment: GitHub takes 65,536, and what puts it there may add some. */
const MAX_LENGTH = 60_000;

/** Rows of the table, and entries of any other list, that are shown. */
const ROWS = 100;
const ITEMS = 20;

/** What the comment is made of beside the difference. */
export interface CommentOptions {
  /** The contents of both sides; without them, no lines are counted and no patch is shown. */
  readonly sides?: Sides | undefined;
  /** Whether the difference of each file is shown. */
  readonly isPatch?: boolean | undefined;
}

/**
 * A comment for a pull request, in GitHub's Markdown: first what changes what a host or a model does, then the files, then whose
 * approval ends. What comes from skills is in code alone, so that none of it is Markdown, a mention, or an image. Where it is too long,
 * details of the last skills are left out and counted.
 */
export function formatComment(diff: CatalogDiff, options: CommentOptions = {}): string {
  const { changes, unchanged, refused } = diff;
  if (changes.length === 0) {
    const same = `The ${countOf(unchanged, 'skill')} of both sides are equal.`;
    return `${['### Agent Skills: no change', same, formatRefused(refused)].filter((part) => part !== '').join('\n\n')}\n`;
  }
  const ranked = [...changes].sort((a, b) => rankChange(a) - rankChange(b));
  const title = `### Agent ${summarizeDiff(diff).replace(/^s/, 'S')}`;
  const head = [title, formatTable(ranked, options), formatRefused(refused)];
  const revoked = formatRevoked(ranked);
  let length = [...head, revoked].join('\n\n').length;
  const parts: string[] = [];
  for (const change of ranked) {
    const part = formatChange(change, options);
    length += part.length + 2;
    if (length > MAX_LENGTH) break;
    parts.push(part);
  }
  const left = ranked.length - parts.length;
  if (left > 0) parts.push(`The details of ${countOf(left, 'more skill')} do not fit into this comment.`);
  return `${[...head, ...parts, revoked].filter((part) => part !== '').join('\n\n')}\n`;
}

function formatTable(changes: readonly SkillChange[], options: CommentOptions): string {
  const rows = changes.slice(0, ROWS).map((change) => {
    const effects = listEffects(change).map((effect) => `**${effect}**`);
    const what = [...effects, ...listRest(change, options)].join(', ') || 'moved, with the same files';
    return `| ${change.kind} | ${toCode(toSkillPath(change.uri))} | ${what} |`;
  });
  const more = changes.length - rows.length;
  if (more > 0) rows.push(`| | | and ${countOf(more, 'more skill')} |`);
  return ['| | skill | what changes |', '| --- | --- | --- |', ...rows].join('\n');
}

/** A renamed skill has another name, as its path says. */
function isOwnName({ kind }: SkillChange, { name }: FieldChange): boolean {
  return kind === 'renamed' && name === 'name';
}

function isInstructions({ path }: FileChange): boolean {
  return path === SKILL_FILE;
}

function listRest(change: SkillChange, { sides }: CommentOptions): string[] {
  const { kind, oldUri, fields = [], files } = change;
  if (kind === 'added' || kind === 'removed') return [countOf(files.length, 'file')];
  const others = fields.filter((field) => !isFirst(field.name) && !isOwnName(change, field)).map(({ name }) => name);
  const instructions = files.find(isInstructions);
  const rest = files.filter((file) => !isInstructions(file) && !file.isScript).length;
  return [
    ...(oldUri === undefined ? [] : [`renamed from ${toCode(toSkillPath(oldUri))}`]),
    ...others.slice(0, ITEMS).map((name) => toCell(escapeText(name))),
    ...(instructions === undefined ? [] : [`SKILL.md${describeLines(change, instructions, sides)}`]),
    ...(rest === 0 ? [] : [countOf(rest, 'other file')]),
  ];
}

function describeLines(change: SkillChange, file: FileChange, sides: Sides | undefined): string {
  if (file.isLineEnds === true) return ' (only line ends differ)';
  if (sides === undefined) return '';
  const { added, removed } = countLines(formatPatch(change, file, sides));
  return added + removed === 0 ? '' : ` (+${added} -${removed} lines)`;
}

/** One skill: open where a reviewer has something to decide, else folded. */
function formatChange(change: SkillChange, options: CommentOptions): string {
  const { kind, uri, fields = [], links = [], frontmatter } = change;
  const shown: FieldChange[] =
    kind === 'added' && frontmatter !== undefined
      ? ['allowed-tools', 'description'].flatMap((name) => {
          const after = frontmatter[name];
          return after === undefined ? [] : [{ name, after }];
        })
      : fields.filter((field) => !isOwnName(change, field));
  const parts = [
    ...shown.map((field) => `${toCode(escapeText(field.name))}\n${formatField(field, kind === 'added')}`),
    ...(links.length === 0 ? [] : [formatLinks(change)]),
  ];
  const path = toSkillPath(uri);
  if (parts.length === 0) return formatFiles(change, options, `${path} ${kind}: `);
  return [`#### ${toCode(path)} ${kind}${describeRefusal(change)}`, ...parts, formatFiles(change, options)].join(
    '\n\n',
  );
}

/** Skills of the new side that nobody gets. */
function formatRefused(refused: readonly string[]): string {
  if (refused.length === 0) return '';
  const names = refused.slice(0, ITEMS).map((uri) => toCode(toSkillPath(uri)));
  const more = refused.length > names.length ? ` and ${countOf(refused.length - names.length, 'more skill')}` : '';
  return `Not published and not compared, because of errors: ${names.join(', ')}${more}.`;
}

function formatLinks({ links = [] }: SkillChange): string {
  const rows = links
    .slice(0, ITEMS)
    .map(({ url, path }) => `- ${toCode(escapeText(url.slice(0, 200)))} in ${toCode(escapeText(path))}`);
  const more = links.length - rows.length;
  return [
    'Links to hosts that the skill did not link to before:',
    '',
    ...rows,
    ...(more > 0 ? [`- and ${countOf(more, 'more host')}`] : []),
  ].join('\n');
}

/** @param title - put before the count of files */
function formatFiles(change: SkillChange, { sides, isPatch }: CommentOptions, title = ''): string {
  const { shown, rest } = pickFiles(change);
  const rows = shown.map((file) => {
    const script = file.isScript ? ', a script' : '';
    return `- ${file.kind} ${toCode(escapeText(file.path))}: ${describeSize(file)}${describeLines(change, file, sides)}${script}`;
  });
  if (rest !== undefined) rows.push(`- ${rest}`);
  const patch = isPatch === true && sides !== undefined ? formatPatches(change, sides, { escape: true }) : '';
  const lines = [...rows, ...(patch === '' ? [] : ['', toFence('diff', patch)])];
  return fold(title + countOf(change.files.length, 'file'), lines.join('\n'));
}

/** The fingerprints whose approvals end. */
function formatRevoked(changes: readonly SkillChange[]): string {
  const revoked = changes.filter(({ revokes }) => revokes !== undefined);
  if (revoked.length === 0) return '';
  const rows = revoked
    .slice(0, ROWS)
    .map(({ uri, oldUri = uri, revokes = '' }) => `- ${toCode(toSkillPath(oldUri))} ${toCode(revokes)}`);
  const more = revoked.length - rows.length;
  if (more > 0) rows.push(`- and ${countOf(more, 'more skill')}`);
  return fold(`This revokes the approvals of ${countOf(revoked.length, 'skill')}`, rows.join('\n'));
}

function fold(title: string, body: string): string {
  return `<details><summary>${title}</summary>\n\n${body}\n\n</details>`;
}
