// This room knows where skills are kept beside folders: git, npm and archives. It gives lists of paths with contents, and judges no skill.
import { SourceError } from './trouble.ts';

/** A repository on this machine. */
export interface GitSource {
  readonly kind: 'git';
  readonly path: string;
  /** A branch, a tag, or a commit. */
  readonly ref: string;
  /** The folder that holds skills; `''` for the top, undefined where that is to be found out. */
  readonly sub: string | undefined;
}

/** A repository that is fetched. */
export interface RemoteSource extends Omit<GitSource, 'kind' | 'path'> {
  readonly kind: 'remote';
  /** As git takes it. */
  readonly url: string;
}

/** A package, or with `*` each direct dependency that has skills. */
export interface NpmSource {
  readonly kind: 'npm';
  readonly package: string;
  readonly sub: string;
}

/** An archive on this machine. */
export interface ArchiveSource {
  readonly kind: 'archive';
  readonly path: string;
}

/** An archive that is fetched, whose content is known. */
export interface DownloadSource {
  readonly kind: 'download';
  readonly url: string;
  /** 64 lowercase hex digits. */
  readonly sha256: string;
}

export type Source = GitSource | RemoteSource | NpmSource | ArchiveSource | DownloadSource;

const ARCHIVE = /\.(?:zip|skill|tgz|tar\.gz)$/i;

/** A name that npm takes; nothing in it leads to another folder. */
const PACKAGE = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/i;

/** Whether a path is that of an archive, by its ending. */
export function isArchive(path: string): boolean {
  return ARCHIVE.test(path);
}

/** Members of a query that are secrets more often than not. */
const SECRET = /[?&][^=&#]*(?:token|secret|password|passwd|auth|api[-_]?key|signature|credential)[^=&#]*=/i;

/**
 * Reads a root that is not a folder, as it is written on a command line without its prefix; undefined for a folder.
 *
 * @throws SourceError of the kind `usage`
 */
export function parseSource(text: string): Source | undefined {
  if (/^git\+/i.test(text)) return parseRemote(text);
  if (/^git:/.test(text)) return parseGit(text.slice('git:'.length));
  if (/^npm:/.test(text)) return parseNpm(text.slice('npm:'.length));
  if (/^https?:\/\//i.test(text)) return parseDownload(text);
  if (/^(?:ssh|git):\/\//i.test(text)) throw refuse(text, 'write git+ssh:// or git+https://');
  if (/^[^/\\:@\s]+@[^/\\:@\s]+:(?!\\)/.test(text)) {
    const [, place = '', path = ''] = /^([^:]*):\/?(.*)$/.exec(text) ?? [];
    throw refuse(text, `write git+ssh://${place}/${path}`);
  }
  return isArchive(text) ? { kind: 'archive', path: text } : undefined;
}

/** A source as it is typed where its path is another one: an absolute one, say. */
export function placeSource(typed: string, source: Source, toPlace: (path: string) => string): string {
  if (source.kind === 'archive') return toPlace(source.path);
  if (source.kind !== 'git') return typed;
  return `git:${toPlace(source.path)}${typed.slice('git:'.length + source.path.length)}`;
}

function parseGit(text: string): GitSource {
  const { place, ref, sub } = splitPlace(text, /^[A-Za-z]:[\\/]/.test(text) ? 2 : 0, `git:${text}`);
  if (place === '') throw refuse(`git:${text}`, 'write the path of a repository: git:. is the one here');
  return { kind: 'git', path: place, ref: ref ?? 'HEAD', sub };
}

function parseRemote(text: string): RemoteSource {
  const scheme = /^git\+(https|ssh):\/\//i.exec(text)?.[1]?.toLowerCase();
  if (scheme === undefined) throw refuse(maskUrl(text), 'git is fetched by git+https:// or git+ssh://');
  const rest = text.slice('git+'.length);
  const host = /^[a-z]+:\/\/[^/]*/i.exec(rest)?.[0] ?? '';
  const { place, ref, sub } = splitPlace(rest, host.length, text);
  const url = readUrl(place, text);
  if (url.password !== '' || (url.username !== '' && scheme === 'https'))
    throw refuseSecret(text, 'leave it out, and give it to git by a credential helper or an SSH agent');
  if (url.search !== '') throw refuse(maskUrl(text), 'a repository has no query: leave it out');
  if (url.pathname === '/' || url.pathname === '') throw refuse(maskUrl(text), 'write the path of the repository, too');
  if (/^-/.test(url.hostname) || /^-/.test(url.username)) throw refuse(maskUrl(text), 'a host does not begin with "-"');
  if (ref !== undefined) requireRemoteRef(ref, text);
  return { kind: 'remote', url: place, ref: ref ?? 'HEAD', sub };
}

/** What a server may be asked for: the name of a branch or a tag, or a whole hash (git-check-ref-format). */
function requireRemoteRef(ref: string, text: string): void {
  const isName =
    /^[^-/.][^\s~^:?*[\\\x00-\x20\x7f]*$/.test(ref) && !/\.\.|@\{|\/\/|\/\.|\.lock(?:\/|$)|[/.]$|^@$/.test(ref);
  if (!isName) throw refuse(maskUrl(text), `"${ref}" is not the name of a branch or a tag, nor a hash`);
  if (/^[0-9a-f]{7,39}$/.test(ref)) throw refuse(maskUrl(text), `write all 40 digits of the hash "${ref}"`);
}

/**
 * Cuts `PLACE[#REF][:SUB]` apart.
 *
 * @param from - where a colon of the place itself cannot be any more
 * @param whole - the root as it was typed
 */
function splitPlace(
  text: string,
  from: number,
  whole: string,
): { place: string; ref: string | undefined; sub: string | undefined } {
  const hash = text.indexOf('#', from);
  const colon = hash === -1 ? text.lastIndexOf(':') : text.indexOf(':', hash);
  const isSub = colon >= Math.max(from, 1) && colon > hash;
  const end = isSub ? colon : text.length;
  const ref = hash === -1 ? undefined : text.slice(hash + 1, end);
  return {
    place: text.slice(0, hash === -1 ? end : hash),
    ref: ref === '' ? undefined : ref,
    sub: isSub ? toSub(text.slice(colon + 1), whole) : undefined,
  };
}

/** @throws SourceError for a folder that is not below the top */
function toSub(written: string, text: string): string {
  const segments = written.split('/').filter((segment) => segment !== '' && segment !== '.');
  if (written.startsWith('/') || written.includes('\\') || segments.includes('..')) {
    throw refuse(maskUrl(text), `"${written}" is not a folder of the source: write it relative to the top`);
  }
  return segments.join('/');
}

function parseNpm(text: string): NpmSource {
  const at = text.indexOf('#');
  const name = at === -1 ? text : text.slice(0, at);
  const sub = at === -1 ? 'skills' : toSub(text.slice(at + 1), `npm:${text}`);
  if (name !== '*' && !PACKAGE.test(name)) {
    throw refuse(`npm:${text}`, `"${name}" is not the name of a package; npm:* takes each dependency that has skills`);
  }
  return { kind: 'npm', package: name, sub };
}

function parseDownload(text: string): DownloadSource {
  const shown = maskUrl(text);
  if (!/^https:/i.test(text)) throw refuse(shown, 'an archive is fetched by https:// only');
  const url = readUrl(text, text);
  if (url.username !== '' || url.password !== '' || SECRET.test(url.search)) {
    throw refuseSecret(text, 'leave it out: download the archive yourself, and pass the file');
  }
  const sha256 = /^#sha256=([0-9a-f]{64})$/i.exec(url.hash)?.[1]?.toLowerCase();
  if (sha256 === undefined) {
    throw refuse(shown, 'pin its content: write #sha256= and the 64 hex digits that sha256sum prints for the file');
  }
  url.hash = '';
  return { kind: 'download', url: url.href, sha256 };
}

function readUrl(text: string, whole: string): URL {
  try {
    return new URL(text);
  } catch (error) {
    throw new SourceError('usage', `"${maskUrl(whole)}" is not a URL`, undefined, { cause: error });
  }
}

function refuse(shown: string, hint: string): SourceError {
  return new SourceError('usage', `"${shown}" is not a root`, hint);
}

function refuseSecret(text: string, hint: string): SourceError {
  return new SourceError(
    'usage',
    `"${maskUrl(text)}" has a secret in it, which would be in process lists and logs`,
    hint,
  );
}

/** A URL as it can be printed: without what may be a secret. */
export function maskUrl(text: string): string {
  return text.replace(/\/\/[^/@\s]*@/g, '//***@').replace(/(:\/\/[^\s?#]*)\?[^#\s]*/g, '$1?***');
}
