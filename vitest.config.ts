import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { defineConfig } from 'vitest/config';

const root = import.meta.dirname;

/** What every test of the built package imports, or reads. */
const BUILT = /\/command\.ts'|\bBIN\b|'dist'|\/dist\/|npm', \['pack'/;

/** Whether a test starts the built command, itself or through what it imports. */
function needsBuild(file: string, seen: Set<string>): boolean {
  // what a test writes for a bundler may read like an import
  if (seen.has(file) || !existsSync(file)) return false;
  seen.add(file);
  const text = readFileSync(file, 'utf8');
  if (BUILT.test(text)) return true;
  const imports = [...text.matchAll(/from '(\.{1,2}\/[^']+\.ts)'/g)].map(([, path = '']) => join(dirname(file), path));
  return imports.some((path) => path.startsWith(join(root, 'test')) && needsBuild(path, seen));
}

const tests = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.ts') && !file.includes('node_modules'))
  .map((file) => `test/${file.replaceAll('\\', '/')}`);
const built = tests.filter((file) => needsBuild(join(root, file), new Set()));

export default defineConfig({
  test: {
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // the machine may be busy with everything else
    expect: { poll: { timeout: 15_000 } },
    // the build takes longer than most tests: who runs one file that does not need it does not wait for it
    projects: [
      { extends: true, test: { name: 'source', include: tests.filter((file) => !built.includes(file)) } },
      { extends: true, test: { name: 'built', include: built, globalSetup: ['test/setup.ts'] } },
    ],
  },
});
