import { resolve } from 'node:path';
import { openFolder } from '../disk/open.ts';
import type { Root } from '../disk/roots.ts';
import { createTree, type ListedEntry } from '../disk/source.ts';
import { toGitEnv } from './git.ts';
import type { ArchiveSource, DownloadSource, GitSource, NpmSource, RemoteSource, Source } from './grammar.ts';
import { findSkillsFolder, findTopFolder, narrowEntries } from './narrow.ts';
import { findPackage, findPackages } from './npm.ts';
import { findCommit, listCommit } from './objects.ts';
import { SourceError } from './trouble.ts';

/** What a source is opened with; nothing of it is taken from the process. */
export interface SourceContext {
  /** Absolute. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Makes the folder for what can be fetched again; undefined where there is none that is the user's alone. */
  readonly findCache: () => string | undefined;
  /** Gives a path as a person typed it its home folder. */
  readonly expand: (path: string) => string;
}

/** A source as it was typed, with what is put before the paths of its skills. */
export interface TypedSource {
  readonly source: Source;
  /** As it was typed, without the prefix. */
  readonly label: string;
  readonly prefix: string;
}

/**
 * Opens a source as one root, or several. What is wrong with it is the fault of a root, so that it is reported as that of a folder is.
 *
 * @throws SourceError of the kind `usage`
 */
export async function openSource(typed: TypedSource, context: SourceContext): Promise<Root[]> {
  const { label, prefix } = typed;
  try {
    return await openKind(typed, context);
  } catch (error) {
    if (!(error instanceof SourceError) || error.kind === 'usage') throw error;
    const { message: detail, hint, kind } = error;
    return [{ prefix, fault: { given: label, reason: 'source', isMissing: kind === 'missing', detail, hint } }];
  }
}

function openKind({ source, label, prefix }: TypedSource, context: SourceContext): Promise<Root[]> {
  switch (source.kind) {
    case 'git':
      return openGit(source, label, prefix, context);
    case 'remote':
      return openRemote(source, label, prefix, context);
    case 'npm':
      return openPackages(source, label, prefix, context);
    case 'archive':
      return openArchive(source, label, prefix, context);
    case 'download':
      return openDownload(source, label, prefix);
  }
}

async function openGit(
  { path, ref, sub }: GitSource,
  label: string,
  prefix: string,
  { cwd, env, expand }: SourceContext,
): Promise<Root[]> {
  const gitEnv = toGitEnv(env);
  const folder = resolve(cwd, expand(path));
  const hash = await findCommit(folder, ref, gitEnv);
  return [toRoot(await listCommit({ folder, hash, env: gitEnv }, sub ?? ''), sub, label, prefix, hash)];
}

async function openRemote(
  { url, ref, sub }: RemoteSource,
  label: string,
  prefix: string,
  { env, findCache }: SourceContext,
): Promise<Root[]> {
  const cache = findCache();
  if (cache === undefined) {
    const hint = 'let XDG_CACHE_HOME name a folder that only you can write to';
    throw new SourceError('unreadable', 'there is no folder of your own for what is fetched', hint);
  }
  // what is missing is fetched in one go, and not file by file
  const gitEnv = { ...toGitEnv(env), GIT_NO_LAZY_FETCH: '1' };
  const { fetchCommit } = await import('./cached.ts');
  const { folder, hash } = await fetchCommit({ url, ref, sub }, cache, gitEnv);
  return [toRoot(await listCommit({ folder, hash, env: gitEnv }, sub ?? ''), sub, label, prefix, hash)];
}

async function openPackages(
  { package: name, sub }: NpmSource,
  label: string,
  prefix: string,
  { cwd }: SourceContext,
): Promise<Root[]> {
  if (name !== '*') {
    const { folder, revision } = findPackage(name, sub, cwd);
    return [{ tree: { ...openFolder(folder, label), revision }, prefix }];
  }
  return findPackages(sub, cwd).map(({ folder, revision, ...found }) => ({
    tree: { ...openFolder(folder, `npm:${found.name}${sub === 'skills' ? '' : `#${sub}`}`), revision },
    prefix: [prefix, found.prefix].filter((part) => part !== '').join('/'),
  }));
}

async function openArchive(
  { path }: ArchiveSource,
  label: string,
  prefix: string,
  { cwd, expand }: SourceContext,
): Promise<Root[]> {
  const { listArchive, readArchiveFile } = await import('./archive.ts');
  const bytes = await readArchiveFile(resolve(cwd, expand(path)), label);
  const { createHash } = await import('node:crypto');
  const revision = `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
  return [toArchiveRoot(await listArchive(bytes), label, prefix, revision)];
}

async function openDownload({ url, sha256 }: DownloadSource, label: string, prefix: string): Promise<Root[]> {
  const { download } = await import('./download.ts');
  const { listArchive } = await import('./archive.ts');
  return [toArchiveRoot(await listArchive(await download(url, sha256)), label, prefix, `sha256:${sha256}`)];
}

function toArchiveRoot(entries: readonly ListedEntry[], label: string, prefix: string, revision: string): Root {
  return toRoot(narrowEntries(entries, findTopFolder(entries)), undefined, label, prefix, revision);
}

function toRoot(
  entries: readonly ListedEntry[],
  sub: string | undefined,
  label: string,
  prefix: string,
  revision: string,
): Root {
  const folder = sub === undefined ? findSkillsFolder(entries) : '';
  // paths are relative to that folder, so a person has to see it
  const shown = folder !== '' && label.startsWith('git') ? `${label}:${folder}` : label;
  try {
    return { tree: createTree({ label: shown, revision, entries: narrowEntries(entries, folder) }), prefix };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new SourceError('unreadable', `${label} cannot be read: ${error.message}`, undefined, { cause: error });
  }
}
