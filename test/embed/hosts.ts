import { Server as SdkServer } from '@modelcontextprotocol/sdk/server/index.js';
import { McpServer as SdkMcpServer, ResourceTemplate as SdkTemplate } from '@modelcontextprotocol/sdk/server/mcp.js';
import {
  CallToolRequestSchema,
  ListResourcesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { McpServer, ResourceTemplate, Server } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { skillMd } from '../tree.ts';

const INFO = { name: 'host', version: '3.2.1' };

/** A folder of skills with what goes wrong in transit: bytes that are no text, a mark, CRLF, nothing at all, a group. */
export const SKILLS = {
  'refunds/SKILL.md': skillMd('refunds'),
  'refunds/references/policy.md': 'one\r\ntwo\r\n',
  'refunds/assets/logo.bin': new Uint8Array([0xff, 0, 0xfe, 0x80]),
  'refunds/assets/mark.txt': '\ufeffmarked',
  'refunds/empty.txt': '',
  'billing/invoices/SKILL.md': skillMd('invoices'),
  'billing/invoices/scripts/run.py': 'print("ü")\n',
};

/** Servers as they were before they had skills: 1.x and 2.x, high-level and low-level. */
export const HOSTS = {
  'McpServer of 1.x': createSdkMcpServer,
  'Server of 1.x': createSdkServer,
  'McpServer of 2.x': createMcpServer,
  'Server of 2.x': createServer,
};

export function createSdkMcpServer(): SdkMcpServer {
  const server = new SdkMcpServer(INFO, { instructions: 'Mind the host.' });
  server.registerTool('add', { description: 'Adds', inputSchema: { a: z.number(), b: z.number() } }, ({ a, b }) => ({
    content: [{ type: 'text', text: String(a + b) }],
  }));
  server.registerPrompt('greet', { description: 'Greets', argsSchema: { name: z.string() } }, ({ name }) => ({
    messages: [{ role: 'user', content: { type: 'text', text: `Greet ${name}` } }],
  }));
  server.registerResource('config', 'config://app', { mimeType: 'text/plain' }, ({ href }) => ({
    contents: [{ uri: href, text: 'debug=1' }],
  }));
  const users = new SdkTemplate('users://{id}', {
    list: () => ({ resources: [{ uri: 'users://1', name: 'one' }] }),
    complete: { id: (value) => ['1', '12', '2'].filter((id) => id.startsWith(value)) },
  });
  server.registerResource('user', users, {}, ({ href }, { id }) => ({ contents: [{ uri: href, text: `user ${id}` }] }));
  return server;
}

export function createMcpServer(): McpServer {
  const server = new McpServer(INFO, { instructions: 'Mind the host.' });
  server.registerTool(
    'add',
    { description: 'Adds', inputSchema: z.object({ a: z.number(), b: z.number() }) },
    ({ a, b }) => ({ content: [{ type: 'text', text: String(a + b) }] }),
  );
  server.registerPrompt('greet', { description: 'Greets', argsSchema: z.object({ name: z.string() }) }, ({ name }) => ({
    messages: [{ role: 'user', content: { type: 'text', text: `Greet ${name}` } }],
  }));
  server.registerResource('config', 'config://app', { mimeType: 'text/plain' }, ({ href }) => ({
    contents: [{ uri: href, text: 'debug=1' }],
  }));
  const users = new ResourceTemplate('users://{id}', {
    list: () => ({ resources: [{ uri: 'users://1', name: 'one' }] }),
    complete: { id: (value) => ['1', '12', '2'].filter((id) => id.startsWith(value)) },
  });
  server.registerResource('user', users, {}, ({ href }, { id }) => ({ contents: [{ uri: href, text: `user ${id}` }] }));
  return server;
}

const PAGES = [[{ uri: 'config://app', name: 'config' }], [{ uri: 'users://1', name: 'one' }]];
const CAPABILITIES = { resources: {}, tools: {} };

function listPage(cursor: string | undefined): { resources: { uri: string; name: string }[]; nextCursor?: string } {
  return cursor === undefined ? { resources: PAGES[0] ?? [], nextCursor: 'two' } : { resources: PAGES[1] ?? [] };
}

function readAny(uri: string): { contents: { uri: string; text: string }[] } {
  return { contents: [{ uri, text: `content of ${uri}` }] };
}

const TOOL = { name: 'echo', description: 'Echoes', inputSchema: { type: 'object' as const } };
const ECHO = { content: [{ type: 'text' as const, text: 'echo' }] };

/** With handlers of its own, and a listing of two pages. */
export function createSdkServer(): SdkServer {
  const server = new SdkServer(INFO, { capabilities: CAPABILITIES, instructions: 'Mind the host.' });
  server.setRequestHandler(ListResourcesRequestSchema, ({ params }) => listPage(params?.cursor));
  server.setRequestHandler(ReadResourceRequestSchema, ({ params }) => readAny(params.uri));
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [TOOL] }));
  server.setRequestHandler(CallToolRequestSchema, () => ECHO);
  return server;
}

export function createServer(): Server {
  const server = new Server(INFO, { capabilities: CAPABILITIES, instructions: 'Mind the host.' });
  server.setRequestHandler('resources/list', ({ params }) => listPage(params?.cursor));
  server.setRequestHandler('resources/read', ({ params }) => readAny(params.uri));
  server.setRequestHandler('tools/list', () => ({ tools: [TOOL] }));
  server.setRequestHandler('tools/call', () => ECHO);
  return server;
}
