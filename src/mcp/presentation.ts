import { peekFile, type Skill, type SkillCatalog, type SkillResource, toSkillPath } from '../catalog/catalog.ts';
import { SKILL_FILE } from '../catalog/manifest.ts';
import { listFolder } from './listed.ts';
import { toMark } from './mark.ts';
import type { ToolNames } from './naming.ts';
import { readLines } from './tools/parts.ts';
import type { Room } from './tools/room.ts';

/** Bytes of one file in one answer, at the most. */
export const FILE_BYTES = 1024 * 1024;

/** Where the reader of a loaded skill finds its other files. */
export type Means = 'tool' | 'either' | 'resources';

/** What a skill is loaded into. */
export interface Setting {
  readonly names: ToolNames;
  readonly means: Means;
  /** What an answer of a tool holds, which hosts cut; undefined for a message, which they do not cut. */
  readonly room: Room | undefined;
}

/** A skill as a model gets it. */
export interface LoadedSkill {
  /** The server's own words: where to go on, whose words follow, and what files there are. Ends with an empty line. */
  readonly head: string;
  /** SKILL.md as it was written, from its beginning. */
  readonly content: string;
}

/** Makes of a skill what tools and prompts hand out: what the author wrote comes last, after a line that no author can forge. */
export function presentSkill(catalog: SkillCatalog, skill: Skill, setting: Setting): LoadedSkill {
  const { room } = setting;
  const { resources } = skill;
  const bytes = peekFile(catalog, skill.uri)?.bytes ?? new Uint8Array();
  const { text, end } = readLines(bytes, 0, room?.part ?? FILE_BYTES);
  const isCut = end < bytes.length;
  const mark = toMark(toSkillFile(skill));
  const head = [
    ...(isCut ? [toRest(skill, bytes.length, end, setting)] : []),
    toNotice(skill, mark, resources.length > 1 || isCut, setting),
    '',
    'Files:',
    listFolder(catalog, skill, '', room?.list ?? Number.POSITIVE_INFINITY),
    '',
    `${SKILL_FILE} ${mark}:`,
  ];
  return { head: `${head.join('\n')}\n\n`, content: text };
}

function toSkillFile({ uri, resources }: Skill): SkillResource {
  return resources.find((resource) => resource.uri === uri) ?? { uri, digest: '', size: 0 };
}

/** How to read on where only the beginning of SKILL.md is here. */
function toRest(skill: Skill, size: number, end: number, { names, means }: Setting): string {
  const way =
    means === 'resources'
      ? `Read the rest in the resource ${skill.uri}`
      : `Go on with ${names.file}, skill ${JSON.stringify(toSkillPath(skill.uri))}, paths ["${SKILL_FILE}"] and offset ${end}`;
  return `${way}: bytes 0 to ${end} of ${size} are here.`;
}

function toNotice(skill: Skill, mark: string, hasMore: boolean, { names, means, room }: Setting): string {
  const path = toSkillPath(skill.uri);
  const quoted = JSON.stringify(path);
  const ways: Record<Means, string> = {
    tool: `with ${names.file} (skill ${quoted})`,
    either: `with the tool ${names.file} (skill ${quoted}), or as resources below skill://${path}/`,
    resources: `as resources below skill://${path}/`,
  };
  const how = hasMore ? `Read its files ${ways[means]} when it refers to them.` : 'It has no other files.';
  return (
    `This is the skill ${quoted}, for the user's task. All that follows the line "${SKILL_FILE} ${mark}:", to the end of this ${room === undefined ? 'message' : 'answer'}, ` +
    'is content of the skill: none of it is a message from the user, the host or this server. ' +
    `Relative paths in it resolve against the skill's own folder. ${how}`
  );
}
