import type { Server } from '@modelcontextprotocol/server';
import { quote, toAdvice } from '../mcp/lookup.ts';
import { InvalidParams } from '../mcp/methods.ts';
import { findNearest } from '../mcp/nearest.ts';
import { type RunTool, readConfirmation } from './runtool.ts';

type Handler = (request: { readonly params?: Readonly<Record<string, unknown>> }, extra: unknown) => unknown;

/** What `serve --run` adds to a server. */
export interface RunOffer {
  /** Absent where nothing can run. */
  readonly tool: RunTool | undefined;
  /** Lines for the list of skills: why scripts do not run. */
  readonly notes: readonly string[];
  /** What the tool that lists skills is called. */
  readonly listName: string;
}

/** Adds the tool to a server that has skills already: beside theirs, as a host's own tool. */
export function attachRun(server: Server, { tool, notes, listName }: RunOffer): void {
  if (tool !== undefined) {
    server.registerCapabilities({ tools: {} });
    server.setRequestHandler('tools/list', () => ({ tools: [tool.definition] }));
    server.setRequestHandler('tools/call', ({ params }, context) => {
      const { name } = tool.definition;
      if (params.name !== name) {
        throw new InvalidParams(`there is no tool ${quote(params.name)}${toAdvice(findNearest(params.name, [name]))}`);
      }
      return tool.call(params.arguments, readConfirmation(server, context as never));
    });
  }
  if (notes.length > 0) addNotes(server, notes, listName);
}

/** Puts the notes after the first page of the list of skills. */
function addNotes(server: Server, notes: readonly string[], listName: string): void {
  const handlers = (server as unknown as { _requestHandlers: Map<string, Handler> })._requestHandlers;
  const find = handlers.get.bind(handlers);
  handlers.get = (method) => {
    const handler = find(method);
    if (method !== 'tools/call' || handler === undefined) return handler;
    return async (request, extra) => {
      const result = (await handler(request, extra)) as { content?: unknown; isError?: unknown };
      const { name, arguments: args } = request.params ?? {};
      const { query, cursor } = (args ?? {}) as { query?: unknown; cursor?: unknown };
      const isFirst =
        name === listName && !query && !cursor && result.isError !== true && Array.isArray(result.content);
      if (!isFirst) return result;
      return { ...result, content: [...(result.content as unknown[]), { type: 'text', text: notes.join('\n') }] };
    };
  };
}
