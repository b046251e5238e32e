import { existsSync, statSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { expandHome, parseRoot, type Root } from '../disk/roots.ts';
import type { RootReport } from '../judge/judge.ts';
import { parseSource, type Source } from '../sources/grammar.ts';
import type { SourceContext, TypedSource } from '../sources/sources.ts';
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

/** An argument, and the roots that it is. */
export interface OpenedRoot {
  /** Absent for a folder. */
  readonly typed?: TypedSource;
  readonly roots: readonly Root[];
}

/**
 * The roots of a command line: its arguments, else `$SKILLS_DIR`, else the skills of this package. What is not a folder is opened here.
 *
 * @throws CommandError for what cannot be a root
 */
export async function openRoots(args: readonly string[], terminal: Terminal): Promise<OpenedRoot[]> {
  if (args.includes('')) throw new CommandError(EXIT.usage, 'a root is empty: is a variable unset?');
  const given = args.length > 0 ? args : listRoots(terminal);
  if (given.length === 0) {
    terminal.error.write('mcp-server-skills: no root is given: this serves the example skills of the package\n');
    return [{ roots: [{ path: toExample(terminal) }] }];
  }
  const opened: OpenedRoot[] = [];
  for (const argument of given) {
    const { path, prefix } = parseRoot(argument);
    const source = readSource(path, terminal.cwd);
    if (source === undefined) {
      const folder = { path: expandHome(path, terminal.userHome, terminal.cwd) };
      opened.push({ roots: [prefix === undefined ? folder : { ...folder, prefix }] });
    } else {
      const typed = { source, label: path, prefix: prefix ?? '' };
      opened.push({ typed, roots: await openTyped(typed, terminal) });
    }
  }
  return opened;
}

/**
 * The roots that `$SKILLS_DIR` has.
 *
 * @throws CommandError where it was cut inside a source, whose parts would be taken for folders
 */
function listRoots({ env, cwd }: Terminal): string[] {
  const listed = (env['SKILLS_DIR'] ?? '').split(delimiter).filter((root) => root !== '');
  const cut = listed.find(
    (root) =>
      /^(?:git|npm|git\+[a-z]+|https?)$/i.test(parseRoot(root).path) && !existsSync(resolve(cwd, parseRoot(root).path)),
  );
  if (cut === undefined) return listed;
  throw new CommandError(
    EXIT.usage,
    `$SKILLS_DIR is split at "${delimiter}", so it cannot contain a root that begins with "${cut}:": pass that root as an argument`,
  );
}

/** How roots are opened again and again. */
export interface OpenerOptions {
  /** Whether other machines are asked for what they have. */
  readonly asksServers: boolean;
  /** In seconds, how often; default: 300. */
  readonly interval?: number | undefined;
}

/** How often a server is asked, in seconds. */
const ASKED_EVERY = 300;

/**
 * Opens the roots as they are now, after a first time: what did not change is the same. A source that fails is a root that cannot be
 * read, until it can.
 */
export function createOpener(
  first: readonly OpenedRoot[],
  terminal: Terminal,
  { asksServers, interval = ASKED_EVERY }: OpenerOptions,
): () => Promise<readonly Root[]> {
  const followed = first.map((opened) => ({ ...opened, glance: undefined as string | undefined, asked: Date.now() }));
  let isFirst = true;
  return async () => {
    const isStart = isFirst;
    isFirst = false;
    for (const each of followed) {
      if (each.typed === undefined || isStart) continue;
      const { FIXED, isDistant, glanceAt } = await import('../sources/revision.ts');
      if (isDistant(each.typed)) {
        if (!asksServers || Date.now() - each.asked < interval * 1000) continue;
        each.asked = Date.now();
      }
      const context = await createContext(terminal);
      const glance = await glanceAt(each.typed, context).catch((error: Error) => `failed: ${error.message}`);
      const known = each.glance ?? findRevision(each.roots);
      each.glance = glance;
      if (glance !== known && glance !== FIXED) each.roots = await openTyped(each.typed, terminal);
    }
    return followed.flatMap(({ roots }) => roots);
  };
}

function findRevision(roots: readonly Root[]): string | undefined {
  const [root] = roots;
  return typeof root === 'object' && 'tree' in root ? root.tree?.revision : undefined;
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

/**
 * Opens a source.
 *
 * @throws CommandError for what cannot be a root
 */
export async function openTyped(typed: TypedSource, terminal: Terminal): Promise<Root[]> {
  // most starts need none of it
  const [{ openSource }, context] = await Promise.all([import('../sources/sources.ts'), createContext(terminal)]);
  try {
    return await openSource(typed, context);
  } catch (error) {
    throw toCommandError(error);
  }
}

async function createContext({ cwd, env, userHome, platform, uid }: Terminal): Promise<SourceContext> {
  const { makeCacheFolder } = await import('./cache.ts');
  const user = { env, platform, ...(uid === undefined ? {} : { geteuid: () => uid }) };
  return {
    cwd,
    env,
    findCache: () => makeCacheFolder(user, userHome),
    expand: (path) => expandHome(path, userHome, cwd),
  };
}

function toCommandError(error: unknown): unknown {
  if (!(error instanceof SourceError)) return error;
  const { message, hint } = error;
  return new CommandError(EXIT.usage, hint === undefined ? message : `${message}: ${hint}`, { cause: error });
}

/** The sources among the roots, and the state of each that was read. */
export function listSources(reports: readonly RootReport[]): ServedSource[] {
  return reports.flatMap(({ root: { path, tree } }) =>
    tree?.revision === undefined ? [] : [{ root: path, revision: tree.revision }],
  );
}
