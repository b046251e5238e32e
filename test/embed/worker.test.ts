import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createContext, runInContext } from 'node:vm';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as SdkClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as SdkStreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { build } from 'esbuild';
import { beforeAll, expect, test } from 'vitest';
import { loadSkills } from '../../src/load.ts';
import { run } from '../command.ts';
import { makeTree, skillMd } from '../tree.ts';
import { createClient, verifySkills } from './clients.ts';
import { noNode, WEB } from './edge.ts';
import catalogJson from './examples/catalog.json' with { type: 'json' };

interface Worker {
  fetch(request: Request): Promise<Response>;
}

const HOME = new URL('../..', import.meta.url);
const skills = fileURLToPath(new URL('examples/skills', import.meta.url));
let worker: Worker;

beforeAll(async () => {
  const { outputFiles, warnings } = await build({
    entryPoints: [fileURLToPath(new URL('examples/worker.ts', import.meta.url))],
    bundle: true,
    platform: 'neutral',
    conditions: ['workerd', 'worker'],
    format: 'iife',
    globalName: 'worker',
    plugins: [noNode],
    // through the package's own exports, as built
    tsconfigRaw: {},
    write: false,
    logLevel: 'silent',
    logOverride: { 'empty-import-meta': 'silent' },
  });
  expect(warnings).toEqual([]);
  const context = createContext({ ...WEB });
  runInContext(outputFiles[0]?.text ?? '', context);
  worker = (runInContext('worker', context) as { default: Worker }).default;
});

test.each(['1.x', 'legacy', 'modern'] as const)(
  'a worker without Node serves every file to the %s client',
  async (line) => {
    const fetch = (url: string | URL, init?: RequestInit) => worker.fetch(new Request(url, init));
    const url = new URL('https://worker.example/mcp');
    const client = createClient(line);
    if (client instanceof SdkClient) {
      await client.connect(new SdkStreamableHTTPClientTransport(url, { fetch }) as never);
    } else await client.connect(new StreamableHTTPClientTransport(url, { fetch }));
    expect(await verifySkills(client, await loadSkills(skills), line === 'modern')).toBe(3);
  },
);

test.each(['esm', 'cjs'] as const)('a bundle that reads the folder where it runs: %s', async (format) => {
  const root = makeTree({ 'skills/a/SKILL.md': skillMd('a') });
  const from = format === 'esm' ? 'import.meta.url' : '__dirname';
  const contents = `import { loadSkills } from 'mcp-server-skills';
    loadSkills('skills', { from: ${from} }).then(({ skills }) => console.log(skills.map(({ uri }) => uri).join()));`;
  const outfile = join(root, format === 'esm' ? 'main.mjs' : 'main.cjs');
  await build({
    stdin: { contents, resolveDir: fileURLToPath(HOME) },
    bundle: true,
    platform: 'node',
    format,
    outfile,
    logLevel: 'silent',
  });
  expect(execFileSync(process.execPath, [outfile], { cwd: '/', encoding: 'utf8' })).toBe('skill://a/SKILL.md\n');
});

test('the catalog of the example is what list prints', async () => {
  expect(JSON.parse((await run(['list', '--json', '--bytes', skills])).stdout)).toEqual(catalogJson);
});
