import { type Dirent, existsSync, readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { CODES, type ProblemCode } from '../src/problems.ts';
import { escapeText } from '../src/text/escape.ts';
import { type Fixture, readGolden } from './fixtures.ts';

const CHAPTERS: readonly [title: string, first: ProblemCode][] = [
  ['Roots', 'root-missing'],
  ['Folders and files', 'folder-name'],
  ['SKILL.md', 'link-as-text'],
  ['Warnings', 'folder-ignored'],
  ['Hosts', 'host-skill-count'],
];

const HEAD = `# Problems

This page has every problem that \`mcp-server-skills\` can report, by its code. An error keeps a skill from being published. A warning does
not, unless you give \`--strict\`. \`mcp-server-skills check --explain CODE\` prints a section of this page.

\`check --fix\` repairs every problem that has exactly one safe repair, and leaves every other byte of the file as it is. When a name and its
folder differ, \`--fix=name\` writes the folder's name into SKILL.md, and \`--fix=folder\` renames the folder with everything in it.
\`--fix=metadata\` writes nested values of the metadata as JSON strings. Values combine: \`--fix=name,metadata\`. \`--dry-run\` prints the
repairs as a unified diff, in which only published files move, and changes nothing.

\`check\` and \`serve --strict\` look for the warnings from \`broken-link\` to \`listing-budget\`, and \`check --host\` for the limits of hosts.
Every server knows the other problems. At most 100 problems of one code are listed for one file. One more problem counts the others:
\`count\` in \`--format json\`.

This page is generated from the golden folders in \`test/fixtures/err\`, so every output on it is real.
`;

/** Lines of an example, of its longest line, and of its output, that are shown. */
const LINES = 12;
const COLUMNS = 200;
const OUTPUT_LINES = 24;

/** Entries of one folder that a tree shows. */
const ENTRIES = 6;
/** Bytes from which on a tree says how many a file has. */
const LARGE = 100_000;

/** The first fixture of a code, made in `folder`, with its output. */
export interface Example {
  readonly fixture: Fixture;
  readonly folder: string;
  /** What lay in the folder before anything was done to it. */
  readonly tree: readonly string[];
}

/** The names below a folder, a line each. */
export function listTree(folder: string, indent = ''): string[] {
  const entries = readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => name !== '.git')
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const more = entries.length - ENTRIES;
  const lines = entries
    .slice(0, more > 1 ? ENTRIES : undefined)
    .flatMap((entry) => [
      `${indent}${entry.name}${describeEntry(entry)}`,
      ...(entry.isDirectory() ? listTree(join(folder, entry.name), `${indent}  `) : []),
    ]);
  return more > 1 ? [...lines, `${indent}… and ${more} more`] : lines;
}

function describeEntry(entry: Dirent): string {
  const path = join(entry.parentPath, entry.name);
  if (entry.isDirectory()) return '/';
  if (entry.isSymbolicLink()) return ` -> ${readlinkSync(path)}`;
  if (entry.isFIFO()) return ' (a FIFO)';
  const { size, mode } = statSync(path);
  if ((mode & 0o400) === 0) return ' (mode 000)';
  return size < LARGE ? '' : ` (${size.toLocaleString('en-US')} bytes)`;
}

/** `docs/problems.md` as it has to be. */
export function formatDocs(examples: ReadonlyMap<ProblemCode, Example>): string {
  const codes = Object.keys(CODES) as ProblemCode[];
  const rows = codes.map((code) => `| [\`${code}\`](#${code}) | ${CODES[code].severity} | ${CODES[code].title} |`);
  const parts = [HEAD, `| code | | |\n| --- | --- | --- |\n${rows.join('\n')}\n`];
  for (const code of codes) {
    const chapter = CHAPTERS.find(([, first]) => first === code);
    if (chapter !== undefined) parts.push(`## ${chapter[0]}\n`);
    const example = examples.get(code);
    if (example !== undefined) parts.push(formatSection(code, example));
  }
  return parts.join('\n');
}

function formatSection(code: ProblemCode, example: Example): string {
  const { fixture } = example;
  const [meaning = '', repair = ''] = readGolden(fixture, 'explain.md').trim().split('\n\nRepair: ');
  const output = readGolden(fixture, 'check.txt');
  const { severity, title } = CODES[code];
  const command = [
    'mcp-server-skills check',
    ...(fixture.setting.roots ?? ['skills']),
    ...(fixture.setting.options ?? []),
  ];
  return [
    `### ${code}`,
    `*${severity}: ${title}*`,
    meaning,
    ...formatExample(code, output, example),
    toFence('text', [`$ ${command.join(' ')}`, ...cut(output.trimEnd().split('\n'), OUTPUT_LINES)]),
    `**Repair.** ${repair}${toFixNote(fixture)}`,
    '',
  ]
    .join('\n\n')
    .replace(/\n+$/, '\n');
}

function toFixNote(fixture: Fixture): string {
  if (readGolden(fixture, 'fix.diff') !== '') return ' `check --fix` does this.';
  return '';
}

/** The file that the problem points into, or what lies in the folder. */
function formatExample(code: ProblemCode, output: string, { folder, tree }: Example): string[] {
  const place = output.split('\n').find((line) => line.endsWith(` [${code}]`)) ?? '';
  const path = /^(\S+?):\d+:\d+: /.exec(place)?.[1];
  const file = path === undefined ? undefined : join(folder, path);
  if (path !== undefined && file !== undefined && existsSync(file) && path.endsWith('.md')) {
    const lines = readFileSync(file, 'utf8').trimEnd().split(/\r?\n/);
    return [`\`${path}\`:`, toFence('markdown', cut(lines, LINES))];
  }
  return tree.length === 0 ? ['In an empty folder:'] : ['In a folder with:', toFence('text', tree.map(escapeText))];
}

function cut(lines: readonly string[], most: number): string[] {
  const shown = lines.map((line) => {
    const text = escapeText(line);
    return text.length > COLUMNS ? `${text.slice(0, COLUMNS)}…` : text;
  });
  return shown.length > most ? [...shown.slice(0, most - 1), '…'] : shown;
}

function toFence(language: string, lines: readonly string[]): string {
  const longest = Math.max(2, ...lines.map((line) => /`{3,}/.exec(line)?.[0].length ?? 0));
  const fence = '`'.repeat(longest + 1);
  return [`${fence}${language}`, ...lines, fence].join('\n');
}
