import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { loadSkills as loadWithSdk } from '@modelcontextprotocol/server/ext/skills/node';
import { loadSkills } from '../../src/load.ts';

/** Loads a folder once and says how long it took: `node load.cjs ours|sdk|floor FOLDER`. */
const [loader, folder = '.'] = process.argv.slice(2);

/** What no loader can do without: walk, read, hash, keep. */
function loadNothing(directory: string, files: Map<string, { digest: string; bytes: Uint8Array }>): void {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = `${directory}/${entry.name}`;
    if (entry.isDirectory()) {
      loadNothing(path, files);
      continue;
    }
    const bytes = readFileSync(path);
    files.set(path, { digest: hash('sha256', bytes, 'hex'), bytes });
  }
}

async function load(): Promise<unknown> {
  if (loader === 'ours') return await loadSkills(folder);
  if (loader === 'sdk') return await loadWithSdk(folder);
  const files = new Map<string, { digest: string; bytes: Uint8Array }>();
  loadNothing(folder, files);
  return files;
}

const start = performance.now();
load().then((kept) => {
  process.stdout.write(JSON.stringify({ ms: performance.now() - start, kept: kept !== undefined }));
});
