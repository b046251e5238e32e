// How the library is bundled: with the packages that it needs inside, so that installing it brings nothing else along.
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { OPTIONS, root, YAML } from './options.js';

/** The entry points. */
const ENTRIES = ['index', 'catalog/bundle', 'mcp/sdk', 'mcp/server', 'client/index', 'client/spawn'];

/** What the two `index.ts` export: entry points for the bundler alone, so that each part is in chunks that it needs, and nobody brings the others. */
const PARTS = [
  'load',
  'frontmatter',
  'report/format',
  'live/watch',
  'client/connection',
  'client/instructing',
  'client/local',
  'client/overhttp',
  'client/skillregistry',
];

/** @type {import('esbuild').BuildOptions} */
export const LIBRARY = {
  absWorkingDir: root,
  entryPoints: Object.fromEntries([...ENTRIES, ...PARTS].map((file) => [file, `src/${file}.ts`])),
  outdir: 'dist',
  chunkNames: 'chunks/[name]-[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  target: OPTIONS.target,
  // an edge runtime takes the entry points that need nothing of Node: no package may be taken in its build for Node
  platform: 'neutral',
  mainFields: ['module', 'main'],
  alias: { yaml: YAML },
  // what a host has installed, and brings itself
  external: ['@modelcontextprotocol/client', '@modelcontextprotocol/client/stdio'],
  // who bundles this again keeps the notices
  legalComments: 'inline',
  logLevel: 'warning',
  plugins: [
    {
      name: 'builtins',
      setup({ onResolve, onLoad }) {
        const names = new Set(builtinModules);
        onResolve({ filter: /^(node:)?[a-z_]+(\/promises)?$/ }, ({ path, kind }) => {
          const name = path.replace(/^node:/, '');
          if (!names.has(name)) return undefined;
          // in a module there is no `require`: what packages in CommonJS require is imported
          if (kind === 'require-call') return { path: name, namespace: 'builtin' };
          return { path: `node:${name}`, external: true };
        });
        onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => ({ contents: `export * from 'node:${path}';` }));
      },
    },
  ],
};

/** The files of the build that nothing imports. */
export const SPARE = PARTS.map((part) => join(root, 'dist', `${part}.js`));
