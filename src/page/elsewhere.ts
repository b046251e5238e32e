import { isUtf8 } from 'node:buffer';
import { decodeText, peekFile, type SkillCatalog } from '../catalog/catalog.ts';
import { compareText } from '../problems.ts';
import { groupBy } from '../text/grouping.ts';
import type { SheetFile } from './sheet.ts';

/** Addresses of one host that the files of a skill name. */
export interface Elsewhere {
  /** In lower case, with the port where one is written. */
  readonly host: string;
  /** Sorted; each once, with the files that name it. */
  readonly addresses: readonly { readonly url: string; readonly files: readonly string[] }[];
}

/** An address, as it is written in prose, in code, and in Markdown. */
const ADDRESS = /\bhttps?:\/\/[^\s<>"'`\\^{|}\0-\x1f]+/gi;

/** What ends a sentence after an address, and is not of it. */
const TRAILING = '.,;:!?*_';

/** Files that are longer are not looked into. */
const LONGEST = 1024 * 1024;

/** The addresses that are named in the files of a skill, by host: in links, in text and in code. */
export function findElsewhere(catalog: SkillCatalog, files: readonly SheetFile[]): readonly Elsewhere[] {
  const found = new Map<string, Set<string>>();
  for (const { uri, path } of files) {
    const bytes = peekFile(catalog, uri)?.bytes;
    if (bytes === undefined || bytes.length > LONGEST || !namesAddress(bytes) || !isUtf8(bytes)) continue;
    for (const [written] of decodeText(bytes).matchAll(ADDRESS)) {
      const url = trim(written);
      const paths = found.get(url) ?? new Set();
      found.set(url, paths.add(path));
    }
  }
  const addresses = [...found].flatMap(([url, paths]) => {
    const host = readHost(url);
    return host === undefined ? [] : [{ host, url, files: [...paths].sort(compareText) }];
  });
  return [...groupBy(addresses, ({ host }) => host)]
    .map(([host, named]) => ({
      host,
      addresses: named
        .map(({ url, files: paths }) => ({ url, files: paths }))
        .sort((a, b) => compareText(a.url, b.url)),
    }))
    .sort((a, b) => compareText(a.host, b.host));
}

function namesAddress(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes('://');
}

/** Without what ends a sentence, and without brackets that close none of it; in linear time. */
function trim(written: string): string {
  const surplus = new Map([
    [')', count(written, ')') - count(written, '(')],
    [']', count(written, ']') - count(written, '[')],
  ]);
  let end = written.length;
  for (; end > 0; end--) {
    const char = written.charAt(end - 1);
    const closing = surplus.get(char) ?? 0;
    if (closing > 0) surplus.set(char, closing - 1);
    else if (!TRAILING.includes(char)) break;
  }
  return written.slice(0, end);
}

function count(text: string, char: string): number {
  return text.split(char).length - 1;
}

/** The host as the address is written: a variable in its place is none. */
function readHost(url: string): string | undefined {
  const host = URL.canParse(url) ? new URL(url).host : '';
  return host === '' || host.includes('$') ? undefined : host;
}
