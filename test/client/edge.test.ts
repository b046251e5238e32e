import { fileURLToPath } from 'node:url';
import { createContext, runInContext } from 'node:vm';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { noNode, WEB } from '../embed/edge.ts';

const HERE = fileURLToPath(new URL('.', import.meta.url));

/** A host and a server, each as a worker: the host asks the server over HTTP. */
const HOST = `
import { connectHttp, SkillRegistry } from 'mcp-server-skills/client';
import worker from '../embed/examples/worker.ts';

export async function load() {
  const fetch = (url, init) => worker.fetch(new Request(url, init));
  const connection = await connectHttp('https://worker.example/mcp', { fetch });
  const registry = new SkillRegistry();
  const added = await registry.addServer(connection, 'edge');
  const { outcome, body } = await registry.activate('edge:refunds', 'c');
  const file = await registry.readFile('edge:refunds', 'references/policy.md', 'c');
  const prompt = registry.toPrompt();
  const { modern } = connection;
  await connection.close();
  return JSON.stringify({ added, modern, outcome, body, file: file.text, prompt });
}`;

/** Bundles the host through the package's own exports, which are in /dist/, without anything of Node. */
async function bundle(): Promise<string> {
  const { outputFiles, warnings } = await build({
    stdin: { contents: HOST, resolveDir: HERE },
    bundle: true,
    platform: 'neutral',
    conditions: ['workerd', 'worker', 'browser'],
    format: 'iife',
    globalName: 'host',
    plugins: [noNode],
    tsconfigRaw: {},
    write: false,
    logLevel: 'silent',
    logOverride: { 'empty-import-meta': 'silent' },
  });
  expect(warnings).toEqual([]);
  return outputFiles[0]?.text ?? '';
}

test('a host without Node lists, loads and reads the skills of a server', async () => {
  // what the SDK's client takes of the web besides
  const context = createContext({ ...WEB, Event, EventTarget });
  runInContext(await bundle(), context);
  const loaded = JSON.parse((await runInContext('host.load()', context)) as string) as object;
  expect(loaded).toEqual({
    added: { skills: 2, unavailable: 0 },
    modern: true,
    outcome: 'activated',
    body: expect.stringContaining('references/policy.md'),
    file: expect.any(String),
    prompt: expect.stringContaining('- edge:refunds (server edge): "'),
  });
});
