import { groupBy } from './grouping.ts';
import { toBaseName } from './names.ts';

/** The option that leaves a path out, quoted for a shell: what it stands for is a pattern, so its own special characters are escaped. */
export function toExclude(path: string): string {
  return quoteExclude(escapePattern(path.includes('/') ? path : `./${path}`));
}

function escapePattern(path: string): string {
  return path.replaceAll(/[\\*?[\]{}()!+@|^$]/g, '\\$&');
}

function quoteExclude(pattern: string): string {
  return `--exclude '${pattern.replaceAll("'", "'\\''")}'`;
}

/** The longest options that a hint spells out, in characters. */
const OPTIONS_LENGTH = 300;

/** The same where the paths are those of one skill: it is not published without them. */
const OPTION_LENGTH = 800;

/** The options that leave paths out, or undefined where they would be too long to read. */
export function toExcludeOptions(paths: readonly string[]): string | undefined {
  const options = toExcludeAll(paths).join(' ');
  return options.length > OPTIONS_LENGTH ? undefined : options;
}

/** The one option that leaves paths of a skill out, or undefined where it would be too long to read or too hard to quote. */
export function toSkillExclude(skill: string, paths: readonly string[]): string | undefined {
  const inner = paths.map((path) => path.slice(skill.length + 1));
  const option = quoteExclude(`${escapePattern(skill)}/{${inner.join(',')}}`);
  return option.length > OPTION_LENGTH || !inner.every(isPlain) ? undefined : option;
}

/** Whether a path means the same as a part of a pattern in braces. */
function isPlain(path: string): boolean {
  return /^[\w.~ /-]+$/.test(path);
}

/** The options that leave paths out, one for those of each folder. */
function toExcludeAll(paths: readonly string[]): string[] {
  // what braces mean something to is left out by itself
  const isListed = (path: string) => isPlain(toBaseName(path));
  const options = paths.filter((path) => !isListed(path)).map(toExclude);
  const byFolder = groupBy(paths.filter(isListed), (path) => path.slice(0, Math.max(path.lastIndexOf('/'), 0)));
  for (const [folder, [first = '', ...others]] of byFolder) {
    const names = [first, ...others].map(toBaseName).join(',');
    const place = folder === '' ? '.' : escapePattern(folder);
    options.push(others.length === 0 ? toExclude(first) : quoteExclude(`${place}/{${names}}`));
  }
  return options;
}
