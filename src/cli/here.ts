import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { SKILL_FILE } from '../catalog/manifest.ts';
import { CommandError, EXIT, type Terminal } from './terminal.ts';

/** Folders of skills in a project, the first that exists is taken. */
const FOLDERS = ['skills', '.agents/skills', '.claude/skills'];

/**
 * The roots of a command that needs some: its arguments, else `$SKILLS_DIR`, else the folder of skills in the working directory, which
 * is named on stderr.
 *
 * @returns arguments; none where `$SKILLS_DIR` has the roots
 * @throws CommandError where there is none of them: a script that lost its argument must not pass
 */
export function requireRoots(args: readonly string[], { env, cwd, error }: Terminal): readonly string[] {
  if (args.length > 0 || env['SKILLS_DIR']) return args;
  const folder = FOLDERS.find((each) => statSync(join(cwd, each), { throwIfNoEntry: false })?.isDirectory() === true);
  if (folder === undefined) {
    const pass = existsSync(join(cwd, SKILL_FILE))
      ? '".", because this folder is a skill'
      : 'the folder that contains skills';
    throw new CommandError(EXIT.usage, `no root is given, and none of ${FOLDERS.join(', ')} exists here: pass ${pass}`);
  }
  error.write(`mcp-server-skills: no root is given: this takes "${folder}"\n`);
  return [folder];
}
