import { type Skill, type SkillCatalog, toSkillPath } from '../catalog/catalog.ts';
import { SKILL_FILE } from '../catalog/manifest.ts';
import { readPart } from './parts.ts';

/** Bytes of one file in one answer, at the most. */
export const FILE_BYTES = 1024 * 1024;

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
  const file = catalog.read(uri);
  const size = file?.size ?? 0;
  const part = size > FILE_BYTES && file !== undefined ? readPart(file.bytes, 0, FILE_BYTES) : undefined;
  const files = resources.map((resource) => ({
    path: toFilePath(skill, resource.uri),
    size: resource.size,
    mimeType: catalog.read(resource.uri)?.mimeType ?? '',
  }));
  const rest = part === undefined ? '' : ` Only the first ${part.end} of its ${size} bytes are here.`;
  return {
    name: frontmatter.name,
    path,
    uri,
    notice: toNotice(path, files.length > 1 || part !== undefined, means) + rest,
    content: part?.text ?? file?.text ?? '',
    ...(part === undefined ? {} : { nextOffset: part.end }),
    files,
  };
}

/** The path of a file relative to its skill. */
export function toFilePath(skill: Skill, uri: string): string {
  return uri.slice(skill.uri.length - SKILL_FILE.length);
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
