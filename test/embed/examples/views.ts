import { serve } from '@hono/node-server';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { Hono } from 'hono';
import { createViews, loadSkills } from 'mcp-server-skills';
import { publishSkills } from 'mcp-server-skills/server';

const views = createViews(await loadSkills('skills', { from: import.meta.url }));

const mcp = createMcpHandler(({ authInfo }) => {
  const server = new McpServer({ name: 'orders', version: '1.0.0' });
  const isOperator = authInfo?.scopes.includes('operate') === true;
  const seen = views.view(({ uri }) => isOperator || !uri.startsWith('skill://on-call/'));
  publishSkills(server, seen, { tools: 'auto' });
  return server;
});

const app = new Hono();
app.all('/mcp', ({ req }) => {
  const token = req.header('authorization')?.replace(/^Bearer /, '');
  const scopes = token !== undefined && token === process.env.OPERATOR_TOKEN ? ['operate'] : [];
  return mcp.fetch(req.raw, { authInfo: { token: '', clientId: 'caller', scopes } });
});

serve({ fetch: app.fetch, hostname: '127.0.0.1', port: Number(process.env.PORT ?? 3000) });
