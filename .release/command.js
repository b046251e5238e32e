// How the command is bundled: dist/command.cjs, and beside it in dist/command what only some of its commands need, so that a start reads
// and compiles as little as it can.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { build, transform } from 'esbuild';
import { OPTIONS } from './options.js';

/**
 * Builds the command into dist.
 *
 * @returns {Promise<import('esbuild').Metafile>} what is in it
 */
export async function buildCommand() {
  const { outputFiles, metafile } = await build({
    ...OPTIONS,
    entryPoints: { command: 'src/cli/command.ts', cache: 'src/cli/cache.ts', early: 'src/cli/early.ts' },
    outdir: 'dist',
    outExtension: { '.js': '.cjs' },
    chunkNames: 'command/[name]-[hash]',
    format: 'esm',
    splitting: true,
    metafile: true,
    write: false,
  });
  for (const { path, text } of outputFiles) {
    // esbuild splits modules alone; as modules they would start later, because Node loads those one after another in the background
    const { code } = await transform(text, {
      format: 'cjs',
      platform: 'node',
      target: OPTIONS.target,
      supported: { 'dynamic-import': false },
      minifySyntax: true,
      minifyWhitespace: true,
    });
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, code);
  }
  return metafile;
}
