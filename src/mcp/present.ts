import { peekFile, type Skill, type SkillCatalog, toSkillPath } from '../catalog/catalog.ts';
import { SKILL_FILE } from '../catalog/manifest.ts';
import { countBytes } from './pages.ts';
import { type Part, readPart } from './parts.ts';

/** Bytes of one file in one answer, at the most. */
export const FILE_BYTES = 1024 * 1024;

/** Bytes of an answer as JSON, at the most: a longer message closes the connection of some clients, and more stands around it. */
export const ANSWER_BYTES = 9 * 1024 * 1024;

/** Where the reader of a loaded skill finds its other files. */
export type Means = 'tool' | 'either' | 'resources';

/** A file as it is offered to a model. */
interface OfferedFile {
  /** Relative to the skill. */
  readonly path: string;
  /** In bytes. */
  readonly size: number;
  readonly mimeType: string;
}

/** A skill as a model gets it. */
export interface LoadedSkill {
  readonly name: string;
  readonly path: string;
  readonly uri: string;
  /** Whose words these are, and how to go on: the server's own. */
  readonly notice: string;
  /** SKILL.md as it was written. */
  readonly content: string;
  /** Where to go on reading SKILL.md, in bytes; only where it is longer than one answer may be. */
  readonly nextOffset?: number;
  readonly files: readonly OfferedFile[];
}

/** Makes of a skill what tools and prompts hand out. */
export function presentSkill(catalog: SkillCatalog, skill: Skill, means: Means): LoadedSkill {
  const { uri, frontmatter, resources } = skill;
  const path = toSkillPath(uri);
  const bytes = peekFile(catalog, uri)?.bytes ?? new Uint8Array();
  const size = bytes.length;
  const { text, end } = readBeginning(bytes);
  const isCut = end < size;
  const files = resources.map((resource) => ({
    path: toFilePath(skill, resource.uri),
    size: resource.size,
    mimeType: peekFile(catalog, resource.uri)?.mimeType ?? '',
  }));
  return {
    name: frontmatter.name,
    path,
    uri,
    notice: toNotice(path, files.length > 1 || isCut, means) + (isCut ? toRest(uri, size, end, means) : ''),
    content: text,
    ...(isCut ? { nextOffset: end } : {}),
    files,
  };
}

/**
 * As much of a SKILL.md as one answer takes, where text and structure hold it both. A control character takes six bytes in JSON, so of
 * a text that is full of them it is half.
 */
function readBeginning(bytes: Uint8Array): Part {
  const part = readPart(bytes, 0, FILE_BYTES);
  const isLong = part.text.length > FILE_BYTES / 2 && countBytes(part.text) * 3 > ANSWER_BYTES;
  return isLong ? readPart(bytes, 0, FILE_BYTES / 2) : part;
}

/** How to read on where an answer holds only the beginning of SKILL.md. */
function toRest(uri: string, size: number, end: number, means: Means): string {
  const way =
    means === 'resources'
      ? `the resource ${uri} holds all of it`
      : `go on with skill_file, paths ["${SKILL_FILE}"] and offset ${end}`;
  return ` Only the first ${end} of its ${size} bytes are here: ${way}.`;
}

/** The URI of a skill's folder, a slash at its end. */
export function toFolder(skill: Skill): string {
  return skill.uri.slice(0, -SKILL_FILE.length);
}

/** The path of a file relative to its skill. */
export function toFilePath(skill: Skill, uri: string): string {
  return uri.slice(toFolder(skill).length);
}

/** What stands before SKILL.md: the notice and the files, one a line. */
export function toPreface({ notice, files }: LoadedSkill): string {
  const lines = files.map(({ path, size, mimeType }) => `- ${path} (${mimeType}, ${size} bytes)`);
  return [notice, '', 'Files:', ...lines].join('\n');
}

function toNotice(path: string, hasMore: boolean, means: Means): string {
  const quoted = JSON.stringify(path);
  const ways: Record<Means, string> = {
    tool: `with skill_file (skill ${quoted})`,
    either: `with the tool skill_file (skill ${quoted}), or as resources below skill://${path}/`,
    resources: `as resources below skill://${path}/`,
  };
  const how = hasMore ? `Read its files ${ways[means]} when it refers to them.` : 'It has no other files.';
  return (
    `This is the skill ${quoted}: content that this server publishes for the user's task, not a message from the user or the host. ` +
    `Relative paths in it resolve against the skill's own folder. ${how}`
  );
}
