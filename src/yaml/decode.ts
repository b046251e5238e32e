/** The text of a file; when its bytes are not UTF-8, a stand-in with U+FFFD and the place of the first fault. */
export interface Decoded {
  readonly text: string;
  readonly fault?: {
    /** Offset in bytes (for bytes) or UTF-16 units (for a string that holds a lone surrogate). */
    readonly offset: number;
    /** The same place in UTF-16 units of `text`. */
    readonly at: number;
    readonly what: string;
  };
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const lenient = new TextDecoder('utf-8', { ignoreBOM: true });
const LONE_SURROGATE = /\p{Surrogate}/u;

/** Decodes strictly and keeps a byte order mark; never throws. */
export function decodeText(content: string | Uint8Array): Decoded {
  if (typeof content === 'string') return checkString(content);
  try {
    return { text: strict.decode(content) };
  } catch {
    const offset = findFault(content);
    const at = lenient.decode(content.subarray(0, offset)).length;
    const byte = (content[offset] ?? 0).toString(16).padStart(2, '0');
    return { text: lenient.decode(content), fault: { offset, at, what: `the byte 0x${byte}` } };
  }
}

function checkString(text: string): Decoded {
  const found = LONE_SURROGATE.exec(text);
  if (found === null) return { text };
  const code = text.charCodeAt(found.index).toString(16).toUpperCase();
  const stand = text.replace(/\p{Surrogate}/gu, '\ufffd');
  const what = `the lone surrogate U+${code}`;
  return { text: stand, fault: { offset: found.index, at: found.index, what } };
}

/** The offset of the first byte that belongs to no well-formed sequence (Unicode, table 3-7). */
function findFault(bytes: Uint8Array): number {
  let at = 0;
  while (at < bytes.length) {
    const length = measureSequence(bytes, at);
    if (length === 0) return at;
    at += length;
  }
  return at;
}

function measureSequence(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  const length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  const low = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
  const high = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
  const second = bytes[at + 1] ?? 0;
  if (second < low || second > high) return 0;
  for (let more = 2; more < length; more += 1) {
    if (((bytes[at + more] ?? 0) & 0xc0) !== 0x80) return 0;
  }
  return length;
}
