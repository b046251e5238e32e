import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { publishReports } from '../judge/judge.ts';
import type { Comparable } from '../lock/comparable.ts';
import { LockError } from '../lock/lockfile.ts';
import { isArchive } from '../sources/grammar.ts';
import { countOf } from '../text/count.ts';
import { escapeText } from '../text/escape.ts';
import { toCheck } from '../text/typed.ts';
import { type Judged, type JudgeRootsOptions, judgeRoots } from './judging.ts';
import { toStatus } from './status.ts';
import { CommandError, EXIT, type Terminal } from './terminal.ts';
import { readTextFile } from './textfile.ts';

/** One side of a comparison. */
export interface Side {
  readonly catalog: Comparable;
  /** The SKILL.md of a skill on the disk, where it has one, as it is typed. */
  readonly placeOf?: (uri: string) => string | undefined;
}

/** How the skills of a folder are judged, and those of a server are read. */
export interface SideOptions extends Pick<JudgeRootsOptions, 'exclude' | 'nested' | 'pathFrom'> {
  /** The environment variable that has the token of a server. */
  readonly tokenEnv?: string;
}

interface SideKind {
  readonly isMeant: (argument: string, terminal: Terminal) => boolean | Promise<boolean>;
  readonly read: (argument: string, options: SideOptions, terminal: Terminal) => Promise<Side>;
}

/** What a side can be; the first that is meant is taken. */
const KINDS: readonly SideKind[] = [
  { isMeant: isServer, read: readServerSide },
  { isMeant: isFile, read: readFileSide },
  { isMeant: () => true, read: readRootSide },
];

/**
 * Reads one side of a comparison: a root or `prefix=root`, a lock, what `list --json` printed, or a server.
 *
 * @throws CommandError where it cannot be read, or is none of these
 */
export async function readSide(argument: string, options: SideOptions, terminal: Terminal): Promise<Side> {
  for (const { isMeant, read } of KINDS)
    if (await isMeant(argument, terminal)) return read(argument, options, terminal);
  throw new CommandError(EXIT.usage, `"${argument}" is nothing that can be compared`);
}

/** Whether an argument is the URL of a server, and not of an archive, which is pinned. */
export function isServer(argument: string): boolean {
  return /^https?:\/\//i.test(argument) && !/#sha256=/i.test(argument);
}

async function readServerSide(url: string, { tokenEnv }: SideOptions, terminal: Terminal): Promise<Side> {
  const { readServer } = await import('./serverside.ts');
  return { catalog: await readServer(url, tokenEnv, terminal) };
}

/** Whether an argument is a file of JSON; a pipe is one, too, as a shell makes it of `<(command)`. */
async function isFile(argument: string, { cwd }: Terminal): Promise<boolean> {
  if (isArchive(argument)) return false;
  const stats = await stat(resolve(cwd, argument)).catch(() => undefined);
  return stats?.isDirectory() === false;
}

async function readFileSide(argument: string, _: SideOptions, { cwd }: Terminal): Promise<Side> {
  const text = await readTextFile(resolve(cwd, argument), argument);
  const { readComparable } = await import('../lock/printed.ts');
  try {
    return { catalog: readComparable(text) };
  } catch (error) {
    if (!(error instanceof LockError)) throw error;
    throw new CommandError(EXIT.usage, `"${argument}" cannot be compared: ${error.message}`, { cause: error });
  }
}

/** A folder with errors is compared without the skills that have them: they are named, and the difference says so. */
async function readRootSide(argument: string, options: SideOptions, terminal: Terminal): Promise<Side> {
  const check = escapeText(toCheck(argument));
  return toRootSide(await judgeRoots([argument], options, terminal), argument, `: see ${check}`, terminal);
}

/**
 * Roots as a side.
 *
 * @param label - how they are named in messages
 * @param advice - what to do about skills with errors, after what is wrong
 * @throws CommandError where nothing of them can be read
 */
export function toRootSide(judged: Judged, label: string, advice: string, terminal: Terminal): Side {
  const fatal = judged.problems.find(
    ({ path, severity, code }) => path === '.' && severity === 'error' && code !== 'root-empty',
  );
  if (fatal !== undefined && judged.skills.every(({ published }) => !published)) {
    throw new CommandError(Math.max(toStatus(judged.problems), EXIT.problems), `${label}: ${fatal.message}`);
  }
  const refused = judged.skills.filter(({ published }) => !published).map(({ uri }) => uri);
  if (refused.length > 0) {
    const count = countOf(refused.length, 'skill');
    terminal.error.write(`mcp-server-skills: ${escapeText(label)}: left out ${count} with errors${advice}\n`);
  }
  const catalog = publishReports(judged.reports);
  return {
    catalog: { skills: catalog.skills, read: (uri) => catalog.read(uri), refused },
    placeOf: toPlaceOf(judged),
  };
}

function toPlaceOf({ reports }: Judged): (uri: string) => string | undefined {
  const places = new Map(
    reports.flatMap(({ root, skills }) =>
      skills.map(({ uri, path }) => [uri, resolve(root.folder ?? root.path, path, 'SKILL.md')] as const),
    ),
  );
  return (uri) => places.get(uri);
}
