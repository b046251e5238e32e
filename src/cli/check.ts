import { isAbsolute } from 'node:path';
import type { RootReport } from '../judge/judge.ts';
import type { Side } from '../judge/repairs.ts';
import { lintListing } from '../lint/budget.ts';
import { type HostName, judgeHost, PROFILES } from '../lint/importers.ts';
import { toLint } from '../lint/lint.ts';
import { toMask } from '../lint/secrets.ts';
import { CODES, type Problem, type ProblemCode } from '../problems.ts';
import type { RepairOptions } from '../repair/plan.ts';
import { formatProblems, type ReportFormat } from '../report/format.ts';
import { escapeLines } from '../text/escape.ts';
import { isBlocking, isChosen, isShown } from './codes.ts';
import { readSections } from './explain.ts';
import { fixSkills, keepUnrepaired, showFixes, toWorkingPath } from './fix.ts';
import { requireRoots } from './here.ts';
import { type Judged, type JudgeRootsOptions, judgeRoots } from './judging.ts';
import { formatFiles } from './manifests.ts';
import { toStatus } from './status.ts';
import { summarize } from './summary.ts';
import { CommandError, EXIT, type Terminal } from './terminal.ts';

/** The options of `check`. */
export interface CheckOptions extends Pick<JudgeRootsOptions, 'nested' | 'pathFrom'> {
  readonly exclude: readonly string[];
  readonly format: ReportFormat;
  readonly strict?: boolean;
  /** What `--fix` was asked for beside what is always safe. */
  readonly fix?: readonly Side[];
  readonly dryRun?: boolean;
  readonly host?: HostName;
  /** Empty: all. */
  readonly select: readonly ProblemCode[];
  readonly ignore: readonly ProblemCode[];
  /** How many problems are printed. */
  readonly max?: number;
  readonly files?: boolean;
  readonly explain?: ProblemCode;
}

/** How many problems are printed for people where nobody asked for another number. */
const MAX_SHOWN = 200;

/** Judges the roots and prints what is wrong on stdout; publishes nothing, and changes nothing but what `--fix` repairs. */
export async function runCheck(args: readonly string[], options: CheckOptions, terminal: Terminal): Promise<number> {
  if (options.explain !== undefined) return explainCode(options.explain, terminal);
  requireSense(args, options, terminal);
  const roots = requireRoots(args, terminal);
  const isWanted = (problem: Problem) => isChosen(problem, options);
  const judge = () =>
    judgeRoots(
      roots,
      { ...options, toLint, isChosen: isWanted, judgeAll: (reports) => judgeAll(reports, options) },
      terminal,
    );
  const judged = await judge();
  if (options.fix === undefined) return report(judged, options, terminal);

  const repair: RepairOptions = { sides: options.fix, isWanted };
  if (options.dryRun === true) {
    showFixes(judged, repair, terminal);
    return toStatus(keepUnrepaired(judged, choose(judged, options), repair));
  }
  const isDone = await fixSkills(judged, repair, terminal);
  const status = report(await judge(), options, terminal);
  return isDone ? status : Math.max(status, EXIT.problems);
}

function requireSense(
  roots: readonly string[],
  { fix, dryRun, files, format }: CheckOptions,
  { env }: Pick<Terminal, 'env'>,
): void {
  // what is changed is to be named
  if (fix !== undefined && roots.length === 0 && !env['SKILLS_DIR']) {
    throw new CommandError(EXIT.usage, '--fix needs the folder whose skills it is to repair');
  }
  if (dryRun === true && fix === undefined) throw new CommandError(EXIT.usage, '--dry-run belongs to --fix');
  if (dryRun === true && format !== 'pretty') {
    throw new CommandError(EXIT.usage, `--dry-run prints a diff, not ${format}: leave --format out`);
  }
  if (files === true && format !== 'pretty') {
    throw new CommandError(EXIT.usage, `--files is for people: "list --json" prints the files with their digests`);
  }
}

function explainCode(code: ProblemCode, { output, home }: Terminal): number {
  output.write(`${code}\n\n${readSections(home).get(code) ?? CODES[code].title}\n`);
  return EXIT.well;
}

function judgeAll(reports: readonly RootReport[], { host }: CheckOptions): Problem[][] {
  const ofListing = lintListing(reports);
  const ofHost = host === undefined ? [] : judgeHost(reports, PROFILES[host]);
  return reports.map((_, at) => [...(ofListing[at] ?? []), ...(ofHost[at] ?? [])]);
}

function choose({ problems }: Judged, options: CheckOptions): Problem[] {
  return problems.filter((problem) => isShown(problem, options));
}

function report(judged: Judged, options: CheckOptions, terminal: Terminal): number {
  const { output, env, version, home, cwd } = terminal;
  const { format, files, max } = options;
  const problems = choose(judged, options);
  warnOfIgnored(problems, options, terminal);
  const shown = maskProblems(judged, problems);
  // code scanning and annotations know paths in the repository alone, whatever folder of it a workflow works in
  const isForFiles = format === 'sarif' || format === 'github';
  const workspace = env['GITHUB_WORKSPACE'] || cwd;
  const repository = isAbsolute(toWorkingPath('.', cwd, workspace)) ? cwd : workspace;
  const isForPeople = format === 'pretty' || format === 'github';
  if (files === true) output.write(`${formatFiles(judged.reports, judged.skills)}\n`);
  const sections = format === 'sarif' ? readSections(home) : undefined;
  output.write(
    formatProblems(shown.problems, {
      format,
      base: isForFiles ? ({ root = '' }) => toWorkingPath(root, cwd, repository) : ({ root = '' }) => root,
      sourceOf: shown.sourceOf,
      color: output.isTTY === true && !env['NO_COLOR'],
      max: max ?? (isForPeople ? MAX_SHOWN : undefined),
      roots: judged.reports.map(({ root: { path, prefix } }) => ({ path, prefix })),
      skills: judged.skills,
      version,
      helpOf: (code) => sections?.get(code),
    }),
  );
  if (format === 'pretty')
    for (const line of summarize(judged, problems, options.host)) output.write(`${escapeLines(line)}\n`);
  return toStatus(problems);
}

/** Says which codes were asked to be ignored and are not. */
function warnOfIgnored(problems: readonly Problem[], { ignore }: CheckOptions, { error }: Terminal): void {
  for (const code of new Set(ignore)) {
    if (!isBlocking(code) || !problems.some((problem) => problem.code === code)) continue;
    error.write(
      `mcp-server-skills: --ignore ${code}: an error that keeps a skill from being published is not ignored\n`,
    );
  }
}

/** Problems and source lines without anything that looks like a secret: other problems quote what stands in a file. */
function maskProblems(judged: Judged, problems: readonly Problem[]): Pick<Judged, 'problems' | 'sourceOf'> {
  // whether a secret is reported or not, it is not printed
  const holders = new Set(judged.problems.filter(({ code }) => code === 'secret').map(({ skill }) => skill));
  const masks = new Map<string, { readonly mask: (text: string) => string; readonly masked: string }>();
  const toMasked = (source: string) => {
    const known = masks.get(source);
    if (known !== undefined) return known;
    const mask = toMask(source);
    const made = { mask, masked: mask(source) };
    masks.set(source, made);
    return made;
  };
  const maskOf = (problem: Problem) => {
    const source = holders.has(problem.skill) ? judged.sourceOf(problem) : undefined;
    return source === undefined ? undefined : toMasked(source);
  };
  return {
    problems: problems.map((problem) => {
      const { mask } = maskOf(problem) ?? {};
      const { message, hint } = problem;
      return mask === undefined
        ? problem
        : { ...problem, message: mask(message), ...(hint === undefined ? {} : { hint: mask(hint) }) };
    }),
    sourceOf: (problem) => maskOf(problem)?.masked ?? judged.sourceOf(problem),
  };
}
