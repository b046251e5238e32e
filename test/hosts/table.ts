import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HOSTS, type HostPlan } from './hosts.ts';
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
import { type Run, runHost, toSkillsFolder } from './run.ts';
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
 * @param names - as `config` calls the hosts; `--bin FILE` tests another build of the command
 * @param here - the folder of this script
 */
export async function main(args: readonly string[], here: string): Promise<void> {
  const at = args.indexOf('--bin');
  const bin = at < 0 ? join(here, '..', '..', 'bin', 'mcp-server-skills.js') : (args[at + 1] ?? '');
  const names = at < 0 ? args : args.toSpliced(at, 2);
  const unknown = names.filter((name) => !HOSTS.some(({ id }) => id === name));
  if (unknown.length > 0 || !existsSync(bin)) {
    console.error(
      `hosts are ${HOSTS.map(({ id }) => id).join(', ')}; "${[...unknown, bin].join('", "')}" is not there`,
    );
    process.exitCode = 2;
    return;
  }
  const hosts = HOSTS.filter(({ id }) => names.length === 0 || names.includes(id));
  const { path, toVersion } = installHosts(hosts);
  const runs = join(CACHE, 'runs');
  mkdirSync(runs, { recursive: true });
  const work = mkdtempSync(join(runs, 'run-'));
  const rows: string[][] = [];
  const warnings: string[] = [];
  for (const host of hosts) {
    const folder = join(work, host.id);
    const setting = { host, folder, path, bin, tap: join(here, 'tap.js') };
    console.error(`${host.title}…`);
    writeSkills(toSkillsFolder(folder));
    const first = await runHost(setting, readAll());
    keep(folder, 'first', first);
    addSkill(toSkillsFolder(folder));
    const second = await runHost(setting, list());
    keep(folder, 'second', second);
    rows.push(toRow(host, toVersion(host), first, second));
    for (const line of new Set([...listWarnings(first), ...listWarnings(second)])) {
      warnings.push(`- ${host.title}: ${line.replaceAll(folder, '…')}`);
    }
  }
  console.log(toTable([COLUMNS, ...rows]));
  console.log(['', 'Printed by the hosts:', '', ...(warnings.length === 0 ? ['nothing'] : warnings)].join('\n'));
  console.error(`\nwhat was said is in ${work}`);
}

function toRow({ title }: HostPlan, version: string, run: Run, second: Run): string[] {
  return [
    `${title} ${version}`,
    judgeRevision(run),
    judgeNames(run),
    judgeList(run),
    judgeLoad(run, 'bookbinding'),
    judgeLoad(run, 'tide-tables'),
    judgeLoad(run, 'harbour-rules'),
    judgeScript(run),
    judgeImage(run),
    judgeEdit(second),
  ];
}

/** Leaves what a run said where a person can read it, and nothing else of the host. */
function keep(folder: string, name: string, run: Run): void {
  const { script, requests, wire, stdout, stderr, status } = run;
  writeFileSync(join(folder, `${name}.txt`), showHeard(script.heard));
  writeFileSync(join(folder, `${name}.json`), JSON.stringify({ status, stdout, stderr, wire, requests }, null, 2));
  if (name === 'second') for (const each of ['home', 'tmp', 'bin']) rmSync(join(folder, each), { recursive: true });
}

function toTable([head = [], ...rows]: readonly (readonly string[])[]): string {
  const toLine = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [toLine(head), toLine(head.map(() => '---')), ...rows.map(toLine)].join('\n');
}
