import { formatAnnotations } from '../lock/annotate.ts';
import { formatComment } from '../lock/comment.ts';
import { type CatalogDiff, compareCatalogs } from '../lock/compare.ts';
import { formatDiffText } from '../lock/describe.ts';
import { formatPatches, type Sides } from '../lock/patches.ts';
import { disarmLine, toJson } from '../text/escape.ts';
import { toWorkingPath } from './fix.ts';
import { readSide, type Side, type SideOptions } from './sides.ts';
import { CommandError, EXIT, type Terminal } from './terminal.ts';

/** The options of `diff`. */
export interface DiffOptions extends SideOptions {
  readonly format: 'pretty' | 'json' | 'markdown' | 'github';
  readonly patch?: boolean;
  readonly exitCode?: boolean;
}

/** Prints how two catalogs differ, and which approvals end. */
export async function runDiff(old: string, now: string, options: DiffOptions, terminal: Terminal): Promise<number> {
  const { format, patch: isPatch = false, exitCode = false } = options;
  if (isPatch && format === 'github') {
    throw new CommandError(EXIT.usage, '--patch belongs to pretty, json and markdown: annotations show no files');
  }
  const before = await readSide(old, options, terminal);
  const after = await readSide(now, options, terminal);
  const sides =
    hasContents(before) && hasContents(after) ? { before: before.catalog, after: after.catalog } : undefined;
  if (isPatch && sides === undefined) {
    const bare = hasContents(before) ? now : old;
    throw new CommandError(
      EXIT.usage,
      `--patch needs contents, and "${bare}" has digests only: pass a folder, or the output of list --bytes`,
    );
  }
  const diff = compareCatalogs(before.catalog, after.catalog);
  terminal.output.write(formatDiffAs(diff, { format, sides, isPatch, old, now, after, terminal }));
  return exitCode && !diff.isEqual ? EXIT.problems : EXIT.well;
}

function hasContents({ catalog }: Side): boolean {
  return catalog.read !== undefined;
}

interface Printing {
  readonly format: DiffOptions['format'];
  readonly sides: Sides | undefined;
  readonly isPatch: boolean;
  readonly old: string;
  readonly now: string;
  readonly after: Side;
  readonly terminal: Terminal;
}

function formatDiffAs(diff: CatalogDiff, printing: Printing): string {
  const { format, sides, isPatch, after, terminal } = printing;
  const { cwd, env } = terminal;
  if (format === 'markdown') return formatComment(diff, { sides, isPatch });
  if (format === 'json') return formatJson(diff, printing);
  if (format === 'github') {
    const repository = env['GITHUB_WORKSPACE'] || cwd;
    return formatAnnotations(diff, (uri) => {
      const place = after.placeOf?.(uri);
      return place && toWorkingPath(place, cwd, repository);
    });
  }
  const patches = isPatch && sides !== undefined ? formatAll(diff, sides, terminal) : '';
  return `${formatDiffText(diff)}${patches === '' ? '' : `\n${patches}`}`;
}

/** Escaped where it is looked at; in a file it can be applied. */
function formatAll({ changes }: CatalogDiff, sides: Sides, { output, env }: Terminal): string {
  const text = changes.map((change) => formatPatches(change, sides, { escape: output.isTTY === true })).join('');
  return env['GITHUB_ACTIONS'] ? text.split('\n').map(disarmLine).join('\n') : text;
}

function formatJson(diff: CatalogDiff, { old, now, sides, isPatch }: Printing): string {
  const { from, to, isEqual, changes, unchanged, refused } = diff;
  return toJson({
    version: 1,
    equal: isEqual,
    old: { path: old, digest: from },
    new: { path: now, digest: to },
    skills: changes.map(({ frontmatter: _, ...change }) => ({
      ...change,
      ...(isPatch && sides !== undefined ? { patch: formatPatches(change, sides) } : {}),
    })),
    refused,
    summary: { ...countKinds(diff), unchanged },
  });
}

function countKinds({ changes }: CatalogDiff): Record<string, number> {
  const count = (kind: string) => changes.filter((change) => change.kind === kind).length;
  return { added: count('added'), removed: count('removed'), renamed: count('renamed'), changed: count('changed') };
}
