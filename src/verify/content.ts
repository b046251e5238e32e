// Judges what a read of one file returned: its form, its bytes, its size and its digest. Uses nothing of Node.
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import type { SkillResource } from '../catalog/catalog.ts';
import { isRecord } from '../catalog/foreign.ts';
import { formatNumber } from '../text/count.ts';
import type { CheckCode, Fault } from './checks.ts';
import { showValue } from './difference.ts';

/** The content of one file as a server returned it. */
export interface ServedContent {
  /** Its bytes; those of the text in UTF-8 where it came as text. */
  readonly bytes: Uint8Array;
  /** Whether it came as text. */
  readonly isText: boolean;
  readonly mimeType?: string;
}

/** What {@link readContent} found. `content` is absent exactly where there is a fault. */
export interface JudgedContent {
  readonly content?: ServedContent;
  readonly faults: readonly Fault[];
}

/** Nothing is tried with a larger file: each try is a copy of it. */
const MAX_VARIED = 1024 * 1024;
/** What no standard base64 has. Looked for, because a pattern for all of a large file is more than the engine can hold. */
const NOT_BASE64 = /[^A-Za-z0-9+/=]/;
const LONE_SURROGATE = /\p{Surrogate}/u;
const encoder = new TextEncoder();

/**
 * Reads the result of `resources/read`, which is exactly one content item with the URI that was asked for, and either text or base64.
 *
 * @param uri - the URI that was asked for
 */
export function readContent(result: unknown, uri: string): JudgedContent {
  const fail = (code: CheckCode, message: string) => ({ faults: [{ code, message, file: uri }] });
  const contents = isRecord(result) ? result['contents'] : undefined;
  if (!Array.isArray(contents)) return fail('read-count', `the "contents" are ${showValue(contents)}, not a list`);
  if (contents.length !== 1) return fail('read-count', `the read returned ${contents.length} content items, not one`);
  const [item] = contents as readonly unknown[];
  if (!isRecord(item)) return fail('read-count', `the content item is ${showValue(item)}, not an object`);
  const { text, blob, mimeType } = item;
  if (item['uri'] !== uri)
    return fail('read-uri', `the content has the URI ${showValue(item['uri'])}, not the one asked for`);
  if (typeof text === 'string' && blob !== undefined)
    return fail('read-encoding', 'the content has both "text" and "blob"');
  const type = typeof mimeType === 'string' ? { mimeType } : {};
  if (typeof text === 'string') {
    if (LONE_SURROGATE.test(text))
      return fail('read-encoding', 'the text has half of a surrogate pair, which UTF-8 cannot encode');
    return { content: { bytes: encoder.encode(text), isText: true, ...type }, faults: [] };
  }
  if (typeof blob !== 'string') return fail('read-encoding', 'the content has neither "text" nor "blob" as a string');
  if (!isBase64(blob)) return fail('read-encoding', 'the "blob" is not standard base64');
  return { content: { bytes: fromBase64(blob), isText: false, ...type }, faults: [] };
}

/** Judges bytes against the size and the digest that the entry lists. The size comes first: a file that is too long is never hashed. */
export function judgeBytes(resource: SkillResource, { bytes, isText }: ServedContent): readonly Fault[] {
  const { uri, size, digest } = resource;
  if (bytes.length === size && digestOf(bytes) === digest) return [];
  const damaged = isText && bytes.length !== size ? describeDamage(bytes) : undefined;
  if (damaged !== undefined)
    return [{ code: 'read-encoding', message: damaged, hint: 'return it as a "blob"', file: uri }];
  const hint = isText ? findVariant(resource, bytes) : undefined;
  const why = hint === undefined ? {} : { hint };
  if (bytes.length !== size) {
    const message = `the file has ${formatNumber(bytes.length)} bytes, and the entry lists ${formatNumber(size)}`;
    return [{ code: 'size-differs', message, file: uri, ...why }];
  }
  return [
    {
      code: 'digest-differs',
      message: `the digest of the file is ${digestOf(bytes)}, and the entry lists ${digest}`,
      file: uri,
      ...why,
    },
  ];
}

/** The digest of bytes, as an entry lists it. */
export function digestOf(bytes: Uint8Array): string {
  return `sha256:${bytesToHex(sha256(bytes))}`;
}

/** SHA-256 of a text in UTF-8, as 64 lowercase hex digits. */
export function textDigestOf(text: string): string {
  return bytesToHex(sha256(encoder.encode(text)));
}

/** A replacement character in a text of the wrong size is what became of bytes that are not UTF-8. */
function describeDamage(bytes: Uint8Array): string | undefined {
  for (let at = bytes.indexOf(0xef); at !== -1; at = bytes.indexOf(0xef, at + 1)) {
    if (bytes[at + 1] !== 0xbf || bytes[at + 2] !== 0xbd) continue;
    return 'the content came as text with replacement characters: its bytes are not UTF-8';
  }
  return undefined;
}

/** What was done to a text on its way, if undoing it gives the digest of the entry. */
function findVariant({ size, digest }: SkillResource, bytes: Uint8Array): string | undefined {
  if (bytes.length > MAX_VARIED) return undefined;
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  const lines = text.replaceAll('\r\n', '\n');
  const variants: readonly (readonly [string, string])[] = [
    [lines, 'the entry is of the file with LF line ends, and CRLF was sent'],
    [lines.replaceAll('\n', '\r\n'), 'the entry is of the file with CRLF line ends, and LF was sent'],
    [`\ufeff${text}`, 'the entry is of the file with a byte order mark, which was not sent'],
    [text.replace(/^\ufeff/, ''), 'the entry is of the file without the byte order mark that was sent'],
    [`${text}\n`, 'the entry is of the file with a final line end, which was not sent'],
    [text.replace(/\n$/, ''), 'the entry is of the file without the final line end that was sent'],
  ];
  const found = variants.find(([variant]) => {
    const candidate = encoder.encode(variant);
    return candidate.length === size && digestOf(candidate) === digest;
  });
  return found?.[1];
}

/** Whether a text is base64 of the standard alphabet, with its padding. */
function isBase64(text: string): boolean {
  const end = text.indexOf('=');
  const padding = end === -1 ? '' : text.slice(end);
  return text.length % 4 === 0 && /^={0,2}$/.test(padding) && !NOT_BASE64.test(text);
}

function fromBase64(content: string): Uint8Array {
  const binary = atob(content);
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at++) bytes[at] = binary.charCodeAt(at);
  return bytes;
}
