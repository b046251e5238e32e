import { createHash } from 'node:crypto';
import { CODES, compareText, type Problem, type ProblemCode } from '../problems.ts';
import { escapeText, toJson } from '../text/escape.ts';
import { isRecord } from '../text/jsonvalue.ts';
import { arrangeProblems, type Base, limitProblems, type PlacedProblem } from './arrange.ts';

export interface SarifOptions {
  /** `/`-separated and relative to the root of the repository, so that a viewer finds the files. */
  readonly base?: Base | undefined;
  /** How many results to print; all by default. */
  readonly max?: number | undefined;
  /** The version of this package. */
  readonly version?: string | undefined;
  /** What a code means and how to repair it, in Markdown; a sentence made of its title by default. */
  readonly helpOf?: ((code: ProblemCode) => string | undefined) | undefined;
}

const SCHEMA = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';
const HOME = 'https://www.npmjs.com/package/mcp-server-skills';

/** For code scanning: SARIF 2.1.0, one run with the rules that occur and one result a problem. */
export function formatSarif(problems: readonly Problem[], options: SarifOptions = {}): string {
  const placed = limitProblems(arrangeProblems(problems, options.base), options.max);
  const codes = [...new Set(placed.map(({ problem }) => problem.code))].sort(compareText);
  const indexes = new Map(codes.map((code, index) => [code, index]));
  const seen = new Map<string, number>();
  return formatRun(
    codes.map((code) => toRule(code, CODES[code], `mcp-server-skills check --explain ${code}`, options.helpOf?.(code))),
    placed.map((each) => toResult(each, indexes, seen)),
    options.version,
  );
}

/** One run of this program as SARIF 2.1.0. */
export function formatRun(rules: readonly object[], results: readonly object[], version: string | undefined): string {
  return toJson({
    $schema: SCHEMA,
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'mcp-server-skills', semanticVersion: version, informationUri: HOME, rules } },
        columnKind: 'utf16CodeUnits',
        results,
      },
    ],
  });
}

/**
 * What a code means.
 *
 * @param more - where there is more to read
 * @param help - how to repair it, in Markdown; made of the title and `more` by default
 */
export function toRule(
  code: string,
  { severity, title }: { readonly severity: 'error' | 'warning'; readonly title: string },
  more: string,
  help?: string,
): object {
  const sentence = `${title.charAt(0).toUpperCase()}${title.slice(1)}.`;
  return {
    id: code,
    shortDescription: { text: sentence },
    fullDescription: { text: sentence },
    help: {
      text: help ?? `${sentence} More: ${more}`,
      markdown: help ?? `${sentence} More: \`${more}\``,
    },
    helpUri: `${HOME}#${code}`,
    defaultConfiguration: { level: severity },
    properties: { precision: 'very-high', 'problem.severity': severity, tags: ['agent-skills'] },
  };
}

function toResult(placed: PlacedProblem, indexes: ReadonlyMap<ProblemCode, number>, seen: Map<string, number>): object {
  const { problem } = placed;
  return {
    ruleId: problem.code,
    ruleIndex: indexes.get(problem.code),
    level: problem.severity,
    message: { text: toSarifText(problem) },
    locations: [{ physicalLocation: { artifactLocation: { uri: toUri(toFile(placed)) }, region: toRegion(problem) } }],
    // A name of our own: GitHub's primaryLocationLineHash is computed by its upload action, which complains about others.
    partialFingerprints: { 'skillProblem/v2': toFingerprint(placed, seen) },
  };
}

/** Plain text in which nothing is read as a placeholder (§3.11.5) or as an embedded link (§3.11.6). */
export function toSarifText({ message, hint }: { readonly message: string; readonly hint?: string }): string {
  const lines = hint === undefined ? [message] : [message, ...`hint: ${hint}`.split(/\r?\n/)];
  return lines
    .map(escapeText)
    .join('\n')
    .replace(/\{(\d+)\}/g, '{{$1}}')
    .replace(/\[(?=[^[\]]*\]\()/g, '\\[');
}

/** Viewers open files, not folders: a problem of a skill's folder is shown at its SKILL.md. */
function toFile({ problem, path }: PlacedProblem): string {
  // of a root that is one skill, the folder is the root
  const isFolder =
    problem.skill !== undefined && (problem.path === '.' || problem.skill.endsWith(`/${problem.path}/SKILL.md`));
  return isFolder ? `${path}/SKILL.md` : path;
}

function toUri(path: string): string {
  const segments = path.split('/').filter((segment, at) => segment !== '.' && (segment !== '' || at === 0));
  // encodeURIComponent throws on a lone surrogate, which a file name on Windows may hold.
  const uri = segments.map((segment) => encodeURIComponent(segment.replace(/\p{Cs}/gu, '\ufffd'))).join('/');
  if (path.startsWith('/')) return `file://${uri}`;
  // A drive letter would read as a scheme.
  if (/^[A-Za-z]:\//.test(path)) return `file:///${path.slice(0, 2)}${uri.slice(4)}`;
  return uri === '' ? '.' : uri;
}

function toRegion({ line = 1, column, length }: Problem): object {
  if (column === undefined) return { startLine: line };
  const endColumn = length === undefined ? undefined : column + length;
  return { startLine: line, startColumn: column, endColumn };
}

/** The same when lines move, a count changes or a sentence is rewritten; problems that only numbers tell apart are counted. */
function toFingerprint({ problem, path }: PlacedProblem, seen: Map<string, number>): string {
  // without what only the hint needs
  const { repair: _, ...args } = problem.args ?? {};
  const hash = createHash('sha256')
    .update(JSON.stringify([problem.code, path, toIdentity(args)]))
    .digest('hex')
    .slice(0, 32);
  const count = (seen.get(hash) ?? 0) + 1;
  seen.set(hash, count);
  return `${hash}:${count}`;
}

/** Arguments without numbers, in the order of their names. */
function toIdentity(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toIdentity);
  if (!isRecord(value)) return typeof value === 'number' ? undefined : value;
  const names = Object.keys(value).sort(compareText);
  return names.map((name) => [name, toIdentity(value[name])]);
}
