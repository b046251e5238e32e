import { posix, win32 } from 'node:path';
import type { ListFolder, Where } from './host.ts';

/** The path functions of the platform that is written for. */
export function toPaths(where: Pick<Where, 'platform'>): typeof posix {
  return where.platform === 'win32' ? win32 : posix;
}

export function inProject(where: Where, ...names: string[]): string {
  return toPaths(where).join(where.cwd, ...names);
}

export function inHome(where: Where, ...names: string[]): string {
  return toPaths(where).join(where.home, ...names);
}

/** Below the folder that a variable names, else below one of the user's home. */
export function inFolder(where: Where, variable: string, own: readonly string[], ...names: string[]): string {
  return toPaths(where).join(where.env[variable] || inHome(where, ...own), ...names);
}

/** Where Electron's `appData` is. */
export function inAppData(where: Where, ...names: string[]): string {
  if (where.platform === 'win32') return inFolder(where, 'APPDATA', ['AppData', 'Roaming'], ...names);
  return where.platform === 'darwin'
    ? inHome(where, 'Library', 'Application Support', ...names)
    : inXdg(where, true, ...names);
}

/** `$XDG_CONFIG_HOME`, which is to be ignored unless it is absolute (XDG Base Directory Specification), else ~/.config. */
export function inXdg(where: Where, heeded: boolean, ...names: string[]): string {
  const paths = toPaths(where);
  const set = where.env['XDG_CONFIG_HOME'];
  return paths.join(heeded && set && paths.isAbsolute(set) ? set : inHome(where, '.config'), ...names);
}

/** What a packaged app of Windows sees of `%APPDATA%`: a folder of its own for each package whose name begins so. */
export async function inPackages(
  where: Where,
  prefix: string,
  list: ListFolder,
  ...names: string[]
): Promise<readonly string[]> {
  if (where.platform !== 'win32') return [];
  const folder = inFolder(where, 'LOCALAPPDATA', ['AppData', 'Local'], 'Packages');
  const found: string[] = [];
  for (const name of [...(await list(folder))].filter((each) => each.startsWith(prefix)).sort()) {
    const own = win32.join(folder, name, 'LocalCache', 'Roaming', ...names.slice(0, -1));
    if ((await list(own)).length > 0) found.push(win32.join(own, ...names.slice(-1)));
  }
  return found;
}
