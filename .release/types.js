import { readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './options.js';

/** Removes from dist the types that no entry point leads to: tsc writes them for every file. */
export function pruneTypes() {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const kept = new Set();
  const keep = (/** @type {string} */ path) => {
    if (kept.has(path)) return;
    kept.add(path);
    for (const [, target] of readFileSync(path, 'utf8').matchAll(/\b(?:from|import)\s*\(?\s*'(\.[^']+)'/g)) {
      keep(join(dirname(path), target.replace(/\.[jt]s$/, '.d.ts')));
    }
  };
  for (const { types } of Object.values(exports)) if (types !== undefined) keep(join(root, types));
  prune(join(root, 'dist'), kept);
}

/** @param {string} folder @param {ReadonlySet<string>} kept */
function prune(folder, kept) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) prune(path, kept);
    else if (path.endsWith('.d.ts') && !kept.has(path)) rmSync(path);
  }
  if (readdirSync(folder).length === 0) rmdirSync(folder);
}
