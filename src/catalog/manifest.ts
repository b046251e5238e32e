/** The file that makes a folder a skill. */
export const SKILL_FILE = 'SKILL.md';

/** Most files that a skill may have, SKILL.md included (Skills extension, "Limits"). */
export const MAX_FILES = 512;

/** Most bytes that the files of a skill may have together (Skills extension, "Limits"). */
export const MAX_BYTES = 16_777_216;

/** The media type of a directory resource (Skills extension, "Directory Resources"). */
export const DIRECTORY_TYPE = 'inode/directory';

/** The URI of a path below a root: every segment is of unreserved characters, so nothing is escaped. */
export function toUri(...segments: readonly string[]): string {
  return `skill://${segments.filter((segment) => segment !== '').join('/')}`;
}
