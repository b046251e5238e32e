import { copyFileSync, cpSync, linkSync, mkdirSync, readdirSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { judgeSkills, type RootReport } from '../../src/judge/judge.ts';
import type { Side } from '../../src/judge/repairs.ts';
import { toLint } from '../../src/lint/lint.ts';
import { CODES, type Problem, type ProblemCode } from '../../src/problems.ts';
import { applyPlans } from '../../src/repair/apply.ts';
import { planRepairs } from '../../src/repair/plan.ts';
import type { JsonValue } from '../../src/text/jsonvalue.ts';
import { requirePyYaml, startPyYaml } from '../frontmatter/pyyaml.ts';
import { loadReaders, type Reader } from '../frontmatter/readers.ts';
import { toCanonical } from '../frontmatter/vectors.ts';
import { sameMeaning } from '../repair/seen.ts';

/** What `--fix` is asked for, in the columns of the table. */
const MODES: readonly (readonly [title: string, sides: readonly Side[]])[] = [
  ['fix', []],
  ['fix=name', ['name']],
  ['fix=folder', ['folder']],
  ['fix=metadata', ['metadata']],
  ['fix=name,metadata', ['name', 'metadata']],
];

const LAST = MODES.at(-1)?.[0];

/** What was counted in one repository, or in all. */
interface Counts {
  skills: number;
  asIs: number;
  readonly fixed: number[];
  ms: number;
}

/** Frontmatters that were published, by their text, as JSON. */
type Published = Map<string, string>;

/** Prints what becomes of the skills of each repository; the exit status is 1 where a published skill is refused or a repair goes wrong. */
export async function measureCorpora(repositories: readonly string[], work: string): Promise<void> {
  if (!requirePyYaml()) throw new Error('python3-yaml is missing');
  const total: Counts = { skills: 0, asIs: 0, fixed: MODES.map(() => 0), ms: 0 };
  const codes: Codes = new Map();
  const left: Codes = new Map();
  const published: Published = new Map();
  const faults: string[] = [];
  for (const repository of repositories) {
    const name = basename(repository);
    const pristine = join(work, 'pristine');
    cpSync(repository, pristine, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => basename(path) !== '.git',
    });
    const counts = await measureRepository(name, pristine, join(work, 'copy'), { codes, left, published, faults });
    rmSync(pristine, { recursive: true, force: true });
    total.skills += counts.skills;
    total.asIs += counts.asIs;
    counts.fixed.forEach((count, at) => {
      total.fixed[at] = (total.fixed[at] ?? 0) + count;
    });
    total.ms += counts.ms;
  }
  console.log(`\n${toRow('all', total)}`);
  printCodes('problems of the folders as they are', codes);
  printCodes(`errors that --${LAST} leaves`, left);
  const refused = await findRefused(published);
  console.log(`\n${published.size} different frontmatters published, ${refused.length} read otherwise by some parser`);
  for (const line of [...refused, ...faults]) console.log(line);
  if (refused.length + faults.length > 0) process.exitCode = 1;
}

/** Problems by code. */
type Codes = Map<ProblemCode, number>;

function countCodes(codes: Codes, problems: readonly Problem[]): void {
  for (const { code } of problems) codes.set(code, (codes.get(code) ?? 0) + 1);
}

function printCodes(title: string, codes: Codes): void {
  console.log(`\n${title}:`);
  for (const [code, count] of [...codes].sort((a, b) => b[1] - a[1])) {
    console.log(`${String(count).padStart(7)} ${CODES[code].severity} ${code}`);
  }
}

interface Gathered {
  readonly codes: Codes;
  /** After the last kind of repair. */
  readonly left: Codes;
  readonly published: Published;
  readonly faults: string[];
}

async function measureRepository(name: string, pristine: string, copy: string, gathered: Gathered): Promise<Counts> {
  const { codes, left, published } = gathered;
  const roots = findRoots(pristine);
  const skills = [...roots.values()].reduce((sum, count) => sum + count, 0);
  const start = performance.now();
  const reports = await judgeEach(pristine, roots);
  const ms = performance.now() - start;
  countCodes(codes, toProblems(reports));
  const counts: Counts = { skills, asIs: countPublished(reports, published), fixed: [], ms };
  for (const [title, sides] of MODES) {
    linkTree(pristine, copy);
    const after = await repairCopy(copy, roots, sides, (fault) =>
      gathered.faults.push(`${name}: --${title}: ${fault}`),
    );
    counts.fixed.push(countPublished(after, published));
    if (title === LAST) {
      countCodes(
        left,
        toProblems(after).filter(({ severity }) => severity === 'error'),
      );
    }
    rmSync(copy, { recursive: true, force: true });
  }
  console.log(toRow(name, counts));
  console.log(`    ${[...roots].map(([root, count]) => `${root} (${count})`).join(', ')}`);
  return counts;
}

function toProblems(reports: readonly RootReport[]): readonly Problem[] {
  return reports.flatMap(({ problems }) => problems);
}

/** Repairs a copy and judges it again; whatever goes wrong on the way is a fault. */
async function repairCopy(
  copy: string,
  roots: ReadonlyMap<string, number>,
  sides: readonly Side[],
  onFault: (fault: string) => void,
): Promise<readonly RootReport[]> {
  const { plans } = planRepairs(await judgeEach(copy, roots), { sides });
  for (const { path, file } of plans) {
    if (file === undefined) continue;
    const { before, after } = file;
    if (!sameMeaning(before, after)) onFault(`the meaning changes: ${path}\n${cut(before)}\n=====\n${cut(after)}`);
  }
  for (const { plan, reason } of await applyPlans(plans)) {
    if (reason !== undefined) onFault(`${plan.path}: ${reason}`);
  }
  const reports = await judgeEach(copy, roots);
  for (const { path } of planRepairs(reports, { sides }).plans) onFault(`a second run finds something to do: ${path}`);
  return reports;
}

function cut(text: string): string {
  return text.slice(0, 1500);
}

/** The folders that are judged each by itself, and how many skills lie below. */
async function judgeEach(folder: string, roots: ReadonlyMap<string, number>): Promise<RootReport[]> {
  const reports: RootReport[] = [];
  for (const root of roots.keys()) {
    const inner = [...roots.keys()].filter((other) => other !== root && (root === '.' || other.startsWith(`${root}/`)));
    const exclude = inner.map((other) => `./${root === '.' ? other : other.slice(root.length + 1)}`);
    reports.push(...(await judgeSkills(join(folder, root), { toLint, exclude })));
  }
  return reports;
}

function countPublished(reports: readonly RootReport[], published: Published): number {
  const pinned = reports.flatMap(({ skills }) => skills.flatMap((skill) => skill.pinned ?? []));
  for (const { entry, files } of pinned) {
    const at = entry.resources.findIndex(({ uri }) => uri === entry.uri);
    const text = files[at]?.bytes;
    if (text === undefined) throw new Error(`${entry.uri} has no SKILL.md`);
    const [, frontmatter = ''] = /^---\r?\n([\s\S]*?)^---\r?$/m.exec(Buffer.from(text).toString()) ?? [];
    published.set(frontmatter, toCanonical(entry.frontmatter));
  }
  return pinned.length;
}

/**
 * The roots of a repository, and how many skills lie below each: the outermost folder called `skills` above a skill, where that is not
 * inside a hidden folder; then the hidden folder; otherwise the folder that directly holds the skill. A skill inside another is none of
 * its own, a root below another is left out of that, and a SKILL.md in the repository's own folder is no part of this.
 */
function findRoots(repository: string): Map<string, number> {
  const roots = new Map<string, number>();
  const visit = (path: string): void => {
    const entries = readdirSync(join(repository, path), { withFileTypes: true });
    // that of the repository itself is no skill beside those below it
    if (path !== '' && entries.some((entry) => entry.isFile() && /^skill\.md$/i.test(entry.name))) {
      const root = toRoot(path);
      roots.set(root, (roots.get(root) ?? 0) + 1);
      return;
    }
    for (const entry of entries) {
      if (entry.isDirectory() && entry.name !== 'node_modules')
        visit(path === '' ? entry.name : `${path}/${entry.name}`);
    }
  };
  visit('');
  return roots;
}

function toRoot(skill: string): string {
  const folders = skill.split('/').slice(0, -1);
  const hidden = folders.findLastIndex((folder) => folder.startsWith('.')) + 1;
  const at = folders.indexOf('skills', hidden);
  const end = at === -1 ? hidden || folders.length : at + 1;
  return folders.slice(0, end).join('/') || '.';
}

/** A second copy whose files are hard links to the first; a repair never writes through one. */
function linkTree(from: string, to: string): void {
  mkdirSync(to);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) linkTree(source, target);
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else if (entry.isFile()) linkOrCopy(source, target);
  }
}

function linkOrCopy(source: string, target: string): void {
  try {
    linkSync(source, target);
  } catch {
    copyFileSync(source, target);
  }
}

function toRow(name: string, { skills, asIs, fixed, ms }: Counts): string {
  const share = (count: number): string => `${count} (${((100 * count) / Math.max(skills, 1)).toFixed(1)} %)`;
  const modes = MODES.map(([title], at) => `${title} ${share(fixed[at] ?? 0)}`);
  return [`${name}: ${skills} skills`, `as they are ${share(asIs)}`, ...modes, `${Math.round(ms)} ms`].join(' · ');
}

/** Every published frontmatter that some parser reads otherwise, cut with and without its last line end. */
async function findRefused(published: Published): Promise<string[]> {
  const readers = await loadReaders();
  const python = startPyYaml();
  const cuts = [...published].flatMap(([text, json]) =>
    [text, text.replace(/\r?\n$/, '')].map((cut) => ({ cut, json })),
  );
  const answers = await python.read(cuts.map(({ cut }) => cut));
  python.close();
  return cuts.flatMap(({ cut, json }, at) => {
    const { value, error } = answers[at] ?? {};
    const readings = [...readers].map(([reader, read]) => [reader, attempt(read, cut)] as const);
    readings.push(['PyYAML', error ?? toCanonical((value ?? null) as JsonValue)]);
    return readings
      .filter(([, reading]) => reading !== json)
      .map(
        ([reader, reading]) => `refused by ${reader}: ${JSON.stringify(cut.slice(0, 300))}: ${reading.slice(0, 300)}`,
      );
  });
}

function attempt(read: Reader, text: string): string {
  try {
    return toCanonical(read(text) as JsonValue);
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message.split('\n')[0]}` : String(error);
  }
}
