import { execFileSync } from 'node:child_process';
import { EventEmitter } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { runCommand } from '../src/cli/main.ts';
import type { Terminal } from '../src/cli/terminal.ts';
import { judgeSkills } from '../src/judge/judge.ts';
import type { Lint } from '../src/judge/skill.ts';
import { guardLint } from '../src/lint/lint.ts';
import { CODES, type ProblemCode } from '../src/problems.ts';
import { formatProblems } from '../src/report/format.ts';
import type { Outcome } from './command.ts';

const HOME = fileURLToPath(new URL('..', import.meta.url));
const FOLDER = join(HOME, 'test', 'fixtures', 'err');

/** What Git cannot hold, or what would be long: written by code. `{n}` in a path or text is the number of the copy or repetition. */
type Made =
  | string
  | { readonly base64: string }
  /** A text in pieces, so that it stands nowhere as a whole. */
  | { readonly join: readonly string[] }
  | { readonly link: string }
  | { readonly fifo: true }
  /** A sparse file of so many bytes. */
  | { readonly size: number; readonly copies?: number }
  | {
      readonly text: string;
      readonly copies?: number;
      readonly append?: string;
      readonly times?: number;
      readonly mode?: string;
    };

/** `case.json` of a fixture: what its folder alone does not say. */
interface Case {
  /** `skills` by default. */
  readonly roots?: readonly string[];
  readonly options?: readonly string[];
  readonly tree?: Readonly<Record<string, Made>>;
  /** A file that vanishes while the folder is read. */
  readonly removes?: string;
  /** A file, relative to its root, that no lint can read to its end: none is known, so the lint is one that fails. */
  readonly fails?: string;
}

/** A golden folder: an input that breaks a rule, and what `check` says about it. */
export interface Fixture {
  readonly id: string;
  readonly code: ProblemCode;
  readonly folder: string;
  readonly setting: Case;
}

export function readFixtures(): Fixture[] {
  return readdirSync(FOLDER)
    .sort()
    .map((id) => {
      const folder = join(FOLDER, id);
      const file = join(folder, 'case.json');
      const setting = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Case) : {};
      return { id, code: id.replace(/-\d+$/, '') as ProblemCode, folder, setting };
    });
}

/** The text of a file of the fixture; empty where there is none. */
export function readGolden({ folder }: Fixture, name: string): string {
  const file = join(folder, name);
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

/** Writes or, for an empty text, removes a file of the fixture. */
export function writeGolden({ folder }: Fixture, name: string, text: string): void {
  const file = join(folder, name);
  if (text === '') rmSync(file, { force: true });
  else writeFileSync(file, text);
}

/** Makes the input of a fixture below a folder. */
export function makeInput({ folder, setting }: Fixture, into: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name).slice(folder.length + 1);
    if (!entry.isFile() || !path.includes('/')) continue;
    mkdirSync(dirname(join(into, path)), { recursive: true });
    writeFileSync(join(into, path), readFileSync(join(folder, path)));
  }
  for (const [path, made] of Object.entries(setting.tree ?? {})) make(join(into, path), made);
}

function make(path: string, made: Made): void {
  const copies = typeof made === 'object' && 'copies' in made ? (made.copies ?? 1) : 1;
  for (let n = 1; n <= copies; n++) {
    const number = (text: string) => text.replaceAll('{n}', String(n).padStart(String(copies).length, '0'));
    makeOne(number(path), made, number);
  }
}

function makeOne(path: string, made: Made, number: (text: string) => string): void {
  mkdirSync(dirname(path), { recursive: true });
  if (typeof made === 'string') writeFileSync(path, made);
  else if ('base64' in made) writeFileSync(path, Buffer.from(made.base64, 'base64'));
  else if ('join' in made) writeFileSync(path, made.join.join(''));
  else if ('link' in made) symlinkSync(made.link, path);
  else if ('fifo' in made) execFileSync('mkfifo', [path]);
  else if ('size' in made) {
    writeFileSync(path, '');
    truncateSync(path, made.size);
  } else {
    const { append = '', times = 0, mode } = made;
    const more = Array.from({ length: times }, (_, at) => append.replaceAll('{n}', String(at + 1)));
    writeFileSync(path, number(made.text) + more.join(''));
    if (mode !== undefined) chmodSync(path, Number.parseInt(mode, 8));
  }
}

/** Runs the command line in this process, with the working directory in a folder; `input` is all that a server is asked. */
export async function runIn(
  cwd: string,
  args: readonly string[],
  env: Terminal['env'] = {},
  input: string | Terminal['input'] = new PassThrough(),
): Promise<Outcome> {
  const stdout: string[] = [];
  const stderr: string[] = [];
  const into = (chunks: string[]) =>
    new Writable({
      write(chunk, _, done) {
        chunks.push(String(chunk));
        done();
      },
    });
  const terminal: Terminal = {
    input: typeof input === 'string' ? new PassThrough().end(input) : input,
    output: into(stdout),
    error: into(stderr),
    env,
    home: HOME,
    version: '0.0.0',
    platform: 'linux',
    cwd,
    userHome: cwd,
    execPath: process.execPath,
    uid: undefined,
    hangups: new EventEmitter(),
    signal: new AbortController().signal,
  };
  const before = process.cwd();
  process.chdir(cwd);
  try {
    const status = await runCommand(args, terminal);
    // the only absolute path that a report can hold
    const toText = (chunks: string[]) => chunks.join('').replaceAll(cwd, '/home/me');
    return { status, stdout: toText(stdout), stderr: toText(stderr) };
  } finally {
    process.chdir(before);
  }
}

/** Runs `check` on a made fixture, with more options than the fixture has. */
export async function checkFixture(
  fixture: Fixture,
  folder: string,
  options: readonly string[] = [],
): Promise<Outcome> {
  const { roots = ['skills'], options: own = [], tree = {}, removes, fails } = fixture.setting;
  if (removes !== undefined)
    return { status: 1, stderr: '', stdout: await checkRace(folder, roots, join(folder, removes)) };
  if (fails !== undefined) return { status: 0, stderr: '', stdout: await checkFailure(folder, roots, fails) };
  const isGuarded = Object.values(tree).some((made) => typeof made === 'object' && 'mode' in made);
  // root may read everything
  const uid = isGuarded && process.getuid?.() === 0 ? 65_534 : undefined;
  if (uid !== undefined) {
    chmodSync(folder, 0o755);
    process.seteuid?.(uid);
  }
  try {
    return await runIn(folder, ['check', ...roots, ...own, ...options]);
  } finally {
    if (uid !== undefined) process.seteuid?.(0);
  }
}

async function checkFailure(cwd: string, roots: readonly string[], file: string): Promise<string> {
  return printJudged(
    cwd,
    roots,
    () => (skill) =>
      guardLint(skill, file, () => {
        throw new RangeError('Maximum call stack size exceeded');
      }),
  );
}

/** The skills are walked first and read one by one: a file that is removed when the first skill was read is gone for a later one. */
async function checkRace(cwd: string, roots: readonly string[], file: string): Promise<string> {
  return printJudged(cwd, roots, () => () => {
    rmSync(file, { force: true });
    return [];
  });
}

async function printJudged(cwd: string, roots: readonly string[], toLint: () => Lint): Promise<string> {
  const before = process.cwd();
  process.chdir(cwd);
  try {
    const reports = await judgeSkills([...roots], { toLint });
    const skills = reports.flatMap((report) =>
      report.skills.map(({ pinned }) => ({ published: pinned !== undefined })),
    );
    const problems = reports.flatMap((report) => report.problems);
    return formatProblems(problems, { base: roots[0], skills: skills as never });
  } finally {
    process.chdir(before);
  }
}

/** The codes that a printed report has. */
export function findCodes(output: string): string[] {
  return [...output.matchAll(/ \[([a-z0-9-]+)\]$/gm)].map(([, code = '']) => code).filter((code) => code in CODES);
}
