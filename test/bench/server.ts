import { McpServer } from '@modelcontextprotocol/server';
import { loadSkills as loadWithSdk } from '@modelcontextprotocol/server/ext/skills/node';
import { serveHttp } from '../../src/http/listen.ts';
import { serveUntil } from '../../src/http/until.ts';
import { loadSkills } from '../../src/load.ts';
import { createInstance } from '../../src/mcp/instance.ts';
import { serveStdio } from '../../src/stdio/stdio.ts';

/** One server to measure: `node server.mjs ours|sdk FOLDER [stdio]`. Both loaders stand behind the same HTTP and stdio. */
const [loader, folder = '.', transport = 'http'] = process.argv.slice(2);
const info = { name: 'bench', version: '1.0.0' };

async function createFactory() {
  if (loader === 'ours') {
    const catalog = await loadSkills(folder);
    return () => createInstance(info, catalog, {});
  }
  const catalog = await loadWithSdk(folder, { cacheHint: { ttlMs: 300_000 } });
  return () => {
    const server = new McpServer(info);
    catalog.attach(server);
    return server;
  };
}

async function main(): Promise<void> {
  const createServer = await createFactory();
  const stop = new AbortController();
  process.once('SIGTERM', () => stop.abort());
  if (transport === 'stdio') {
    const { stdin: input, stdout: output, stderr } = process;
    const onError = (error: Error) => stderr.write(`${error.message}\n`);
    await serveStdio({ input, output, signal: stop.signal, createServer: createServer as never, onError });
    return;
  }
  const running = await serveHttp({
    createServer,
    catalog: { digest: '', skills: 0, files: 0, bytes: 0 },
    port: 0,
    log: 'off',
    limits: { requestsPerSecond: 1e9, burst: 1e9 },
    stderr: process.stderr,
  });
  process.stdout.write(`${running.url}\n`);
  await serveUntil(stop.signal, running, process);
}

void main();
