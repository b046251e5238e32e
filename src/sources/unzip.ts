import { isUtf8 } from 'node:buffer';
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl';
import type { ListedEntry } from '../disk/source.ts';
import { EntryGuard } from './bounds.ts';
import { crc32 } from './crc.ts';
import { SourceError } from './trouble.ts';

/** The system that made an entry, in the upper byte of its version: its mode is in the upper half of its attributes. */
const UNIX = 3;
const TYPE_MASK = 0o170000;
const TYPES = { folder: 0o040000, file: 0o100000, link: 0o120000 } as const;

/**
 * The entries of a zip file; each is unpacked when it is read.
 *
 * @throws SourceError
 */
export async function listZip(bytes: Buffer): Promise<ListedEntry[]> {
  const guard = new EntryGuard();
  const entries: ListedEntry[] = [];
  try {
    const zip = await fromBufferPromise(bytes, { lazyEntries: true, decodeStrings: false });
    for await (const entry of zip.eachEntry()) {
      const path = guard.admit(readName(entry), entry.uncompressedSize, entry.compressedSize);
      const kind = toKind(entry);
      if (path === undefined || kind === 'folder') continue;
      if (entry.isEncrypted()) throw new SourceError('unreadable', `"${path}" is encrypted`);
      entries.push({ path, kind, size: entry.uncompressedSize, read: () => unpack(zip, entry, path) });
    }
  } catch (error) {
    if (error instanceof SourceError) throw error;
    throw new SourceError('unreadable', `it is damaged: ${(error as Error).message}`, undefined, { cause: error });
  }
  return entries;
}

/** @throws SourceError for a name that is not UTF-8, which each program would read in its own way */
function readName(entry: Entry): string {
  const bytes = entry.fileName as unknown as Buffer;
  if (!isUtf8(bytes)) throw new SourceError('unreadable', `its path "${bytes.toString('latin1')}" is not UTF-8`);
  // whether the flag for UTF-8 is set or not: programs of Unix often leave it out
  return bytes.toString('utf8');
}

function toKind({ versionMadeBy, externalFileAttributes }: Entry): ListedEntry['kind'] | 'folder' {
  const type = versionMadeBy >> 8 === UNIX ? (externalFileAttributes >>> 16) & TYPE_MASK : 0;
  if (type === TYPES.link) return 'link';
  if (type === TYPES.folder) return 'folder';
  return type === TYPES.file || type === 0 ? 'file' : 'special';
}

async function unpack(zip: ZipFile, entry: Entry, path: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  // what has more bytes than it says ends the stream with an error
  for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  if (crc32(bytes) !== entry.crc32 >>> 0) throw new Error(`the checksum of "${path}" is another one`);
  return bytes;
}
