import { existsSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { toSkillPath } from '../catalog/catalog.ts';
import { toUri } from '../catalog/manifest.ts';
import { PolicyError } from '../policy/fault.ts';
import { addEntry } from '../run/writeentry.ts';
import { escapeText } from '../text/escape.ts';
import { requireRoots } from './here.ts';
import { type PublishOptions, publishRoots } from './publish.ts';
import { CommandError, EXIT, type Terminal } from './terminal.ts';
import { readTextFile } from './textfile.ts';

/** The options of `run-policy add`. */
export interface AddScriptOptions extends Pick<PublishOptions, 'exclude' | 'nested' | 'pathFrom'> {
  readonly policy: string;
  readonly interpreter?: string;
}

/** Writes an entry with the digests of what is published now. */
export async function addScript(
  [skill, script, ...args]: readonly [string, string, ...string[]],
  options: AddScriptOptions,
  terminal: Terminal,
): Promise<number> {
  const { cwd, output } = terminal;
  const loaded = await publishRoots(requireRoots(args, terminal), { ...options, invalid: 'skip' }, terminal);
  if ('status' in loaded) return loaded.status;
  const path = skill.replace(/^skill:\/\//, '').replace(/\/SKILL\.md$/, '');
  const found = loaded.catalog.skills.find(({ uri }) => toSkillPath(uri) === path);
  if (found === undefined) throw new CommandError(EXIT.usage, `there is no skill "${skill}": write its path`);
  const file = found.resources.find(({ uri }) => uri === toUri(path, script));
  if (file === undefined) throw new CommandError(EXIT.usage, `the skill "${skill}" has no file "${script}"`);
  const target = resolve(cwd, options.policy);
  const before = existsSync(target) ? await readTextFile(target, options.policy) : undefined;
  const { interpreter } = options;
  const made = tryAdd(options.policy, before, { skill: found, path, script, digest: file.digest, interpreter });
  // through a link, so that what it leads to is written and not the link
  replaceText(before === undefined ? target : realpathSync(target), made);
  output.write(`granted in ${escapeText(options.policy)}: "${escapeText(script)}" of "${escapeText(path)}"\n`);
  return EXIT.well;
}

function tryAdd(shown: string, before: string | undefined, entry: Parameters<typeof addEntry>[1]): string {
  try {
    const made = addEntry(before, entry);
    if ('text' in made) return made.text;
    throw new CommandError(EXIT.usage, made.reason);
  } catch (error) {
    if (!(error instanceof PolicyError)) throw error;
    throw new CommandError(EXIT.usage, `${shown}:${error.line}:${error.column}: ${error.message}`, { cause: error });
  }
}

function replaceText(target: string, text: string): void {
  const fresh = `${target}.${process.pid}.new`;
  try {
    writeFileSync(fresh, text, { flag: 'wx', mode: 0o600 });
    renameSync(fresh, target);
  } catch (error) {
    rmSync(fresh, { force: true });
    throw new CommandError(EXIT.failure, `the policy cannot be written: ${(error as Error).message}`, { cause: error });
  }
}
