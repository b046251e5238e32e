import { loadSkills } from 'mcp-server-skills';
import { connectHttp, describeInstructions, SkillRegistry, toLocalSkills } from 'mcp-server-skills/client';
import { connectStdio } from 'mcp-server-skills/client/stdio';

const registry = new SkillRegistry();

// the host's own skills
for (const skill of toLocalSkills(await loadSkills('skills', { from: import.meta.url }))) registry.addLocal(skill);

// two servers, under labels that the host chooses
const team = await connectStdio('npx', ['-y', 'mcp-server-skills', './team-skills']);
const web = await connectHttp('https://skills.example.com/mcp', { headers: { authorization: 'Bearer …' } });
const reviewed = new Set(['sha256:9f2c…']); // fingerprints that a person reviewed
await registry.addServer(team, 'team');
await registry.addServer(web, 'web', {
  executionTools: ['run_*'],
  approve: ({ fingerprint = '' }) => reviewed.has(fingerprint),
});

// what a model is given, in one conversation
const instructions = describeInstructions({ team: team.instructions, web: web.instructions });
export const system = [instructions, registry.toPrompt()].join('\n\n');
export const tools = registry.toTools('conversation-1');

// before the host calls one of its own tools
export const decision = await registry.mayExecute('run_code', 'conversation-1');
