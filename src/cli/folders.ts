import { stat } from 'node:fs/promises';
import type { Problem } from '../catalog/problems.ts';
import { judgeSkills, type RootReport } from '../catalog/reports.ts';
import { parseRoot } from '../catalog/roots.ts';
import type { Where } from '../config/host.ts';
import { toFolder } from '../config/launch.ts';
import { countOf } from '../report/count.ts';
import { quoteArgument } from './judge.ts';

export interface FolderOptions {
  /** What the options of `serve` leave out. */
  exclude?: readonly string[] | undefined;
  /** Whether the options of `serve` make an error of one skill the end of all. */
  isFatal?: boolean | undefined;
}

/** What the server will make of the roots: a line for each, since a host says no more than that it failed to connect. */
export async function describeRoots(
  roots: readonly string[],
  options: FolderOptions,
  where: Where & { /** This command's own file. */ bin: string },
): Promise<string[]> {
  if (roots.length === 0) return ['no root: the server will publish $SKILLS_DIR, else its example'];
  const lines: string[] = [];
  for (const root of roots) lines.push(await describeRoot(root, options, where));
  return lines;
}

async function describeRoot(root: string, options: FolderOptions, where: Where & { bin: string }): Promise<string> {
  const folder = toFolder(root, where);
  const isFolder = await stat(folder).then(
    (status) => status.isDirectory(),
    () => false,
  );
  if (!isFolder) return `warning: "${folder}" is not a folder: the server will not start without it`;
  const { prefix = '' } = parseRoot(root);
  const [report] = await judgeSkills({ path: folder, prefix }, { exclude: [...(options.exclude ?? [])] });
  return report === undefined ? '' : describeReport(root, report, options, where.bin);
}

function describeReport(
  root: string,
  { skills, problems }: RootReport,
  { isFatal = false, exclude = [] }: FolderOptions,
  bin: string,
): string {
  const errors = problems.filter(({ severity }) => severity === 'error');
  const count = countOf(skills.length, 'skill');
  const [first] = errors;
  if (first === undefined) return `checked ${root}: ${count}, no errors`;
  const left = skills.filter(({ pinned }) => pinned === undefined).length;
  const isNothing = isFatal || left === skills.length;
  const what = isNothing
    ? 'the server will not start'
    : left === 0
      ? 'the skills are served'
      : `${left} of ${count} left out`;
  const command = [
    ...(isFromNpx(bin) ? ['npx'] : []),
    'mcp-server-skills check',
    ...[root, ...exclude.flatMap((glob) => ['--exclude', glob])].map(quoteArgument),
  ];
  const more = errors.length === 1 ? '' : ` (${errors.length} errors)`;
  return `warning: ${what}: ${toPlace(root, first)}: ${first.message}${more}; see: ${command.join(' ')}`;
}

function toPlace(root: string, { path, line, column }: Problem): string {
  const { path: base } = parseRoot(root);
  const place = path === '.' ? base : `${base.replace(/(?<=.)\/+$/, '')}/${path}`;
  return line === undefined ? place : `${place}:${line}:${column}`;
}

/** Whether npx brought this command: it keeps what it downloads in a folder that it, and the user, may empty at any time. */
export function isFromNpx(bin: string): boolean {
  return /[\\/]_npx[\\/]/.test(bin);
}
