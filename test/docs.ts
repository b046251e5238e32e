import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CODES, type ProblemCode } from '../src/catalog/problems.ts';
import { escapeText } from '../src/report/escape.ts';
import { type Fixture, readGolden } from './fixtures.ts';

const CHAPTERS: readonly [title: string, first: ProblemCode][] = [
  ['Roots', 'root-missing'],
  ['Folders and files', 'folder-name'],
  ['SKILL.md', 'not-utf8'],
  ['Warnings', 'hidden-skipped'],
  ['Hosts', 'host-skill-count'],
];

const HEAD = `# Problems

Every problem that \`mcp-server-skills\` can report, by its code. An error keeps a skill from being published, a warning does not,
unless \`--strict\` is given. \`mcp-server-skills check --explain CODE\` prints a section of this page.

\`check --fix\` repairs what has exactly one safe repair, and leaves every other byte of the file as it is. Where a name and its folder
differ, \`--fix=name\` writes the folder's name into SKILL.md, and \`--fix=folder\` renames the folder. \`--dry-run\` prints the same as a
unified diff, and changes nothing. The warnings from \`broken-link\` to \`listing-budget\` and the limits of hosts are looked for by
\`check\` alone; the others are known to a server too.

This page is generated from the golden folders in \`test/fixtures/err\`, so every output in it is a real one.
`;

/** Lines of an example, of its longest line, and of its output, that are shown. */
const LINES = 12;
const COLUMNS = 200;
const OUTPUT_LINES = 24;

/** The first fixture of a code, made in `folder`, with its output. */
export interface Example {
  readonly fixture: Fixture;
  readonly folder: string;
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

function formatSection(code: ProblemCode, { fixture, folder }: Example): string {
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
    ...formatExample(code, output, folder),
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

/** The file that the problem points into, or what lies in the root. */
function formatExample(code: ProblemCode, output: string, folder: string): string[] {
  const place = output.split('\n').find((line) => line.endsWith(` [${code}]`)) ?? '';
  const path = /^(\S+?):\d+:\d+: /.exec(place)?.[1];
  const file = path === undefined ? undefined : join(folder, path);
  if (path !== undefined && file !== undefined && existsSync(file) && path.endsWith('.md')) {
    const lines = readFileSync(file, 'utf8').trimEnd().split(/\r?\n/);
    return [`\`${path}\`:`, toFence('markdown', cut(lines, LINES))];
  }
  return [];
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
