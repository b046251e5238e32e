// How the command is bundled, and for the benchmark what it is compared with.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the package. */
export const root = fileURLToPath(new URL('..', import.meta.url));

/** The build of `yaml` for Node is made of many small CommonJS wrappers, and prints to stdout where LOG_STREAM or LOG_TOKENS is set. */
export const YAML = join(root, 'node_modules', 'yaml', 'browser', 'index.js');

/** @type {import('esbuild').BuildOptions} */
export const OPTIONS = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node20.12',
  format: 'cjs',
  // every start reads and scans the whole file; names stay, so that a stack trace says something
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  logLevel: 'warning',
  plugins: [
    {
      name: 'without-subprograms',
      setup: ({ onResolve }) =>
        onResolve({ filter: /^node:child_process$/ }, ({ importer }) =>
          importer.includes('commander') ? { path: join(root, '.release', 'nothing.js') } : undefined,
        ),
    },
  ],
  alias: {
    '@modelcontextprotocol/server/_shims': join(root, '.release', 'validator.js'),
    yaml: YAML,
    // its other build is one that no bundler can look into
    'jsonc-parser': join(root, 'node_modules', 'jsonc-parser', 'lib', 'esm', 'main.js'),
  },
};
