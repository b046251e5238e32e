// What `npm run demo` shows: the built command on the skills that come with it, through the official client over stdio.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const command = fileURLToPath(new URL('../bin/mcp-server-skills.js', import.meta.url));
const folder = fileURLToPath(new URL('../skills-example', import.meta.url));
const show = (title, text) => console.log(`\n## ${title}\n${text}`);
const run = (...args) => execFileSync(process.execPath, [command, ...args], { encoding: 'utf8' }).trimEnd();

show('mcp-server-skills check skills-example', run('check', folder));
show('mcp-server-skills list skills-example', run('list', folder));

const client = new Client({ name: 'demo', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
await client.connect(
  new StdioClientTransport({ command: process.execPath, args: [command, folder], stderr: 'inherit' }),
);
const skills = new SkillsClient(client);
const { skills: entries } = await skills.list();
show(
  'skills/list, as the official client sees it',
  entries
    .map(({ uri, resources }) => `${uri}\n${resources.map((file) => `  ${file.size} bytes  ${file.uri}`).join('\n')}`)
    .join('\n'),
);

const [skill] = entries;
const file = await skills.read(skill);
const digest = `sha256:${createHash('sha256').update(file.bytes).digest('hex')}`;
const listed = skill.resources.find(({ uri }) => uri === file.uri)?.digest;
show(
  `resources/read ${file.uri}`,
  `${file.text.split('\n').slice(0, 6).join('\n')}\n…\nlisted   ${listed}\ncomputed ${digest}`,
);
await client.close();
if (!file.verified || digest !== listed) throw new Error('the file is not the one that was listed');
console.log('\nThe digest is right, and the frontmatter is what was listed.');
