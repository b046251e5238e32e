import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ERAS } from '../command.ts';
import { runClientScenario } from './conformance.ts';

const HERE = fileURLToPath(new URL('.', import.meta.url));
let folder: string;
let command: string;

beforeAll(async () => {
  // inside the package, whose SDK client it imports
  folder = mkdtempSync(join(HERE, '.run-'));
  const outfile = join(folder, 'host.mjs');
  await build({
    entryPoints: [join(HERE, 'host.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'error',
  });
  command = `node ${outfile}`;
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.each(ERAS)('the host scenarios of the official conformance suite (%s)', (era) => {
  test.each([
    'sep-2640-client-no-prefetch',
    'sep-2640-client-verify-digest',
    'sep-2640-client-verify-size',
    'sep-2640-client-verify-frontmatter',
  ])('%s', async (scenario) => {
    const verdict = await runClientScenario(command, scenario, { HOST_ERA: era });
    expect(verdict).toEqual({ passed: 1, failed: [], skipped: [] });
  });
});
