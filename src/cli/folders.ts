import type { Where } from '../config/host.ts';
import { toFolder } from '../config/launch.ts';
import { parseRoot } from '../disk/roots.ts';
import { isFatal, type JudgeOptions, judgeSkills, type RootReport } from '../judge/judge.ts';
import type { Problem } from '../problems.ts';
import { countOf } from '../text/count.ts';
import { quoteArgument } from '../text/shell.ts';
import { listFolderFlags } from './flags.ts';
import { readSource } from './opening.ts';

/** What the options of `serve` that an entry holds make of a folder. */
export interface FolderOptions extends Pick<JudgeOptions, 'nested' | 'pathFrom'> {
  /** Globs that are left out. */
  exclude?: readonly string[] | undefined;
  /** `fail` where an error of one skill is the end of all; `skip` by default, as on stdio. */
  invalid?: 'fail' | 'skip' | undefined;
  /** Whether warnings count as errors. */
  isStrict?: boolean | undefined;
}

/** What the server will make of the roots: a line for each, since a host says no more than that it failed to connect. */
export async function describeRoots(
  roots: readonly string[],
  options: FolderOptions,
  where: Where & { /** This command's own file. */ bin: string },
): Promise<string[]> {
  if (roots.length === 0) return ['no root: the server will publish $SKILLS_DIR, else its example'];
  const lints = options.isStrict === true ? await import('../lint/lint.ts') : undefined;
  const lines: string[] = [];
  for (const root of roots) {
    const { prefix = '', path } = parseRoot(root);
    if (readSource(path, where.cwd) !== undefined) {
      lines.push(`not checked: ${root}: the server opens it when it starts`);
      continue;
    }
    const exclude = [...(options.exclude ?? [])];
    const { nested, pathFrom } = options;
    const reports = await judgeSkills(
      { path: toFolder(root, where), prefix },
      {
        exclude,
        toLint: lints?.toLint,
        ...(nested === undefined ? {} : { nested }),
        ...(pathFrom === undefined ? {} : { pathFrom }),
      },
    );
    lines.push(describeReports(root, reports, options, where.bin));
  }
  return lines;
}

function describeReports(
  root: string,
  reports: readonly RootReport[],
  { exclude = [], invalid = 'skip', isStrict = false, nested, pathFrom }: FolderOptions,
  bin: string,
): string {
  const isError = ({ severity }: Problem) => isStrict || severity === 'error';
  const errors = reports.flatMap(({ problems }) => problems).filter(isError);
  const skills = reports.flatMap((report) => report.skills);
  const count = countOf(skills.length, 'skill');
  const isRootless = isFatal(reports, 'skip');
  // the one that says why the server does not start, or why a skill is left out
  const isTelling = ({ path, skill }: Problem) => (isRootless ? path === '.' : skill !== undefined);
  const first = errors.find(isTelling) ?? errors[0];
  if (first === undefined) return `checked ${root}: ${count}, no errors`;
  const left = skills.filter(({ pinned, problems }) => pinned === undefined || problems.some(isError)).length;
  const isEnd = invalid === 'fail' || isRootless || left === skills.length;
  const what = isEnd ? 'the server will not start' : left === 0 ? `${count} served` : `${left} of ${count} left out`;
  const command = [
    ...(isFromNpx(bin) ? ['npx'] : []),
    'mcp-server-skills check',
    ...[root, ...(isStrict ? ['--strict'] : []), ...listFolderFlags({ exclude, nested, pathFrom })].map(quoteArgument),
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
