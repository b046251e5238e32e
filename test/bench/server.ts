import { McpServer, type Server } from '@modelcontextprotocol/server';
import { loadSkills as loadWithSdk } from '@modelcontextprotocol/server/ext/skills/node';
import type { SkillCatalog } from '../../src/catalog/catalog.ts';
import { serveHttp } from '../../src/http/listen.ts';
import { publishCatalog } from '../../src/http/publication.ts';
import { serveUntil } from '../../src/http/until.ts';
import { loadSkills } from '../../src/load.ts';
import { createInstance } from '../../src/mcp/instance.ts';
import type { ToStandIn } from '../../src/mcp/methods.ts';
import { serveStdio } from '../../src/stdio/stdio.ts';

/** One server to measure: `node server.mjs ours|sdk FOLDER [stdio]`. Both loaders stand behind the same HTTP and stdio. */
const [loader, folder = '.', transport = 'http'] = process.argv.slice(2);
const info = { name: 'bench', version: '1.0.0' };

async function open(): Promise<{ catalog: SkillCatalog; create: (toStandIn?: ToStandIn) => Server | McpServer }> {
  const catalog = await loadSkills(folder);
  if (loader === 'ours') return { catalog, create: (toStandIn) => createInstance(info, catalog, {}, { toStandIn }) };
  const others = await loadWithSdk(folder, { cacheHint: { ttlMs: 300_000 } });
  const create = () => {
    const server = new McpServer(info);
    others.attach(server);
    return server;
  };
  return { catalog, create };
}

async function main(): Promise<void> {
  const { catalog, create } = await open();
  const stop = new AbortController();
  process.once('SIGTERM', () => stop.abort());
  if (transport === 'stdio') {
    const { stdin: input, stdout: output, stderr } = process;
    const onError = (error: Error) => stderr.write(`${error.message}\n`);
    await serveStdio({ input, output, signal: stop.signal, createServer: create as never, onError });
    return;
  }
  const running = await serveHttp({
    publish: publishCatalog(catalog, create),
    port: 0,
    log: 'off',
    limits: { requestsPerSecond: 1e9, burst: 1e9 },
    stderr: process.stderr,
  });
  process.stdout.write(`${running.url}\n`);
  await serveUntil(stop.signal, running, process);
}

void main();
