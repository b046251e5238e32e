import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HOSTS } from './hosts.ts';
import { CACHE, installHosts } from './install.ts';
import { runHost, toSkillsFolder } from './run.ts';
import { load, type Play } from './script.ts';
import { writeSkills } from './skills.ts';

const SKILL = 'bookbinding';
const SENTENCE = 'The glue is now made of rye.';

/** How long a person takes from saving a file to the next question, in milliseconds. */
const BREATH = 1500;

/**
 * Runs hosts in which a skill is loaded, edited while they are connected, and loaded again: `node test/hosts/start.js edit opencode`.
 *
 * @param args - names of hosts, as `config` has them
 * @param here - the folder of this script
 */
export async function main(args: readonly string[], here: string): Promise<void> {
  const hosts = HOSTS.filter(({ id }) => args.includes(id));
  const { path, toVersion } = installHosts(hosts);
  mkdirSync(join(CACHE, 'runs'), { recursive: true });
  const work = mkdtempSync(join(CACHE, 'runs', 'edit-'));
  for (const host of hosts) {
    const folder = join(work, host.id);
    const skills = toSkillsFolder(folder);
    writeSkills(skills);
    const bin = join(here, '..', '..', 'bin', 'mcp-server-skills.js');
    const { script, wire } = await runHost(
      { host, folder, path, bin, tap: join(here, 'tap.js') },
      loadEdited(join(skills, SKILL, 'SKILL.md')),
    );
    const loads = script.heard.filter(({ purpose }) => purpose === 'load').map(({ text }) => text.includes(SENTENCE));
    const told = wire.filter((line) => line.includes('list_changed') && line.startsWith('server')).length;
    const [before, after] = [loads[0], loads.at(-1)];
    const isRight = loads.length > 1 && before === false && after === true;
    if (!isRight) process.exitCode = 1;
    const result = isRight ? 'the next skill_load has the new text' : `loads: ${JSON.stringify(loads)}`;
    console.log(`${host.title} ${toVersion(host)}: ${result}; ${told} notifications of changed lists`);
  }
}

/** Loads a skill, lets a person edit it, and loads it again. */
function* loadEdited(file: string): Play {
  yield* load(SKILL);
  writeFileSync(file, `${readFileSync(file, 'utf8').trimEnd()}\n\n${SENTENCE}\n`);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BREATH);
  return yield* load(SKILL);
}
