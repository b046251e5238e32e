import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HOSTS } from './hosts.ts';
import { CACHE, installHosts } from './install.ts';
import {
  judgeEdit,
  judgeImage,
  judgeList,
  judgeLoad,
  judgeNames,
  judgeRevision,
  judgeScript,
  listWarnings,
  showHeard,
} from './judge.ts';
import { type Run, runHost, type Setting, toSkillsFolder } from './run.ts';
import { list, readAll } from './script.ts';
import { addSkill, writeSkills } from './skills.ts';

const COLUMNS = [
  'host',
  'MCP',
  'skills named before any call',
  'list',
  'SKILL.md of 2 KB',
  '12 KB',
  '60 KB',
  'script',
  'image',
  'start after a skill was added',
];

/**
 * Runs the hosts that are named, else all, and prints a table of what each gave the model. What was said stays in a folder.
 *
 * @param args - names of hosts, as `config` has them; `--bin FILE` tests another build of the command
 * @param here - the folder of this script
 */
export async function main(args: readonly string[], here: string): Promise<void> {
  const at = args.indexOf('--bin');
  const bin = at < 0 ? join(here, '..', '..', 'bin', 'mcp-server-skills.js') : (args[at + 1] ?? '');
  const names = at < 0 ? args : args.toSpliced(at, 2);
  const unknown = names.find((name) => !HOSTS.some(({ id }) => id === name));
  if (unknown !== undefined) return fail(`"${unknown}" is not one of ${HOSTS.map(({ id }) => id).join(', ')}`);
  if (!existsSync(bin)) return fail(`there is no file "${bin}"`);

  const hosts = HOSTS.filter(({ id }) => names.length === 0 || names.includes(id));
  const { path, toVersion } = installHosts(hosts);
  const runs = join(CACHE, 'runs');
  mkdirSync(runs, { recursive: true });
  const work = mkdtempSync(join(runs, 'run-'));
  const rows: string[][] = [];
  const warnings: string[] = [];
  for (const host of hosts) {
    console.error(`${host.title}…`);
    const folder = join(work, host.id);
    const title = `${host.title} ${toVersion(host)}`;
    try {
      const both = await runTwice({ host, folder, path, bin, tap: join(here, 'tap.js') });
      rows.push([title, ...toCells(...both)]);
      const lines = new Set(both.flatMap(listWarnings));
      warnings.push(...[...lines].map((line) => `- ${host.title}: ${line.replaceAll(folder, '…')}`));
    } catch (error) {
      rows.push([title, `did not run: ${error instanceof Error ? error.message : error}`]);
      process.exitCode = 1;
    }
  }
  console.log(toTable([COLUMNS, ...rows]));
  console.log(['', 'Printed by the hosts:', '', ...(warnings.length === 0 ? ['nothing'] : warnings)].join('\n'));
  console.error(`\nwhat was said is in ${work}`);
}

function fail(message: string): void {
  console.error(message);
  process.exitCode = 2;
}

/** One start that reads everything, and one in the same home after a skill was added. */
async function runTwice(setting: Setting): Promise<[Run, Run]> {
  const { folder } = setting;
  const skills = toSkillsFolder(folder);
  writeSkills(skills);
  const first = await runHost(setting, readAll());
  keep(folder, 'first', first);
  addSkill(skills);
  const second = await runHost(setting, list());
  keep(folder, 'second', second);
  for (const name of ['home', 'tmp', 'bin']) rmSync(join(folder, name), { recursive: true });
  return [first, second];
}

/** Leaves what a run said where a person can read it. */
function keep(folder: string, name: string, { script, ...rest }: Run): void {
  writeFileSync(join(folder, `${name}.txt`), showHeard(script.heard));
  writeFileSync(join(folder, `${name}.json`), JSON.stringify(rest, null, 2));
}

function toCells(first: Run, second: Run): string[] {
  return [
    judgeRevision(first),
    judgeNames(first),
    judgeList(first),
    judgeLoad(first, 'bookbinding'),
    judgeLoad(first, 'tide-tables'),
    judgeLoad(first, 'harbour-rules'),
    judgeScript(first),
    judgeImage(first),
    judgeEdit(second),
  ];
}

function toTable([head = [], ...rows]: readonly (readonly string[])[]): string {
  const toLine = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [toLine(head), toLine(head.map(() => '---')), ...rows.map(toLine)].join('\n');
}
