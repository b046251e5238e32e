import { McpServer as SdkMcpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { McpServer } from '@modelcontextprotocol/server';
import { describe, expect, test } from 'vitest';
import type { Params } from '../../src/mcp/methods.ts';
import { guardRegistrations } from '../../src/mcp/registry.ts';
import type { Offer } from '../../src/mcp/surface.ts';

const answer = () => ({});
const offer = {
  joined: new Map([
    ['tools/list', { field: 'tools', answer, claims: ({ name }: Params) => name === 'load_skill' }],
    ['prompts/list', { field: 'prompts', answer, claims: ({ name }: Params) => name === 'refunds' }],
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
    expect(() => guardRegistrations(withTool as never, () => offer)).toThrow(told.tool);
    const withPrompt = create();
    withPrompt.registerPrompt('refunds', {}, prompt);
    expect(() => guardRegistrations(withPrompt as never, () => offer)).toThrow(told.prompt);
  });

  test('are told of what comes later, and of what is renamed', () => {
    const server = create();
    guardRegistrations(server as never, () => offer)();
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

  test('are told of what was there and is renamed now, which stays as it was', () => {
    const server = create();
    const mine = server.registerTool('mine', {}, tool);
    const hello = server.registerPrompt('hello', {}, prompt);
    guardRegistrations(server as never, () => offer)();
    expect(() => mine.update({ name: 'load_skill' })).toThrow(told.tool);
    expect(() => hello.update({ name: 'refunds' })).toThrow(told.prompt);
    const names = () => {
      const { _registeredTools, _registeredPrompts } = server as unknown as Record<string, object>;
      return [_registeredTools, _registeredPrompts].map((registry) => Object.keys(registry ?? {}));
    };
    expect(names()).toEqual([['mine'], ['hello']]);
    mine.update({ name: 'yours' });
    hello.remove();
    expect(names()).toEqual([['yours'], []]);
  });
});

test('a task tool of 1.x, which has a way of its own into the registry, is told as well', () => {
  const server = new SdkMcpServer({ name: 'host', version: '1.0.0' });
  guardRegistrations(server as never, () => offer)();
  const none = () => Promise.reject(new Error('never asked'));
  expect(() =>
    server.experimental.tasks.registerToolTask(
      'load_skill',
      { execution: { taskSupport: 'optional' } },
      { createTask: none, getTask: none, getTaskResult: none },
    ),
  ).toThrow('the tool "load_skill" is one of the published skills\' own: give yours another name');
});
