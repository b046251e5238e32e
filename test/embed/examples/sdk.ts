import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { loadSkills } from 'mcp-server-skills';
import { publishSkills } from 'mcp-server-skills/sdk';
import { z } from 'zod';

const server = new McpServer({ name: 'orders', version: '1.0.0' });

server.registerTool(
  'find-order',
  { description: 'Finds an order by its number', inputSchema: { number: z.string() } },
  ({ number }) => ({ content: [{ type: 'text', text: `Order ${number}: delivered 12 days ago` }] }),
);
server.registerResource('hours', 'orders://hours', { mimeType: 'text/plain' }, ({ href }) => ({
  contents: [{ uri: href, text: 'Monday to Friday, 9 to 17' }],
}));

const skills = await loadSkills('skills', { from: import.meta.url });
publishSkills(server, skills, { tools: 'auto', instructions: true });

await server.connect(new StdioServerTransport());
