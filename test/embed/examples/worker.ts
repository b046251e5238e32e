import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { loadCatalog } from 'mcp-server-skills/catalog';
import { publishSkills } from 'mcp-server-skills/server';
import json from './catalog.json' with { type: 'json' };

const skills = loadCatalog(json);

export default createMcpHandler(() => {
  const server = new McpServer({ name: 'orders', version: '1.0.0' });
  publishSkills(server, skills, { tools: 'auto', instructions: true });
  return server;
});
