import { McpServer as SdkMcpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { McpServer } from '@modelcontextprotocol/server';
import { describe, expect, test } from 'vitest';
import { guardRegistrations } from '../../src/mcp/guard.ts';
import type { Offer } from '../../src/mcp/offer.ts';

const answer = () => ({});
const offer = {
  joined: new Map([
    ['tools/list', { field: 'tools', answer, names: new Set(['load_skill']) }],
    ['prompts/list', { field: 'prompts', answer, names: new Set(['refunds']) }],
  ]),
} as unknown as Offer;

const LINES = {
  '1.x': () => new SdkMcpServer({ name: 'host', version: '1.0.0' }),
  '2.x': () => new McpServer({ name: 'host', version: '1.0.0' }) as unknown as SdkMcpServer,
};

describe.each(Object.entries(LINES))('names that are taken, on an McpServer of %s', (_, create) => {
  const told = {
    tool: 'the tool "load_skill" is one of the published skills\' own: give yours another name',
    prompt: 'the prompt "refunds" is one of the published skills\' own: give yours another name',
  };
  const tool = () => ({ content: [] });
  const prompt = () => ({ messages: [] });

  test('are told of what is there', () => {
    const withTool = create();
    withTool.registerTool('load_skill', {}, tool);
    expect(() => guardRegistrations(withTool as never, offer)).toThrow(told.tool);
    const withPrompt = create();
    withPrompt.registerPrompt('refunds', {}, prompt);
    expect(() => guardRegistrations(withPrompt as never, offer)).toThrow(told.prompt);
  });

  test('are told of what comes later, and of what is renamed', () => {
    const server = create();
    guardRegistrations(server as never, offer)();
    expect(() => server.registerTool('load_skill', {}, tool)).toThrow(told.tool);
    expect(() => server.registerPrompt('refunds', {}, prompt)).toThrow(told.prompt);
    if ('tool' in server) {
      expect(() => server.tool('load_skill', tool)).toThrow(told.tool);
      expect(() => server.prompt('refunds', prompt)).toThrow(told.prompt);
    }
    const handle = server.registerTool('mine', {}, tool);
    expect(() => handle.update({ name: 'load_skill' })).toThrow(told.tool);
    handle.update({ name: 'yours' });
    handle.disable();
    handle.remove();
    server.registerPrompt('hello', {}, prompt).remove();
  });
});
