import { type Skill, type SkillCatalog, type SkillFile, toSkillPath } from '../catalog/catalog.ts';
import { toBase64 } from './base64.ts';
import { CALL_BYTES, MOST_PATHS } from './definitions.ts';
import { quote, toAdvice } from './find.ts';
import { isShownImage } from './images.ts';
import { WrongInput } from './input.ts';
import type { Result } from './methods.ts';
import { findNearest } from './nearest.ts';
import { readPart } from './parts.ts';
import { FILE_BYTES, toFilePath } from './present.ts';

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
  readonly file: SkillFile;
  readonly isText: boolean;
  /** Only where a part was asked for. */
  readonly offset?: number;
  /** Bytes that it adds to the answer. */
  readonly bytes: number;
}

type Slot = Plan | { readonly path: string; readonly error: string };

/** A longer message closes the connection of some clients; what stands around an answer has room beside it. */
const ANSWER_BYTES = 9 * 1024 * 1024;

/** Text that stands in the structure as well. Above it only the content has it: twice would not fit into one message. */
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
  const sum = slots.reduce((bytes, slot) => bytes + ('error' in slot ? 0 : slot.bytes), 0);
  if (sum > CALL_BYTES) {
    const sizes = slots.flatMap((slot) => ('error' in slot ? [] : [`${slot.path} ${slot.bytes}`])).join(', ');
    throw new WrongInput(
      `these files are ${sum} bytes together and a call gives ${CALL_BYTES}: ask for fewer at a time (${sizes})`,
    );
  }
  const texts = slots.reduce((bytes, slot) => bytes + ('error' in slot || !slot.isText ? 0 : slot.bytes), 0);
  const answers = slots.map((slot) =>
    'error' in slot ? toMiss(slot.path, slot.error) : toAnswer(slot, texts <= STRUCTURED_BYTES),
  );
  const result = {
    content: answers.flatMap(({ content }) => content),
    structuredContent: { skill: toSkillPath(skill.uri), files: answers.map(({ file }) => file) },
  };
  // sizes do not tell how much a text grows in JSON: a control character takes six bytes there
  if (texts > ANSWER_BYTES / 12 && JSON.stringify(result).length > ANSWER_BYTES) {
    throw new WrongInput(
      'these files are too long to answer together, being full of control characters: ask for parts, with length',
    );
  }
  return {
    ...result,
    ...(slots.every((slot) => 'error' in slot) ? { isError: true } : {}),
  };
}

function planFile(catalog: SkillCatalog, skill: Skill, path: string, { offset, length }: FileRequest): Slot {
  const folder = skill.uri.slice(0, skill.uri.lastIndexOf('/') + 1);
  // links in a SKILL.md are often written with "./", and models copy URIs
  const file = catalog.read(path.startsWith(folder) ? path : folder + path.replace(/^\.\//, ''));
  if (file === undefined || !file.uri.startsWith(folder)) return { path, error: explainMiss(catalog, skill, path) };
  const { size, uri, mimeType } = file;
  const isText = 'text' in file;
  const isPart = offset !== undefined || length !== undefined;
  if (isPart && !isText)
    return { path, error: `it is ${mimeType}, and only text is read in parts: leave out offset and length` };
  if (!isPart) {
    if (size <= FILE_BYTES) return { path, file, isText, bytes: size };
    const way = isText ? 'read it in parts, with offset and length' : `read it as the resource ${uri}`;
    return { path, error: `it is ${size} bytes and a file here is at most ${FILE_BYTES}: ${way}` };
  }
  const start = offset ?? 0;
  if (start >= size && size > 0) return { path, error: `the offset ${start} is behind its end: it is ${size} bytes` };
  return { path, file, isText, offset: start, bytes: Math.min(length ?? FILE_BYTES, size - start) };
}

function explainMiss(catalog: SkillCatalog, skill: Skill, path: string): string {
  const paths = skill.resources.map(({ uri }) => toFilePath(skill, uri));
  const folder = `${skill.uri.slice(0, skill.uri.lastIndexOf('/') + 1)}${path.replace(/^\.\//, '').replace(/\/+$/, '')}`;
  if (path !== '' && catalog.readDirectory(folder) !== undefined) {
    const inside = skill.resources
      .filter(({ uri }) => uri.startsWith(`${folder}/`))
      .map(({ uri }) => toFilePath(skill, uri));
    return `it is a folder: ask for its files, such as ${inside.slice(0, 3).map(quote).join(', ')}`;
  }
  const advice = toAdvice(findNearest(path, paths));
  return `the skill has no file ${quote(path)}${advice || '; skill_load lists the files that it has'}`;
}

function toMiss(path: string, error: string): { content: object[]; file: object } {
  const shown = quote(path);
  return { content: [{ type: 'text', text: `${shown} was not read: ${error}` }], file: { path, error } };
}

function toAnswer(plan: Plan, isStructured: boolean): { content: object[]; file: object } {
  const { path, file, isText, offset } = plan;
  const { uri, mimeType, size } = file;
  const base = { path, uri, mimeType, size };
  const toHead = (detail: string) => ({ type: 'text', text: `${path} (${mimeType}, ${detail}):` });
  if (!isText) {
    const bytes = file.bytes;
    const data = toBase64(bytes);
    const isImage = isShownImage(mimeType, bytes);
    const block = isImage
      ? { type: 'image', data, mimeType }
      : { type: 'resource', resource: { uri, mimeType, blob: data } };
    return { content: [toHead(`${size} bytes`), block], file: { ...base, as: isImage ? 'image' : 'resource' } };
  }
  const known = { ...base, as: 'text' };
  if (offset === undefined) {
    const text = file.text ?? '';
    return {
      content: [toHead(`${size} bytes`), { type: 'text', text }],
      file: { ...known, ...(isStructured ? { text } : {}) },
    };
  }
  const { text, start, end } = readPart(file.bytes, offset, plan.bytes);
  const next = end < size ? { nextOffset: end } : {};
  const more = end < size ? `, go on with offset ${end}` : ', the end';
  return {
    content: [toHead(`bytes ${start} to ${end} of ${size}${more}`), { type: 'text', text }],
    file: { ...known, ...(isStructured ? { text } : {}), offset: start, ...next },
  };
}
