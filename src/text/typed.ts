import { isAbsolute, relative, resolve } from 'node:path';
import { quoteArgument } from './shell.ts';

/** A path below a root, as somebody would type it who typed the root as `label`: of a repository, the folder follows a colon. */
export function toTypedPath(label: string, path: string): string {
  const root = label.replace(/(?<=.)\/+$/, '');
  if (path === '') return root;
  // the top was named, as nothing after the mark
  if (/^git[:+].*[^:]:$|^npm:.*#$/s.test(root) && !/^git:[A-Za-z]:$/.test(root)) return root + path;
  const [, place] = /^(?:git:(?:[A-Za-z]:(?=[\\/]))?|git\+[a-z]+:\/\/[^/]*)(.*)$/is.exec(root) ?? [];
  if (place !== undefined) return `${root}${/^[^#]*(?:#[^:]*)?:/.test(place) ? '/' : ':'}${path}`;
  if (/^npm:/.test(root)) return `${root}${root.includes('#') ? '' : '#skills'}/${path}`;
  return root === '.' ? path : root.endsWith('/') ? root + path : `${root}/${path}`;
}

/** Whether a root is an archive by its name: there is no way to type a folder in it. */
export function isArchiveLabel(label: string): boolean {
  return /\.(?:zip|skill|tgz|tar\.gz)$|^https:\/\/[^#]*#sha256=/i.test(label);
}

/** An absolute path as somebody would type it who typed a root as `label`: relative to the working directory where that was. */
export function toTypedPlace(label: string, place: string): string {
  if (isAbsolute(label)) return place;
  return relative(resolve('.'), place).replaceAll('\\', '/') || '.';
}

/** The command that judges another root. */
export function toCheck(root: string): string {
  return `mcp-server-skills check ${quoteArgument(root)}`;
}
