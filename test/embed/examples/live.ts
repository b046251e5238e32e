import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { watchSkills } from 'mcp-server-skills';
import { publishSkills } from 'mcp-server-skills/server';

const skills = await watchSkills('skills', { from: import.meta.url });
skills.subscribe(({ added, removed, changed }) => console.error('skills:', { added, removed, changed }));

serveStdio(() => {
  const server = new McpServer({ name: 'orders', version: '1.0.0' });
  publishSkills(server, skills, { tools: 'auto', instructions: true });
  return server;
});
