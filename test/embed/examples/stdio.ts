import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { loadSkills } from 'mcp-server-skills';
import { publishSkills } from 'mcp-server-skills/server';

const skills = await loadSkills('skills', { from: import.meta.url });

serveStdio(() => {
  const server = new McpServer({ name: 'orders', version: '1.0.0' });
  publishSkills(server, skills, { tools: 'auto', instructions: true });
  return server;
});
