import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, sep } from 'node:path';
import { compareText } from '../problems.ts';
import { isPrefix } from '../text/names.ts';
import { SourceError } from './trouble.ts';

/** A package that is installed. */
export interface FoundPackage {
  readonly name: string;
  /** `name@version` */
  readonly revision: string;
  /** The folder of its skills, absolute, links resolved. */
  readonly folder: string;
}

/**
 * Finds a package as Node does from a folder on: nothing is installed, and nothing of it is run.
 *
 * @throws SourceError
 */
export function findPackage(name: string, sub: string, cwd: string): FoundPackage {
  const folder = lookUp(name, cwd);
  if (folder === undefined) {
    throw new SourceError('missing', `the package "${name}" is not installed here`, `install it: npm install ${name}`);
  }
  const top = realpathSync(folder);
  const place = join(top, sub);
  let found: string;
  try {
    found = realpathSync(place);
    if (!statSync(found).isDirectory()) throw new Error('not a folder');
  } catch (error) {
    const hint = `name the folder that has skills: npm:${name}#FOLDER`;
    throw new SourceError('missing', `the package "${name}" has no folder "${sub}"`, hint, { cause: error });
  }
  if (found !== top && !found.startsWith(top + sep)) {
    throw new SourceError('unreadable', `"${sub}" of the package "${name}" is a link that leads out of it`);
  }
  const { version } = readManifest(top);
  return { name, revision: `${name}@${typeof version === 'string' ? version : 'unknown'}`, folder: found };
}

/**
 * The direct dependencies of the project here that have skills, each with the prefix that its name makes.
 *
 * @throws SourceError where a name makes no prefix, or where there is no project
 */
export function findPackages(sub: string, cwd: string): readonly (FoundPackage & { prefix: string })[] {
  const project = findProject(cwd);
  const manifest = readManifest(project);
  const names = new Set(
    ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'].flatMap((kind) => {
      const members = manifest[kind];
      return typeof members === 'object' && members !== null ? Object.keys(members) : [];
    }),
  );
  const found: (FoundPackage & { prefix: string })[] = [];
  for (const name of [...names].sort(compareText)) {
    const folder = lookUp(name, project);
    if (folder === undefined || !existsSync(join(folder, sub))) continue;
    const prefix = name.replace(/^@/, '');
    if (!isPrefix(prefix)) {
      const hint = `give it one, and leave npm:* out: PREFIX=npm:${name}`;
      throw new SourceError('usage', `the name of the package "${name}" is not a prefix of URIs`, hint);
    }
    found.push({ ...findPackage(name, sub, project), prefix });
  }
  if (found.length > 0) return found;
  throw new SourceError('missing', `no dependency of "${join(project, 'package.json')}" has a folder "${sub}"`);
}

/** The nearest folder with a package.json. */
function findProject(cwd: string): string {
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json'))) return folder;
    if (dirname(folder) === folder)
      throw new SourceError('missing', `there is no package.json in "${cwd}" or above it`);
  }
}

function lookUp(name: string, cwd: string): string | undefined {
  const folders = createRequire(join(cwd, 'any.js')).resolve.paths(`${name}/package.json`) ?? [];
  return folders.map((folder) => join(folder, name)).find((folder) => existsSync(join(folder, 'package.json')));
}

function readManifest(folder: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
    throw new Error('it is not an object');
  } catch (error) {
    const why = (error as Error).message;
    throw new SourceError('unreadable', `"${join(folder, 'package.json')}" cannot be read: ${why}`, undefined, {
      cause: error,
    });
  }
}
