import { type PinnedFile, peekFile, type Skill, type SkillCatalog } from '../../catalog/catalog.ts';
import { compareText } from '../../problems.ts';
import { toBase64 } from '../../text/base64.ts';
import { countOf } from '../../text/count.ts';
import { listFolder, toFolder } from '../listed.ts';
import { quote } from '../lookup.ts';
import { toMark } from '../mark.ts';
import type { Result } from '../methods.ts';
import type { ToolNames } from '../naming.ts';
import { countBytes } from '../pages.ts';
import { FILE_BYTES } from '../presentation.ts';
import { CALL_BYTES, MOST_PATHS } from './definitions.ts';
import { isShownImage } from './images.ts';
import { WrongInput } from './input.ts';
import { explainMiss, findFolder } from './miss.ts';
import { isPartEnd, type Part, readLines, readPart } from './parts.ts';
import type { Room } from './room.ts';

/** Bytes of an answer as JSON, at the most: a longer message closes the connection of some clients, and more stands around it. */
const ANSWER_BYTES = 9 * 1024 * 1024;

/** A shorter part of a file is not worth a place beside others. */
const LEAST_PART = 1024;

/** What a call for files asks for. */
export interface FileRequest {
  readonly paths: readonly string[];
  /** In bytes. */
  readonly offset: number | undefined;
  /** In bytes. */
  readonly length: number | undefined;
  readonly names: ToolNames;
  /** What the answer holds where no length is given. */
  readonly room: Room;
}

interface Miss {
  readonly path: string;
  readonly error: string;
}

interface Folder {
  readonly path: string;
  readonly list: string;
}

interface Binary {
  readonly path: string;
  readonly uri: string;
  readonly binary: PinnedFile;
}

interface Text {
  readonly path: string;
  /** What ends its content where more follows. */
  readonly mark: string;
  readonly file: PinnedFile;
  readonly start: number;
  /** In bytes; undefined for as much as there is room for. */
  readonly length: number | undefined;
}

type Slot = Miss | Folder | Binary | Text;

/**
 * Reads files of a skill. All is judged from sizes before a file is touched, so what comes back depends on which files were asked
 * for and not on their order; a path that cannot be read fails alone.
 *
 * @throws WrongInput where the call as a whole cannot be answered
 */
export function readFiles(catalog: SkillCatalog, skill: Skill, request: FileRequest): Result {
  const { paths, length } = request;
  if (paths.length > MOST_PATHS) {
    throw new WrongInput(
      `${paths.length} paths are too many: a call takes ${MOST_PATHS}, so ask for the rest in another`,
    );
  }
  if (length === 0 || (length ?? 0) > FILE_BYTES) {
    throw new WrongInput(`the argument "length" must be from 1 to ${FILE_BYTES}`);
  }
  const slots = paths.map((path) => planFile(catalog, skill, path, request));
  assertSum(slots);
  const result = toResult(slots, request.room);
  // sizes do not tell how much a text grows in JSON: a control character takes six bytes there
  if (countBytes(result) <= ANSWER_BYTES) return result;
  throw new WrongInput(
    'these files are too long to answer together, being full of control characters: ask for fewer at a time, or for parts, with length',
  );
}

function planFile(
  catalog: SkillCatalog,
  skill: Skill,
  path: string,
  { paths, offset, length, names, room }: FileRequest,
): Slot {
  const base = toFolder(skill);
  // links in a SKILL.md are often written with "./", and models copy URIs
  const uri = path.startsWith(base) ? path : base + path.replace(/^\.\//, '');
  const file = peekFile(catalog, uri);
  const resource = skill.resources.find((each) => each.uri === uri);
  if (file === undefined || resource === undefined) {
    const folder = findFolder(skill, path);
    if (folder === undefined) return { path, error: explainMiss(catalog, skill, path, names) };
    return { path, list: listFolder(catalog, skill, folder, room.part / paths.length) };
  }
  const size = file.bytes.length;
  const isPart = offset !== undefined || length !== undefined;
  if (!file.isText) {
    if (isPart)
      return { path, error: `it is ${file.mimeType}, and only text is read in parts: leave out offset and length` };
    if (size > FILE_BYTES)
      return { path, error: `it is ${countOf(size, 'byte')}, and a binary file may have at most ${FILE_BYTES}` };
    return { path, uri, binary: file };
  }
  const start = offset ?? 0;
  if (start > 0 && isPartEnd(file.bytes, start)) {
    return { path, error: `nothing follows the offset ${start}: it is ${countOf(size, 'byte')}` };
  }
  return { path, mark: toMark(resource), file, start, length };
}

/** Bytes of what a call asks for by length, and of what is no text. */
function assertSum(slots: readonly Slot[]): void {
  const sizes = slots.flatMap((slot) => {
    if ('binary' in slot) return [{ path: slot.path, bytes: slot.binary.bytes.length }];
    if (!('file' in slot) || slot.length === undefined) return [];
    return [{ path: slot.path, bytes: Math.min(slot.length, slot.file.bytes.length - slot.start) }];
  });
  const sum = sizes.reduce((total, { bytes }) => total + bytes, 0);
  if (sum <= CALL_BYTES) return;
  const each = sizes.map(({ path, bytes }) => `${path} ${bytes}`).join(', ');
  throw new WrongInput(
    `these files are ${sum} bytes together and a call gives ${CALL_BYTES}: ask for fewer at a time (${each})`,
  );
}

function toResult(slots: readonly Slot[], room: Room): Result {
  const parts = readParts(slots, room);
  let open: string | undefined;
  const content = slots.flatMap((slot, index) => {
    // some hosts join blocks with nothing between them
    const end = open === undefined ? '' : `\n=== ${open} ===\n`;
    open = undefined;
    if ('error' in slot) return [toBlock(`${end}${quote(slot.path)} was not read: ${slot.error}\n`)];
    if ('list' in slot) return [toBlock(`${end}${quote(slot.path)} is a folder:\n${slot.list}\n`)];
    if ('binary' in slot) return toBinary(slot, end);
    const part = parts.get(slot);
    if (part === undefined) {
      return [toBlock(`${end}${quote(slot.path)} was not read: this answer is full, so ask for it in another call\n`)];
    }
    const isLast = index === slots.length - 1;
    const blocks = toText(slot, part, end, isLast);
    if (blocks.length > 1 && !isLast) open = slot.mark;
    return blocks;
  });
  return { content, ...(slots.every((slot) => 'error' in slot) ? { isError: true } : {}) };
}

/**
 * What is read of each text. Where no length is given, the texts share the room of one answer with lists of folders: the short ones
 * come whole, and one more as far as there is room.
 */
function readParts(slots: readonly Slot[], room: Room): ReadonlyMap<Text, Part> {
  const texts = slots.filter((slot) => 'file' in slot);
  const toRest = ({ file, start }: Text) => file.bytes.length - start;
  const parts = new Map<Text, Part>();
  let left = slots.reduce((rest, slot) => rest - ('list' in slot ? slot.list.length : 0), room.part);
  for (const text of [...texts].sort((a, b) => toRest(a) - toRest(b) || compareText(a.path, b.path))) {
    const { file, start, length } = text;
    if (length !== undefined) parts.set(text, readPart(file.bytes, start, length));
    else if (toRest(text) <= left || left >= LEAST_PART) {
      const part = readLines(file.bytes, start, left);
      parts.set(text, part);
      left -= part.end - part.start;
      if (part.end < file.bytes.length) left = 0;
    }
  }
  return parts;
}

function toBinary({ path, uri, binary: { mimeType, bytes } }: Binary, before: string): object[] {
  const data = toBase64(bytes);
  const block = isShownImage(mimeType, bytes)
    ? { type: 'image', data, mimeType }
    : { type: 'resource', resource: { uri, mimeType, blob: data } };
  return [toBlock(`${before}${path} (${mimeType}, ${countOf(bytes.length, 'byte')}):\n`), block];
}

/**
 * A heading with an empty line at its end, and the content. The heading says how far the content goes, so that nothing in it is taken
 * for a heading of ours.
 */
function toText({ path, mark, file }: Text, { text, start, end }: Part, before: string, isLast: boolean): object[] {
  const size = file.bytes.length;
  const isWhole = start === 0 && end === size;
  const place = `bytes ${start} to ${end} of ${size}`;
  const more = end < size ? `Go on with offset ${end}: ${place} of ${path} are here.\n` : '';
  const detail = isWhole ? countOf(size, 'byte') : end < size ? place : `${place}, the end`;
  const head = `${before}${more}${path} (${file.mimeType}, ${detail})`;
  // hosts refuse a conversation with a block that holds nothing but blanks
  if (text.trim() === '') return [toBlock(`${head}: ${text === '' ? 'empty' : 'only white space'}\n`)];
  const reach = isLast ? 'to the end of this answer' : `up to the line "=== ${mark} ==="`;
  return [toBlock(`${head}, content of the skill ${reach}:\n\n`), toBlock(text)];
}

function toBlock(text: string): object {
  return { type: 'text', text };
}
