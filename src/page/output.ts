import { randomBytes } from 'node:crypto';
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { CommandError, EXIT } from '../error.ts';
import { compareText } from '../problems.ts';
import type { Site } from './site.ts';

/** Marks a folder as one that a site was written into, and lists what was written. */
const MARKER = '.mcp-server-skills-site';

/** Keeps GitHub Pages from leaving out names that begin with a dot or an underscore. */
const NO_JEKYLL = '.nojekyll';

/**
 * The folder itself, its links followed, once it is known that a site may take its place.
 *
 * @param place - absolute
 * @param folder - the same as it was typed
 * @throws CommandError for what holds anything that no earlier run wrote
 */
export function requireOutput(place: string, folder: string): string {
  const path = attempt(folder, () => followLinks(place));
  const stats = attempt(folder, () => lstatSync(path, { throwIfNoEntry: false }));
  if (stats === undefined) return path;
  if (!stats.isDirectory()) throw new CommandError(EXIT.usage, `"${folder}" is not a folder: name another one`);
  const entries = attempt(folder, () => readdirSync(path));
  if (entries.length === 0) return path;
  if (!entries.includes(MARKER)) {
    throw new CommandError(
      EXIT.usage,
      `"${folder}" is not empty, and no site was written there before: name another folder`,
    );
  }
  const known = new Set(attempt(folder, () => readFileSync(join(path, MARKER), 'utf8')).split('\n'));
  const foreign = attempt(folder, () => findForeign(path, '', known));
  if (foreign !== undefined) {
    throw new CommandError(
      EXIT.usage,
      `"${folder}" holds "${foreign}", which no earlier run wrote, and which would be lost: move it out`,
    );
  }
  return path;
}

/** Writes a site beside a folder and puts it in the place of the folder: at any time, that holds a whole site or none. */
export function writeSite(site: Site, path: string, folder: string): void {
  const name = `.${basename(path)}.${randomBytes(6).toString('hex')}`;
  const [made, old] = [join(dirname(path), `${name}.new`), join(dirname(path), `${name}.old`)];
  attempt(folder, () => {
    try {
      writeFiles(site, made);
      const isThere = lstatSync(path, { throwIfNoEntry: false }) !== undefined;
      if (isThere) renameSync(path, old);
      try {
        renameSync(made, path);
      } catch (error) {
        if (isThere) renameSync(old, path);
        throw error;
      }
      rmSync(old, { recursive: true, force: true });
    } finally {
      rmSync(made, { recursive: true, force: true });
    }
  });
}

function writeFiles(site: Site, folder: string): void {
  const made = new Set<string>();
  mkdirSync(folder, { recursive: true });
  for (const [path, { toBytes }] of site) {
    const parent = dirname(path);
    if (!made.has(parent)) mkdirSync(join(folder, parent), { recursive: true });
    made.add(parent);
    writeFileSync(join(folder, path), toBytes());
  }
  writeFileSync(join(folder, NO_JEKYLL), '');
  const written = [MARKER, NO_JEKYLL, ...site.keys()].sort(compareText);
  writeFileSync(join(folder, MARKER), `${written.join('\n')}\n`);
}

/** The first path that is not known. */
function findForeign(folder: string, below: string, known: ReadonlySet<string>): string | undefined {
  for (const entry of readdirSync(join(folder, below), { withFileTypes: true })) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    const foreign = entry.isDirectory() ? findForeign(folder, path, known) : known.has(path) ? undefined : path;
    if (foreign !== undefined) return foreign;
  }
  return undefined;
}

/** The path with its links followed, as far as it exists. */
function followLinks(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const parent = dirname(path);
    if (code !== 'ENOENT' || parent === path) throw error;
    if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) {
      throw new CommandError(EXIT.usage, 'it is a link to what does not exist', { cause: error });
    }
    return join(followLinks(parent), basename(path));
  }
}

function attempt<T>(folder: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof CommandError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    throw new CommandError(EXIT.failure, `"${folder}" cannot be written: ${code ?? message}`, { cause: error });
  }
}
