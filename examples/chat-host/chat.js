// A chat on a terminal that uses skills: its own, and those of servers. See README.md.
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { loadSkills } from 'mcp-server-skills';
import { connectHttp, describeInstructions, SkillRegistry, toLocalSkills } from 'mcp-server-skills/client';
import { connectStdio } from 'mcp-server-skills/client/stdio';
import { runCode } from './code.js';
import { converse } from './model.js';
import { toVisible } from './show.js';

const CONVERSATION = 'the only one';
const { values } = parseArgs({
  options: {
    url: { type: 'string', default: 'http://127.0.0.1:11434/v1' },
    model: { type: 'string', default: 'llama3.2' },
    config: { type: 'string', default: fileURLToPath(new URL('config.json', import.meta.url)) },
  },
});

const terminal = createInterface({ input: process.stdin, output: process.stdout });
const print = (/** @type {string} */ text) => process.stdout.write(`${toVisible(text)}\n`);
const confirm = async (/** @type {string} */ question) =>
  /^y(es)?$/i.test((await terminal.question(`${toVisible(question)} [y/N] `)).trim());

const registry = new SkillRegistry({ log: print });
registry.on('retired', ({ name, reason }) => print(`(${name} is not used any more: ${reason})`));

const folder = dirname(resolve(values.config));
const config = JSON.parse(readFileSync(values.config, 'utf8'));
const own = await loadSkills(resolve(folder, config.skills), { invalid: 'skip' });
for (const skill of toLocalSkills(own)) registry.addLocal(skill);

const connections = new Map();
for (const [label, server] of Object.entries(config.servers)) {
  try {
    const connection = await connect(server);
    connections.set(label, connection);
    await registry.addServer(connection, label, { executionTools: [runCode.name], approve });
  } catch (error) {
    // a server that is not there costs only itself
    print(`${label}: ${error instanceof Error ? error.message : error}`);
  }
}

/** @param {{ url?: string, command?: string, args?: string[] }} server */
function connect({ url, command = '', args = [] }) {
  return url === undefined ? connectStdio(command, args, { cwd: folder }) : connectHttp(url);
}

/** Asks the person once for each skill of a server, as it is now. @param {{ name: string, label: string, fingerprint?: string }} request */
function approve({ name, label, fingerprint = 'content that can change' }) {
  return confirm(
    `The skill ${name} comes from the server "${label}" (${fingerprint.slice(0, 19)}). Let code run while it is used?`,
  );
}

/** The tools of the model: those by which it loads skills, with the names of now, and one that runs code. */
const listTools = () => [...registry.toTools(CONVERSATION), runCode];

/** Runs a call of the model. Code runs only after the person has seen it. @param {string} name @param {Record<string, unknown>} args */
async function call(name, args) {
  const tool = listTools().find((each) => each.name === name);
  if (tool === undefined) return `There is no tool "${name}".`;
  print(`[${name}] ${JSON.stringify(args)}`);
  if (tool === runCode) {
    const decision = await registry.mayExecute(name, CONVERSATION);
    if (!decision.allowed) return `Refused: ${decision.reason}.`;
    print(String(args['code']));
    if (!(await confirm('Run this code on your machine?'))) return 'The person refused to run this code.';
  }
  const answer = await tool.execute(args);
  showOrigins();
  return answer;
}

function showOrigins() {
  const active = registry.active(CONVERSATION).map(({ name, origin }) => `${name} (${describeOrigin(origin)})`);
  if (active.length > 0) print(`skills in use: ${active.join(', ')}`);
}

/** @param {import('mcp-server-skills/client').SkillOrigin} origin */
function describeOrigin(origin) {
  return origin.kind === 'host' ? 'your own' : `server "${origin.label}"`;
}

function showSkills() {
  for (const { name, origin, availability, description } of registry.list()) {
    const what = availability.status === 'ok' ? description : `cannot be used: ${availability.reason}`;
    print(`  ${name} (${describeOrigin(origin)}): ${what}`);
  }
}

const instructions = [...connections].map(([label, connection]) => [label, connection.instructions]);
const system = [
  'You are a helpful assistant in a terminal.',
  describeInstructions(Object.fromEntries(instructions), print),
  registry.toPrompt(),
];
const messages = [{ role: 'system', content: system.filter((part) => part !== '').join('\n\n') }];
const key = process.env['OPENAI_API_KEY'] ?? 'none';

print('Skills:');
showSkills();
print('Write a message, /skills, or /quit.');
terminal.setPrompt('> ');
terminal.prompt();
for await (const line of terminal) {
  if (line === '/quit') break;
  if (line === '/skills') showSkills();
  else if (line.trim() !== '') {
    messages.push({ role: 'user', content: line });
    try {
      print(await converse({ ...values, key, messages, tools: listTools(), call }));
    } catch (error) {
      print(`The model could not be asked: ${error instanceof Error ? error.message : error}`);
    }
  }
  terminal.prompt();
}
terminal.close();
for (const connection of connections.values()) await connection.close();
