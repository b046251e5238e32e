// Bundles one of the scripts beside it, which are TypeScript, and starts it: `node start.js NAME [ARGUMENT…]`.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const [name = 'table'] = process.argv.splice(2, 1);
const work = mkdtempSync(join(tmpdir(), 'hosts-'));
process.on('exit', () => rmSync(work, { recursive: true, force: true }));
// so that what was started is ended as well
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));

const outfile = join(work, 'script.mjs');
await build({
  entryPoints: [fileURLToPath(new URL(`${name}.ts`, import.meta.url))],
  outfile,
  bundle: true,
  platform: 'node',
  format: 'esm',
  logLevel: 'error',
});
await (await import(pathToFileURL(outfile).href)).main(
  process.argv.slice(2),
  fileURLToPath(new URL('.', import.meta.url)),
);
