import { statSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { expandHome, parseRoot, type ResolvedRoot, type Root } from '../disk/roots.ts';
import type { RootReport } from '../judge/judge.ts';
import type { SourceContext } from '../sources/sources.ts';
import { parseSource, type Source } from '../sources/syntax.ts';
import { SourceError } from '../sources/trouble.ts';
import { CommandError, EXIT, type Terminal } from './terminal.ts';

/** Where a catalog comes from, beside folders. */
export interface ServedSource {
  /** As it was typed, without a prefix. */
  readonly root: string;
  /** A commit, a version of a package, or the digest of an archive. */
  readonly revision: string;
}

/** The skills that come with this package. */
export function toExample({ home }: Pick<Terminal, 'home'>): string {
  return join(home, 'skills-example');
}

/**
 * The roots of a command line: its arguments, else `$SKILLS_DIR`, else the skills of this package. What is not a folder is opened here.
 *
 * @throws CommandError for what cannot be a root
 */
export async function openRoots(args: readonly string[], terminal: Terminal): Promise<Root[]> {
  if (args.includes('')) throw new CommandError(EXIT.usage, 'a root is empty: is a variable unset?');
  const listed = (terminal.env['SKILLS_DIR'] ?? '').split(delimiter).filter((root) => root !== '');
  const given = args.length > 0 ? args : listed;
  if (given.length === 0) {
    terminal.error.write('mcp-server-skills: no root is given: this serves the example skills of the package\n');
    return [{ path: toExample(terminal) }];
  }
  const roots: Root[] = [];
  for (const argument of given) {
    const { path, prefix = '' } = parseRoot(argument);
    const source = readSource(path, terminal.cwd);
    if (source === undefined) roots.push({ path: expandHome(path, terminal.userHome, terminal.cwd), prefix });
    else roots.push(...(await openTyped({ source, label: path, prefix }, terminal)));
  }
  return roots;
}

/**
 * What a root is that is not a folder; undefined for a folder, whatever it is called.
 *
 * @throws CommandError for what looks like a source and is none
 */
export function readSource(path: string, cwd: string): Source | undefined {
  if (statSync(resolve(cwd, path), { throwIfNoEntry: false })?.isDirectory() === true) return undefined;
  try {
    return parseSource(path);
  } catch (error) {
    throw toCommandError(error);
  }
}

async function openTyped(
  typed: { source: Source; label: string; prefix: string },
  { cwd, env, userHome, platform, uid }: Terminal,
): Promise<Root[]> {
  // most starts need none of it
  const [{ openSource }, { makeCacheFolder }] = await Promise.all([
    import('../sources/sources.ts'),
    import('./cache.ts'),
  ]);
  const context: SourceContext = {
    cwd,
    env,
    findCache: () => makeCacheFolder({ env, platform, ...(uid === undefined ? {} : { geteuid: () => uid }) }, userHome),
    expand: (path) => expandHome(path, userHome, cwd),
  };
  try {
    return await openSource(typed, context);
  } catch (error) {
    throw toCommandError(error);
  }
}

function toCommandError(error: unknown): unknown {
  if (!(error instanceof SourceError)) return error;
  const { message, hint } = error;
  return new CommandError(EXIT.usage, hint === undefined ? message : `${message}: ${hint}`, { cause: error });
}

/** Whether a root is not a folder that somebody writes to, but a state of something else. */
export function isSource({ tree, fault }: ResolvedRoot): boolean {
  return tree?.revision !== undefined || fault?.reason === 'source';
}

/** What is put before the path of a problem: of a source, the root ends at a colon. */
export function toBase(root: ResolvedRoot): string {
  return isSource(root) ? `${root.path}:` : root.path.replace(/(?<=.)\/+$/, '');
}

/** The sources among the roots, and the state of each that was read. */
export function listSources(reports: readonly RootReport[]): ServedSource[] {
  return reports.flatMap(({ root: { path, tree } }) =>
    tree?.revision === undefined ? [] : [{ root: path, revision: tree.revision }],
  );
}
