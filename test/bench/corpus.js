// Measures whole repositories of skills as they are: `node test/bench/corpus.js FOLDER…`, each FOLDER a checkout of one repository. Works
// on copies in a temporary folder; the checkouts are only read. Needs PyYAML, see test/frontmatter/pyyaml.ts.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const folders = process.argv.slice(2).map((folder) => resolve(folder));
if (folders.length === 0) {
  console.error('usage: node test/bench/corpus.js FOLDER…');
  process.exit(2);
}

const here = fileURLToPath(new URL('.', import.meta.url));
const work = mkdtempSync(join(tmpdir(), 'corpus-'));
try {
  const outfile = join(work, 'corpus.mjs');
  await build({
    absWorkingDir: join(here, '..', '..'),
    entryPoints: [join(here, 'corpus.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.12',
    logLevel: 'warning',
    banner: {
      js: "import { createRequire as toRequire } from 'node:module'; const require = toRequire(import.meta.url);",
    },
    plugins: [{ name: 'own-place', setup: keepPlaces }],
  });
  const { measureCorpora } = await import(pathToFileURL(outfile).href);
  await measureCorpora(folders, work);
} finally {
  rmSync(work, { recursive: true, force: true });
}

/** Modules that look for files beside themselves find them, although they were bundled. @param {import('esbuild').PluginBuild} bundle */
function keepPlaces({ onLoad }) {
  onLoad({ filter: /[\\/]test[\\/].*\.ts$/ }, ({ path }) => ({
    contents: readFileSync(path, 'utf8').replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href)),
    loader: 'ts',
  }));
}
