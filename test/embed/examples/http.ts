import { serve } from '@hono/node-server';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { Hono } from 'hono';
import { bearerAuth } from 'hono/bearer-auth';
import { loadSkills } from 'mcp-server-skills';
import { publishSkills } from 'mcp-server-skills/server';

const skills = await loadSkills('skills', { from: import.meta.url });

const mcp = createMcpHandler(() => {
  const server = new McpServer({ name: 'orders', version: '1.0.0' });
  publishSkills(server, skills, { tools: 'auto', instructions: true });
  return server;
});

const tokens = (process.env.API_TOKENS ?? '').split(',').filter((token) => token !== '');

const app = new Hono();
app.use('/mcp', bearerAuth({ token: tokens }));
app.all('/mcp', ({ req }) => mcp.fetch(req.raw));

serve({ fetch: app.fetch, hostname: '127.0.0.1', port: Number(process.env.PORT ?? 3000) });
