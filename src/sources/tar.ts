import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { extract, type Header } from 'tar-stream';
import type { ListedEntry } from '../disk/source.ts';
import { EntryGuard, LIMITS, tooLarge } from './bounds.ts';
import { SourceError } from './trouble.ts';

/** Bytes that any archive may grow to: a header and its padding pack very well. */
const SLACK = 16 * 1024 * 1024;

const KINDS: Readonly<Record<string, ListedEntry['kind'] | 'folder' | 'note'>> = {
  file: 'file',
  'contiguous-file': 'file',
  symlink: 'link',
  // a second name of a file is no content of its own, and is refused as a link is
  link: 'link',
  directory: 'folder',
  'pax-global-header': 'note',
};

/**
 * The entries of a tar file that gzip packed, unpacked in memory up to the limits.
 *
 * @throws SourceError
 */
export async function listTar(bytes: Buffer): Promise<ListedEntry[]> {
  const guard = new EntryGuard();
  const entries: ListedEntry[] = [];
  const tar = extract();
  tar.on('entry', (header, stream, next) => {
    const content = stream as unknown as AsyncIterable<Uint8Array>;
    takeEntry(header, content, guard, entries).then(
      () => next(),
      (error: Error) => next(error),
    );
  });
  const most = Math.min(LIMITS.unpacked + SLACK, bytes.length * LIMITS.ratio + SLACK);
  try {
    await pipeline(Readable.from(slice(bytes)), createGunzip(), limit(most), tar as unknown as NodeJS.WritableStream);
  } catch (error) {
    if (error instanceof SourceError) throw error;
    throw new SourceError('unreadable', `it is damaged: ${(error as Error).message}`, undefined, { cause: error });
  }
  return entries;
}

function* slice(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
}

function limit(most: number): (chunks: AsyncIterable<Buffer>) => AsyncGenerator<Buffer> {
  return async function* (chunks) {
    let bytes = 0;
    for await (const chunk of chunks) {
      bytes += chunk.length;
      if (bytes > most) throw tooLarge('unpacked it has more than', bytes, most);
      yield chunk;
    }
  };
}

async function takeEntry(
  header: Header,
  stream: AsyncIterable<Uint8Array>,
  guard: EntryGuard,
  entries: ListedEntry[],
): Promise<void> {
  const kind = KINDS[header.type ?? 'file'] ?? 'special';
  const chunks: Uint8Array[] = [];
  const path = kind === 'note' ? undefined : guard.admit(header.name, kind === 'file' ? (header.size ?? 0) : 0);
  for await (const chunk of stream) if (kind === 'file') chunks.push(chunk);
  if (path === undefined || kind === 'folder' || kind === 'note') return;
  const content = kind === 'link' ? Buffer.from(header.linkname ?? '') : Buffer.concat(chunks);
  entries.push({ path, kind, size: content.length, read: () => content });
}
