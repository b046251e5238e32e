import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import picomatch from 'picomatch';
import type { ManifestEntry } from '../catalog/foreign.ts';
import { type HostName, PROFILES } from '../lint/importers.ts';
import { countEdits } from '../text/distance.ts';
import { escapeLines } from '../text/escape.ts';
import { CHECKS } from '../verify/checks.ts';
import type { Era } from '../verify/dialogue.ts';
import { judgeExpected } from '../verify/expected.ts';
import { judgeImport } from '../verify/importer.ts';
import { formatJunit } from '../verify/junit.ts';
import { formatReport, formatReportJson, type PrintOptions, severityOf } from '../verify/print.ts';
import { formatResults } from '../verify/results.ts';
import { type VerifyOptions, type VerifyReport, verifyServer } from '../verify/verification.ts';
import { ConnectionError } from '../verify/wire.ts';
import { readLockFile } from './locked.ts';
import { openTarget, type TargetOptions } from './reached.ts';
import { CommandError, EXIT, type Terminal } from './terminal.ts';

/** The options of `verify`. */
export interface VerifyFlags extends TargetOptions {
  readonly minSkills: number;
  readonly partial?: boolean;
  readonly allowDynamic?: boolean;
  readonly host?: HostName;
  readonly expect?: string;
  readonly strict?: boolean;
  readonly format: 'pretty' | 'json' | 'sarif' | 'junit';
  readonly output?: string;
  readonly select: readonly string[];
  readonly ignore: readonly string[];
}

/** How many problems are printed for people. */
const MAX_SHOWN = 200;

const MAX_CONCURRENCY = 16;

/** Verifies a server, and prints what is wrong with it. */
export async function runVerify(
  operands: readonly string[],
  args: readonly string[],
  flags: VerifyFlags,
  terminal: Terminal,
): Promise<number> {
  requireCodes([...flags.select, ...flags.ignore]);
  const target = await openTarget(operands, args, flags, terminal);
  const options = {
    ...toVerifyOptions(flags, terminal),
    minSkills: flags.minSkills,
    ...(await toJudge(flags, terminal)),
  };
  const report = chooseFaults(await reach(() => verifyServer(target.connect, options)), flags);
  const { strict = false, partial = false } = flags;
  await printReport(report, { target: target.label, isStrict: strict }, flags, terminal);
  const isPartial = report.problems.some(({ code }) => code === 'not-verified');
  const isWrong = report.problems.some((fault) => severityOf(fault, strict) === 'error');
  return isWrong || (isPartial && !partial) ? EXIT.problems : EXIT.well;
}

/** What is judged beside the specification: the limits of a host, and a lock. */
async function toJudge(
  { host, expect, skill }: VerifyFlags,
  terminal: Terminal,
): Promise<Pick<VerifyOptions, 'judge' | 'judged' | 'expected'>> {
  const profile = host === undefined ? undefined : PROFILES[host];
  const locked = expect === undefined ? undefined : await readExpected(expect, skill, terminal);
  return {
    judged: [
      ...(locked === undefined ? [] : (['lock'] as const)),
      ...(profile === undefined ? [] : (['host'] as const)),
    ],
    judge: ({ skills }) => [
      ...(profile === undefined ? [] : judgeImport(skills, profile)),
      ...(locked === undefined
        ? []
        : judgeExpected(
            skills.map((each) => each.skill),
            locked,
          )),
    ],
    expected: locked?.map(({ uri }) => uri) ?? [],
  };
}

async function readExpected(
  file: string,
  glob: string | undefined,
  terminal: Terminal,
): Promise<readonly ManifestEntry[]> {
  const found = await readLockFile(file, terminal);
  if (found === undefined) throw new CommandError(EXIT.usage, `there is no lock file "${file}"`);
  const isWanted = toFilter(glob);
  return found.lock.skills.filter(({ uri }) => isWanted(uri));
}

/** Whether a skill is chosen, by the URI of its SKILL.md. */
export function toFilter(glob: string | undefined): (uri: string) => boolean {
  if (glob === undefined) return () => true;
  const matches = picomatch(glob);
  return (uri) => matches(uri.replace(/^[^:]*:\/\//, '').replace(/\/SKILL\.md$/, ''));
}

/** What of a server is read, from the options that all commands of the host's side share. */
export function toVerifyOptions(
  options: TargetOptions,
  { version, signal }: Terminal,
): Omit<VerifyOptions, 'minSkills'> {
  const { era, skill, unlisted, maxSkills, maxBytes, timeout, startTimeout } = options;
  const eras: readonly Era[] = era === 'both' ? ['modern', 'legacy'] : [era];
  const isWanted = toFilter(skill);
  const concurrency = Math.min(options.concurrency, MAX_CONCURRENCY);
  return { version, signal, eras, isWanted, unlisted, maxSkills, maxBytes, concurrency, timeout, startTimeout };
}

/** Does something with a server. That it cannot be reached is a failure of its own kind. */
export async function reach<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof ConnectionError) throw new CommandError(EXIT.failure, error.message, { cause: error });
    throw error;
  }
}

function requireCodes(codes: readonly string[]): void {
  const known = Object.keys(CHECKS);
  const unknown = codes.find((code) => !known.includes(code));
  if (unknown === undefined) return;
  const [nearest] = known.map((code) => ({ code, edits: countEdits(unknown, code) })).sort((a, b) => a.edits - b.edits);
  const isNear = nearest !== undefined && nearest.edits <= nearest.code.length / 3;
  const hint = isNear ? `did you mean ${nearest.code}?` : 'docs/verify.md has them all';
  throw new CommandError(EXIT.usage, `there is no code "${unknown}": ${hint}`);
}

function chooseFaults(report: VerifyReport, { select, ignore, allowDynamic = false }: VerifyFlags): VerifyReport {
  const problems = report.problems.filter(
    ({ code }) =>
      (select.length === 0 || select.includes(code)) && !ignore.includes(code) && !(allowDynamic && code === 'dynamic'),
  );
  return { ...report, problems };
}

async function printReport(
  report: VerifyReport,
  print: PrintOptions,
  { format, output: file }: VerifyFlags,
  { output, env, cwd, version }: Terminal,
): Promise<void> {
  const color = output.isTTY === true && !env['NO_COLOR'];
  const forPeople = () => formatReport(report, { ...print, color, max: MAX_SHOWN });
  const text = {
    pretty: () => (file === undefined ? forPeople() : formatReport(report, print)),
    json: () => formatReportJson(report, print),
    sarif: () => formatResults(report, print, version),
    junit: () => formatJunit(report, print),
  }[format]();
  if (file !== undefined) {
    await writeFile(resolve(cwd, file), text).catch((error: Error) => {
      throw new CommandError(EXIT.failure, escapeLines(`the report cannot be written: ${error.message}`));
    });
  }
  // the process ends when all of it was taken
  await new Promise<void>((done) => output.write(file === undefined ? text : forPeople(), () => done()));
}
