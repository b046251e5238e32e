import {
  decodeText,
  type PinnedFile,
  peekFile,
  type Skill,
  type SkillCatalog,
  toSkillPath,
} from '../catalog/catalog.ts';
import { toBase64 } from './base64.ts';
import { CALL_BYTES, MOST_PATHS } from './definitions.ts';
import { quote } from './find.ts';
import { isShownImage } from './images.ts';
import { WrongInput } from './input.ts';
import type { Result } from './methods.ts';
import { explainMiss } from './miss.ts';
import { countBytes } from './pages.ts';
import { isPartEnd, readPart } from './parts.ts';
import { ANSWER_BYTES, FILE_BYTES, toFolder } from './present.ts';

/** What a call of `skill_file` asks for. */
export interface FileRequest {
  readonly paths: readonly string[];
  /** In bytes. */
  readonly offset: number | undefined;
  /** In bytes. */
  readonly length: number | undefined;
}

/** A file that will be answered. */
interface Plan {
  readonly path: string;
  readonly uri: string;
  readonly file: PinnedFile;
  /** Only where a part was asked for. */
  readonly offset?: number;
  /** Bytes that it adds to the answer. */
  readonly bytes: number;
}

type Slot = Plan | { readonly path: string; readonly error: string };

/** For a reader who sees the structure alone. */
const BESIDE = 'the content beside this holds the file';

/** Text that stands in the structure as well, together. Above it only the content has it: twice would not fit into one message. */
const STRUCTURED_BYTES = 1024 * 1024;

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
  const plans = slots.filter((slot) => 'file' in slot);
  const sum = plans.reduce((total, { bytes }) => total + bytes, 0);
  if (sum > CALL_BYTES) {
    const sizes = plans.map(({ path, bytes }) => `${path} ${bytes}`).join(', ');
    throw new WrongInput(
      `these files are ${sum} bytes together and a call gives ${CALL_BYTES}: ask for fewer at a time (${sizes})`,
    );
  }
  const structured = chooseStructured(plans);
  const result = toResult(skill, slots, structured);
  // sizes do not tell how much a text grows in JSON: a control character takes six bytes there
  if (estimate(plans, structured) <= ANSWER_BYTES || countBytes(result) <= ANSWER_BYTES) return result;
  const once = toResult(skill, slots, new Set());
  if (countBytes(once) <= ANSWER_BYTES) return once;
  throw new WrongInput(
    'these files are too long to answer together, being full of control characters: ask for fewer at a time, or for parts, with length',
  );
}

function toResult(skill: Skill, slots: readonly Slot[], structured: ReadonlySet<Plan>): Result {
  const answers = slots.map((slot) => {
    if ('error' in slot) return toMiss(slot.path, slot.error);
    return slot.file.isText ? toText(slot, structured.has(slot)) : toBinary(slot);
  });
  return {
    content: answers.flatMap(({ content }) => content),
    structuredContent: { skill: toSkillPath(skill.uri), files: answers.map(({ file }) => file) },
    ...(slots.every((slot) => 'error' in slot) ? { isError: true } : {}),
  };
}

/** The texts that stand in the structure too, the short ones first: many hosts show a model nothing else of an answer. */
function chooseStructured(plans: readonly Plan[]): ReadonlySet<Plan> {
  const chosen = new Set<Plan>();
  let left = STRUCTURED_BYTES;
  for (const plan of plans.filter(({ file }) => file.isText).sort((a, b) => a.bytes - b.bytes)) {
    left -= plan.bytes;
    if (left < 0) break;
    chosen.add(plan);
  }
  return chosen;
}

/** The most bytes that the answer can have as JSON. */
function estimate(plans: readonly Plan[], structured: ReadonlySet<Plan>): number {
  const toMost = (plan: Plan) =>
    plan.file.isText ? plan.bytes * (structured.has(plan) ? 12 : 6) : (plan.bytes * 4) / 3;
  return plans.reduce((sum, plan) => sum + toMost(plan), 0);
}

function planFile(catalog: SkillCatalog, skill: Skill, path: string, { offset, length }: FileRequest): Slot {
  const folder = toFolder(skill);
  // links in a SKILL.md are often written with "./", and models copy URIs
  const uri = path.startsWith(folder) ? path : folder + path.replace(/^\.\//, '');
  const file = peekFile(catalog, uri);
  if (file === undefined) return { path, error: explainMiss(catalog, skill, path) };
  const size = file.bytes.length;
  const { isText } = file;
  const plan = { path, uri, file };
  const isPart = offset !== undefined || length !== undefined;
  if (isPart && !isText)
    return { path, error: `it is ${file.mimeType}, and only text is read in parts: leave out offset and length` };
  if (!isPart) {
    if (size <= FILE_BYTES) return { ...plan, bytes: size };
    const way = isText
      ? 'read it in parts, with offset and length'
      : `no tool here reads it, but hosts that read resources have it as ${uri}`;
    return { path, error: `it is ${size} bytes and a file here is at most ${FILE_BYTES}: ${way}` };
  }
  const start = offset ?? 0;
  if (start > 0 && isPartEnd(file.bytes, start)) {
    return { path, error: `nothing stands behind the offset ${start}: it is ${size} bytes` };
  }
  return { ...plan, offset: start, bytes: Math.min(length ?? FILE_BYTES, size - start) };
}

function toMiss(path: string, error: string): { content: object[]; file: object } {
  return { content: [toBlock(`${quote(path)} was not read: ${error}`)], file: { path, error } };
}

function toBinary({ path, uri, file: { mimeType, bytes } }: Plan): { content: object[]; file: object } {
  const size = bytes.length;
  const data = toBase64(bytes);
  const isImage = isShownImage(mimeType, bytes);
  const block = isImage
    ? { type: 'image', data, mimeType }
    : { type: 'resource', resource: { uri, mimeType, blob: data } };
  return {
    content: [toBlock(`${path} (${mimeType}, ${size} bytes):`), block],
    file: {
      path,
      uri,
      mimeType,
      size,
      as: isImage ? 'image' : 'resource',
      note: `${BESIDE}; where that is not shown, the resource ${uri} has it`,
    },
  };
}

function toText({ path, uri, file, offset, bytes }: Plan, isStructured: boolean): { content: object[]; file: object } {
  const { mimeType } = file;
  const size = file.bytes.length;
  const known = { path, uri, mimeType, size, as: 'text' };
  const toAnswer = (detail: string, text: string, place: object) => ({
    content: toBlocks(`${path} (${mimeType}, ${detail})`, text),
    file: {
      ...known,
      ...(isStructured
        ? { text }
        : { note: `${BESIDE}; where that is not shown, ask for this file alone, or for parts, with length` }),
      ...place,
    },
  });
  if (offset === undefined) return toAnswer(`${size} bytes`, decodeText(file.bytes), {});
  const { text, start, end } = readPart(file.bytes, offset, bytes);
  const more = end < size ? `, go on with offset ${end}` : ', the end';
  return toAnswer(`bytes ${start} to ${end} of ${size}${more}`, text, {
    offset: start,
    ...(end < size ? { nextOffset: end } : {}),
  });
}

/** Hosts refuse a conversation with a block that holds nothing but blanks. */
function toBlocks(head: string, text: string): object[] {
  if (text.trim() !== '') return [toBlock(`${head}:`), toBlock(text)];
  return [toBlock(`${head}: ${text === '' ? 'empty' : 'nothing but blanks'}`)];
}

function toBlock(text: string): object {
  return { type: 'text', text };
}
