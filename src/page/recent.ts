import type { SiteFile } from './site.ts';

/** Pages that are kept. */
const MOST = 64;

/** Keeps the pages that were asked for last: a long SKILL.md takes a while to lay out. Other files are kept by the catalog. */
export function createRecent(): (file: SiteFile) => Uint8Array {
  const kept = new Map<SiteFile, Uint8Array>();
  return (file) => {
    if (file.kind !== 'page') return file.toBytes();
    const bytes = kept.get(file) ?? file.toBytes();
    kept.delete(file);
    kept.set(file, bytes);
    const [oldest] = kept.keys();
    if (kept.size > MOST && oldest !== undefined) kept.delete(oldest);
    return bytes;
  };
}
