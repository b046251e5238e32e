import { open } from 'node:fs/promises';
import type { ListedEntry } from '../disk/source.ts';
import { LIMITS, tooLarge } from './bounds.ts';
import { SourceError } from './trouble.ts';

/**
 * Reads an archive from the disk.
 *
 * @throws SourceError
 */
export async function readArchiveFile(path: string, shown: string): Promise<Buffer> {
  let handle: Awaited<ReturnType<typeof open>> | undefined;
  try {
    handle = await open(path, 'r');
    const stats = await handle.stat();
    if (!stats.isFile()) throw new SourceError('unreadable', `"${shown}" is not a file`);
    if (stats.size > LIMITS.packed) throw tooLarge('it has', stats.size, LIMITS.packed);
    const bytes = await handle.readFile();
    if (bytes.length !== stats.size) throw new SourceError('unreadable', 'it changed while it was read');
    return bytes;
  } catch (error) {
    if (error instanceof SourceError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') {
      throw new SourceError('missing', `there is no file "${shown}"`, 'create it, or pass its absolute path');
    }
    throw new SourceError('unreadable', `"${shown}" cannot be read: ${code ?? message}`, undefined, { cause: error });
  } finally {
    await handle?.close();
  }
}

/**
 * The entries of an archive, by what its first bytes say that it is. Nothing is written to disk.
 *
 * @throws SourceError for an archive that is over a limit, damaged, or has a path that leads elsewhere
 */
export async function listArchive(bytes: Buffer): Promise<ListedEntry[]> {
  if (bytes.length > LIMITS.packed) throw tooLarge('it has', bytes.length, LIMITS.packed);
  if (bytes[0] === 0x50 && bytes[1] === 0x4b) return (await import('./unzip.ts')).listZip(bytes);
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return (await import('./tar.ts')).listTar(bytes);
  throw new SourceError('unreadable', 'it is neither a zip file nor a tar file packed by gzip');
}
