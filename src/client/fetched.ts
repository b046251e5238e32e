import type { SkillResource } from '../catalog/catalog.ts';
import { MAX_BYTES } from '../catalog/manifest.ts';
import { formatNumber } from '../text/count.ts';
import { escapeText } from '../text/escape.ts';
import { isRecord } from '../text/jsonvalue.ts';
import { judgeBytes, readContent, type ServedContent } from '../verify/content.ts';
import { askServer, describeFailure, isNotFound } from './ask.ts';
import type { SkillConnection } from './connection.ts';

/** How long a request may take, and what aborts it. */
export interface Patience {
  /** Milliseconds. */
  readonly timeout: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * What came of a read: the content; `wrong` where the server answered, and not with what the entry lists; `failed` where it could not be
 * asked. The reasons are sentences, safe to show.
 */
export type Fetched = { readonly content: ServedContent } | { readonly wrong: string } | { readonly failed: string };

/**
 * Reads one file that an entry lists, and checks its length and its digest. A file of a dynamic skill has neither: of it only the length
 * is checked.
 *
 * @param most - bytes that a file of a dynamic skill may have
 */
export async function fetchFile(
  connection: SkillConnection,
  file: SkillResource | { readonly uri: string },
  patience: Patience,
  most = MAX_BYTES,
): Promise<Fetched> {
  const { uri } = file;
  const listed = 'digest' in file ? file : undefined;
  let result: unknown;
  try {
    result = await askServer(connection, 'resources/read', { uri }, patience);
  } catch (error) {
    return isNotFound(error)
      ? { wrong: 'its server no longer has the file' }
      : { failed: `the file could not be read: ${describeFailure(error)}` };
  }
  if (isLonger(result, listed?.size ?? most)) return { wrong: describeLength(listed, most) };
  const { content, faults } = readContent(result, uri);
  const [fault] = content === undefined || listed === undefined ? faults : judgeBytes(listed, content);
  if (fault !== undefined) return { wrong: escapeText(fault.message) };
  if (content === undefined) return { wrong: 'the answer of its server has no content' };
  return listed === undefined && content.bytes.length > most ? { wrong: describeLength(listed, most) } : { content };
}

function describeLength(listed: SkillResource | undefined, most: number): string {
  return listed === undefined
    ? `the skill has more than ${formatNumber(most)} bytes, and nothing about them can be verified`
    : `the file is longer than the ${formatNumber(listed.size)} bytes that the entry lists`;
}

/** Whether the content is too long for sure, before anything is made of it. */
function isLonger(result: unknown, most: number): boolean {
  const contents = isRecord(result) ? result['contents'] : undefined;
  const [item] = Array.isArray(contents) ? (contents as readonly unknown[]) : [];
  if (!isRecord(item)) return false;
  const { text, blob } = item;
  // a UTF-16 unit is a byte of UTF-8 at least, and four characters of base64 are one at least
  if (typeof text === 'string') return text.length > most;
  return typeof blob === 'string' && blob.length / 4 > most / 3 + 1;
}
