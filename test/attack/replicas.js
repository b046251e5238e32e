// Does anybody notice that replicas die? Two of them behind nginx, one after the other killed and started again, while clients of both
// eras walk and read: `node test/attack/replicas.js [--minutes 4]`, after `npm run build`. Needs nginx (Debian: nginx-light). Ends with 1
// where an answer was not the right one.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { printTable, readFlag } from './server.js';

const MINUTES = readFlag('minutes', 4);
// the client asks thousands of times with one signal, and Node warns of each request that a killed replica has not let go yet
process.removeAllListeners('warning');
const work = mkdtempSync(join(tmpdir(), 'replicas-'));
try {
  const outfile = join(work, 'pair.mjs');
  await build({
    entryPoints: [fileURLToPath(new URL('../http/pair.ts', import.meta.url))],
    ...{ outfile, bundle: true, platform: 'node', format: 'esm', logLevel: 'error' },
    // what stays CommonJS inside asks for Node's own modules this way
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  });
  const { readWhileKilled, startPair } = await import(pathToFileURL(outfile).href);
  const pair = await startPair(new URL('../../', import.meta.url));
  try {
    const outcomes = [];
    for (const era of ['modern', 'legacy']) {
      const until = performance.now() + (MINUTES / 2) * 60_000;
      outcomes.push({ era, ...(await readWhileKilled(pair, era, 1, until)) });
    }
    printTable(
      ['era', 'reads', 'walks of 2,001 skills', 'kills', 'asked again by the client', 'failed'],
      outcomes.map(({ era, reads, walks, kills, retries, failed }) => [
        era,
        reads,
        walks,
        kills,
        retries,
        failed.length,
      ]),
    );
    const failed = outcomes.flatMap((outcome) => outcome.failed);
    for (const what of failed.slice(0, 20)) console.log(`- ${what}`);
    process.exitCode = failed.length > 0 ? 1 : 0;
  } finally {
    await pair.close();
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}
