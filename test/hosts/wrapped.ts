import { mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { HOSTS } from './hosts.ts';
import { CACHE, installHosts } from './install.ts';
import { judgeLoad, judgeRevision } from './judge.ts';
import { type Run, runHost, toSkillsFolder } from './run.ts';
import { useWrapped } from './script.ts';
import { writeSkills } from './skills.ts';

const COLUMNS = ['host', 'MCP', 'skill loaded first', "then the wrapped server's tools"];

/** What the server that is wrapped is to remember. */
const ENTITY = { name: 'bookbinding', entityType: 'rule', observations: ['aye'] };

/**
 * Runs hosts with the official memory server wrapped: the model loads a skill and then calls the tools of that server. Prints a table.
 *
 * @param args - names of hosts, as `config` has them; without them OpenCode and Claude Code
 * @param here - the folder of this script
 */
export async function main(args: readonly string[], here: string): Promise<void> {
  const names = args.length === 0 ? ['opencode', 'claude-code'] : args;
  const hosts = HOSTS.filter(({ id }) => names.includes(id));
  const root = join(here, '..', '..');
  const server = join(root, 'node_modules', '@modelcontextprotocol', 'server-memory', 'dist', 'index.js');
  const { path, toVersion } = installHosts(hosts);
  mkdirSync(join(CACHE, 'runs'), { recursive: true });
  const work = mkdtempSync(join(CACHE, 'runs', 'wrapped-'));
  const lines = [COLUMNS, COLUMNS.map(() => '---')];
  for (const host of hosts) {
    console.error(`${host.title}…`);
    const folder = join(work, host.id);
    writeSkills(toSkillsFolder(folder));
    const setting = { host, folder, path, bin: join(root, 'bin', 'mcp-server-skills.js'), tap: join(here, 'tap.js') };
    // not every host passes on a variable of its own
    const memory = `MEMORY_FILE_PATH=${join(folder, 'memory.jsonl')}`;
    const extra = ['--wrap', '--', 'env', memory, process.execPath, server];
    const run = await runHost(
      { ...setting, extra },
      useWrapped('bookbinding', [
        ['create_entities', { entities: [ENTITY] }],
        ['read_graph', {}],
      ]),
    );
    lines.push([
      `${host.title} ${toVersion(host)}`,
      judgeRevision(run),
      judgeLoad(run, 'bookbinding'),
      judgeCalls(run),
    ]);
  }
  console.log(lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n'));
}

/** What arrived of the answers of the wrapped server. */
function judgeCalls({ script: { heard } }: Run): string {
  const answers = heard.filter(({ purpose }) => purpose === 'other').map(({ text }) => text);
  const areThere =
    answers.length === 2 && answers.every((text) => text.includes('bookbinding') && text.includes('aye'));
  return areThere ? 'called, and remembered' : `**${answers.length} of 2 answers**`;
}
