import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CACHE, installPackages } from './install.ts';

/**
 * Compiles the adapter for Mastra that docs/client.md shows, and runs it in an agent. Mastra is a few hundred megabytes and wants a newer
 * Node than the one that is promised, so it is installed as the hosts are, and not by `npm ci`.
 */
export function main(_: readonly string[], here: string): void {
  const { path, toVersion } = installPackages(['@mastra/core']);
  const root = join(here, '..', '..');
  const env = { ...process.env, PATH: [...path, process.env['PATH']].join(':') };
  const project = join(CACHE, 'mastra.json');
  const paths = {
    'mcp-server-skills/client': [join(root, 'src/client/index.ts')],
    '@mastra/*': [join(CACHE, 'node_modules/@mastra/*')],
  };
  const compilerOptions = {
    module: 'preserve',
    target: 'es2023',
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    types: ['node'],
    typeRoots: [join(root, 'node_modules/@types')],
    paths,
  };
  writeFileSync(project, JSON.stringify({ compilerOptions, files: [join(here, 'mastrahost.ts')] }));
  execFileSync(join(root, 'node_modules/.bin/tsc'), ['-p', project], { stdio: 'inherit' });
  const outfile = join(CACHE, 'mastrahost.mjs');
  const client = join(root, 'src/client/index.ts');
  const options = ['--bundle', '--platform=node', '--format=esm', '--external:@mastra/*', '--log-level=error'];
  execFileSync(
    join(root, 'node_modules/.bin/esbuild'),
    [
      join(here, 'mastrahost.ts'),
      `--outfile=${outfile}`,
      `--alias:mcp-server-skills/client=${client}`,
      // as the library is bundled: the build for Node cannot be in a module
      `--alias:yaml=${join(root, 'node_modules/yaml/browser/index.js')}`,
      ...options,
    ],
    { cwd: root, stdio: 'inherit' },
  );
  execFileSync('node', [outfile], { cwd: CACHE, env, stdio: 'inherit' });
  console.log(`Mastra ${toVersion('@mastra/core')}: loaded a skill and read its file`);
}
