/** The longest name, in characters (Agent Skills, `name`). */
const NAME_LENGTH = 64;

const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** Letters that do not decompose into one of a-z, as their languages spell them without it. */
const SPELLED: Readonly<Record<string, string>> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ł: 'l', ı: 'i' };

/** Whether a text follows the name rule of Agent Skills: 1 to 64 of a-z, 0-9 and single hyphens, none at either end. */
export function isName(text: string): boolean {
  return text.length <= NAME_LENGTH && NAME.test(text);
}

/** Whether a text is one or more names joined by `/`, as a prefix is. */
export function isPrefix(text: string): boolean {
  return text.split('/').every(isName);
}

/**
 * The name that somebody who wrote `text` most likely meant, or undefined where nothing of it can stay.
 * Only ever shown in hints, never used as a name.
 */
export function toName(text: string): string | undefined {
  const name = text
    .replaceAll(/[ßæœøđłı]/gi, (letter) => SPELLED[letter.toLowerCase()] ?? '')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1-$2')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, NAME_LENGTH)
    .replaceAll(/^-+|-+$/g, '');
  return name === '' ? undefined : name;
}

/** The name, or where it is taken the first with a number after it that is not: `refund-2`. Only ever shown in hints. */
export function toFreeName(name: string, isTaken: (name: string) => boolean = () => false): string {
  for (let number = 2, free = name; ; number++) {
    if (!isTaken(free)) return free;
    const ending = `-${number}`;
    free = name.slice(0, NAME_LENGTH - ending.length).replace(/-$/, '') + ending;
  }
}

/** The first character of a path segment that a URI would have to escape, or undefined where there is none. */
export function findForeignCharacter(segment: string): string | undefined {
  return /[^A-Za-z0-9._~-]/u.exec(segment)?.[0];
}

/** Folders that build tools and package managers fill. */
const BUILD_FOLDERS = new Set(['node_modules', '__pycache__', 'target', 'venv', 'bower_components', 'site-packages']);

/** Whether a folder of this name is filled by build tools. */
export function isBuildFolder(name: string): boolean {
  return BUILD_FOLDERS.has(name);
}

/** The outermost folder of build output that the path of a folder names, or undefined where it names none. */
export function findBuildFolder(folder: string): string | undefined {
  const segments = folder.split('/');
  const at = segments.findIndex(isBuildFolder);
  return at === -1 ? undefined : segments.slice(0, at + 1).join('/');
}

/** The last segment of a path or URI. */
export function toBaseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** How many names a message spells out. */
export const NAMES_SHOWN = 20;

/** Names as a message lists them. */
export function listNames(names: readonly string[], most = NAMES_SHOWN): string {
  const more = names.length - most;
  const shown = names.slice(0, most).map((name) => `"${name}"`);
  return shown.join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** The innermost folder that holds all paths; `.` for the root. */
export function findCommonFolder(paths: readonly string[]): string {
  const [first = [], ...others] = paths.map((path) => path.split('/').slice(0, -1));
  let length = first.length;
  for (const other of others)
    while (length > 0 && other.slice(0, length).join('/') !== first.slice(0, length).join('/')) length--;
  return first.slice(0, length).join('/') || '.';
}
