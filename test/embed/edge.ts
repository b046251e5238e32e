import { builtinModules } from 'node:module';
import type { Plugin } from 'esbuild';

/** What edge runtimes have, and nothing else: no process, no Buffer, no require. */
export const WEB = {
  AbortController,
  AbortSignal,
  atob,
  btoa,
  clearInterval,
  clearTimeout,
  console,
  crypto,
  fetch,
  Headers,
  performance,
  queueMicrotask,
  ReadableStream,
  Request,
  Response,
  setInterval,
  setTimeout,
  structuredClone,
  TextDecoder,
  TextEncoder,
  TransformStream,
  URL,
  URLSearchParams,
};

/** Fails a build that takes anything of Node. */
export const noNode: Plugin = {
  name: 'no-node',
  setup({ onResolve }) {
    const names = new Set(builtinModules);
    onResolve({ filter: /.*/ }, ({ path, importer }) => {
      if (!path.startsWith('node:') && !names.has(path.split('/')[0] ?? '')) return undefined;
      return { errors: [{ text: `${importer} imports ${path}` }] };
    });
  },
};
