import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer, type Server as HttpServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { z } from 'zod';
import type { SkillCatalog } from '../../src/catalog/catalog.ts';
import { type HttpOptions, type RunningHttp, serveHttp } from '../../src/http/listen.ts';
import {
  type CatalogSummary,
  type OpenPublication,
  publishCatalog,
  summarizeCatalog,
} from '../../src/http/publication.ts';
import { createInstance } from '../../src/mcp/instance.ts';
import type { PublishOptions } from '../../src/mcp/settings.ts';
import { makeCatalog } from '../mcp/catalog.ts';

/** What a test serves: skills in memory, published as `serve --http` publishes them. */
export interface Fixture {
  readonly publish: OpenPublication;
  readonly catalog: SkillCatalog;
  readonly summary: CatalogSummary;
  /** Of the SKILL.md files, sorted. */
  readonly uris: readonly string[];
  /** What is served, by URI. */
  readonly contents: ReadonlyMap<string, string>;
}

/**
 * N skills, and further files by their URIs. The server also declares that its lists change, so that subscriptions stay open, and has two
 * resources of its own: `test://slow` answers after 700 ms, and `test://never` never.
 */
export function createFixture(
  skills: number,
  files: Record<string, string> = {},
  options: PublishOptions = {},
): Fixture {
  const made = Array.from({ length: skills }, (_, index) => {
    const name = `skill-${String(index).padStart(5, '0')}`;
    const text = `---\nname: ${name}\ndescription: The skill ${index}.\n---\n# ${name}\n`;
    return { path: name, files: { 'SKILL.md': text } };
  });
  const others = new Map<string, Record<string, string>>();
  for (const [uri, text] of Object.entries(files)) {
    const [, path = '', file = ''] = /^skill:\/\/([^/]+)\/(.+)$/.exec(uri) ?? [];
    others.set(path, { ...others.get(path), [file]: text });
  }
  const catalog = makeCatalog([...made, ...[...others].map(([path, files]) => ({ path, files }))]);
  const contents = new Map<string, string>();
  for (const { resources } of catalog.skills) {
    for (const { uri } of resources) contents.set(uri, catalog.read(uri)?.text ?? '');
  }
  const publish = publishCatalog(catalog, (toStandIn) => {
    const server = createInstance({ name: 'fixture', version: '0.0.0' }, catalog, options, { toStandIn });
    server.registerCapabilities({ resources: { listChanged: true } });
    server.setRequestHandler('resources/read', async ({ params: { uri } }) => {
      if (uri === 'test://slow') await new Promise((resolve) => setTimeout(resolve, 700));
      if (uri === 'test://never') await new Promise(() => {});
      return { contents: [{ uri, mimeType: 'text/plain', text: 'waited' }] };
    });
    return server;
  });
  const uris = catalog.skills.map(({ uri }) => uri);
  return { publish, catalog, summary: summarizeCatalog(catalog), uris, contents };
}

export interface Started extends RunningHttp {
  /** What was logged so far. */
  log(): string;
  /** The log's lines as JSON (`log: 'json'`). */
  entries(): Record<string, unknown>[];
}

/** Serves a fixture on a free port of 127.0.0.1, logging into memory. */
export async function start(
  options: Partial<HttpOptions> = {},
  { publish }: Pick<Fixture, 'publish'> = createFixture(3),
): Promise<Started> {
  const written: string[] = [];
  const stderr = { write: (text: string) => written.push(text) };
  const running = await serveHttp({ publish, port: 0, log: 'json', graceSeconds: 1, stderr, ...options });
  return {
    ...running,
    log: () => written.join(''),
    entries: () =>
      written
        .join('')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line)),
  };
}

/** The official client, connected. */
export async function connectClient(
  url: string,
  era: 'modern' | 'legacy',
  options: { token?: string; fetch?: typeof fetch } = {},
): Promise<Client> {
  const client = new Client(
    { name: 'test', version: '0.0.0' },
    { versionNegotiation: { mode: era === 'legacy' ? 'legacy' : { pin: '2026-07-28' } } },
  );
  const headers = options.token === undefined ? {} : { authorization: `Bearer ${options.token}` };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url), {
      requestInit: { headers },
      ...(options.fetch && { fetch: options.fetch }),
    }),
  );
  return client;
}

export const LEGACY_HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': '2025-11-25',
};

/** A request of 2025-11-25, which needs no handshake where no session is kept. */
export function toCall(method: string, params: unknown = {}, id = 1): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params });
}

/** A request of 2026-07-28 with its headers. */
export function toModernCall(method: string, params: Record<string, unknown> = {}) {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '0.0.0' },
    'io.modelcontextprotocol/clientCapabilities': {},
    ...(params['_meta'] as object | undefined),
  };
  const name = params['uri'] ?? params['name'];
  return {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(typeof name === 'string' && { 'mcp-name': name }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }),
  };
}

/** Posts a request of 2025-11-25. */
export function post(url: string, body: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, { method: 'POST', headers: { ...LEGACY_HEADERS, ...headers }, body });
}

/**
 * Sends `pieces` over a bare connection and resolves with everything that came back: when the server closed it, when
 * nothing has followed an answer for `quiet` ms, or after `ms`.
 */
export function sendRaw(
  port: number,
  pieces: (string | Buffer)[],
  ms = 3_000,
  quiet = ms,
): Promise<{ text: string; closed: boolean }> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const chunks: Buffer[] = [];
    const finish = (closed: boolean) => {
      clearTimeout(timer);
      clearTimeout(idle);
      socket.destroy();
      resolve({ text: Buffer.concat(chunks).toString('latin1'), closed });
    };
    const timer = setTimeout(() => finish(false), ms);
    let idle: NodeJS.Timeout | undefined;
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      clearTimeout(idle);
      idle = setTimeout(() => finish(false), quiet);
    });
    socket.on('error', () => {});
    socket.on('close', () => finish(true));
    for (const piece of pieces) socket.write(piece);
  });
}

/** The bytes of a POST, for sendRaw. */
export function toRawPost(body: string, headers: Record<string, string> = {}): string {
  const all = { Host: 'localhost', ...LEGACY_HEADERS, 'content-length': String(Buffer.byteLength(body)), ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST /mcp HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}

/** The JSON-RPC error code of an answer. */
export async function readCode(response: Response): Promise<number | undefined> {
  const { error } = z.object({ error: z.object({ code: z.number() }).optional() }).parse(await response.json());
  return error?.code;
}

/** Listens on a free port of 127.0.0.1 and answers with the origin. */
export function listen(server: HttpServer): Promise<string> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  });
}

export function close(server: HttpServer): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}

/** A port of 127.0.0.1 that nobody listened on a moment ago. */
export async function findPort(): Promise<number> {
  const server = createServer();
  const origin = await listen(server);
  await close(server);
  return Number(new URL(origin).port);
}

/** Where this machine has nginx (Debian: nginx-light). */
export const NGINX = ['/usr/sbin/nginx', '/usr/local/sbin/nginx', '/usr/bin/nginx'].find((path) => existsSync(path));

/** Runs nginx in the foreground with what stands in its `http` block; its files go below `folder`. */
export async function startNginx(folder: string, http: string): Promise<ChildProcess> {
  if (NGINX === undefined) throw new Error('nginx is not installed: apt-get install nginx-light');
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((it) => `${it}_temp_path ${folder}/${it};`);
  const config = `
${process.getuid?.() === 0 ? 'user root;' : ''}
daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
events { worker_connections 256; }
http {
access_log off;
${paths.join('\n')}
${http}
}
`;
  await writeFile(join(folder, 'nginx.conf'), config);
  const args = ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', join(folder, 'error.log')];
  return spawn(NGINX, args, { stdio: 'inherit' });
}
