import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Era } from '../../src/verify/dialogue.ts';

/** JSON whose form a test may break. */
// biome-ignore lint/suspicious/noExplicitAny: what is broken on purpose has no type
type Json = any;

/** A request, as a server sees it. */
export interface Asked {
  readonly method: string;
  readonly params: Json;
  readonly era: Era;
  /** How often this method was asked for this URI or cursor, this time included. */
  readonly count: number;
}

export type Answered = { result: Json } | { error: { code: number; message: string } };

/** What is wrong with a server. */
export interface Wrong {
  /** Changes the files before entries are made of them. */
  readonly files?: (files: Map<string, string | Uint8Array>) => void;
  /** The frontmatter of an entry, where it is not that of {@link createSkills}. */
  readonly frontmatter?: Readonly<Record<string, Json>>;
  /** Changes the entries, in list and get alike. */
  readonly entries?: (entries: Json[]) => Json[];
  readonly capabilities?: (capabilities: Json, era: Era) => Json;
  /** Leaves directory reads out: neither declared nor answered. */
  readonly withoutDirectories?: boolean;
  /** Entries a page; 1 by default. */
  readonly pageSize?: number;
  /** Answers in place of the server, or changes what it answers. */
  readonly answer?: (asked: Asked, usual: () => Answered, server: FaultyServer) => Answered;
}

/** The frontmatter of the three skills. */
const FRONTMATTER: Readonly<Record<string, Json>> = {
  'skill://alpha/': { name: 'alpha', description: 'The first.', metadata: { team: 'a' } },
  'skill://group/beta/': { name: 'beta', description: 'The second.' },
  'skill://group/gamma/': { name: 'gamma', description: 'The third.', license: 'MIT' },
};

const ALPHA = 'name: alpha\ndescription: The first.\nmetadata:\n  team: a\n';

/** A SKILL.md with this frontmatter. */
export function toSkillMd(yaml: string): string {
  return `---\n${yaml}---\n\n# Steps\n`;
}

function createFiles(): Map<string, string | Uint8Array> {
  return new Map<string, string | Uint8Array>([
    ['skill://alpha/SKILL.md', toSkillMd(ALPHA)],
    ['skill://alpha/assets/logo.bin', new Uint8Array([0xff, 0x00, 0x80])],
    ['skill://alpha/references/guide.md', '# Guide\n'],
    ['skill://alpha/references/more/deep.md', 'ä\n'],
    ['skill://group/beta/SKILL.md', toSkillMd('name: beta\ndescription: The second.\n')],
    ['skill://group/gamma/SKILL.md', toSkillMd('name: gamma\ndescription: The third.\nlicense: MIT\n')],
  ]);
}

const invalid = (message: string): Answered => ({ error: { code: -32602, message } });
const isModern = (era: Era) => era === 'modern';

/** A server of both eras that is right, except for what is wrong with it. It answers messages, and knows no transport. */
export class FaultyServer {
  readonly files = createFiles();
  readonly wrong: Wrong;
  entries: Json[] = [];
  readonly #counts = new Map<string, number>();

  constructor(wrong: Wrong) {
    this.wrong = wrong;
    wrong.files?.(this.files);
    this.makeEntries();
  }

  /** Makes the entries of the files as they are now. */
  makeEntries(): void {
    const folders = [...this.files.keys()]
      .filter((uri) => uri.endsWith('/SKILL.md'))
      .map((uri) => uri.slice(0, -'SKILL.md'.length))
      .filter((folder, _, all) => !all.some((other) => other !== folder && folder.startsWith(other)))
      .sort();
    const entries = folders.map((folder) => ({
      uri: `${folder}SKILL.md`,
      frontmatter: folder === folders[0] ? (this.wrong.frontmatter ?? FRONTMATTER[folder]) : FRONTMATTER[folder],
      resources: [...this.files]
        .filter(([uri]) => uri.startsWith(folder))
        .map(([uri, content]) => ({
          uri,
          digest: `sha256:${createHash('sha256').update(content).digest('hex')}`,
          size: Buffer.byteLength(content),
        })),
    }));
    this.entries = this.wrong.entries?.(structuredClone(entries)) ?? entries;
  }

  /** Answers a request. */
  answer(method: string, params: Json, era: Era): Answered {
    const key = `${era} ${method} ${params.uri ?? params.cursor ?? ''}`;
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    const usual = () => this.answerUsual(method, params, era);
    return this.wrong.answer?.({ method, params, era, count }, usual, this) ?? usual();
  }

  /** Answers as a server that is right. */
  answerUsual(method: string, params: Json, era: Era): Answered {
    const { withoutDirectories = false } = this.wrong;
    switch (method) {
      case 'server/discover':
        return this.#result(era, { supportedVersions: ['2026-07-28'], capabilities: this.#declare(era) }, false);
      case 'initialize':
        return {
          result: {
            protocolVersion: '2025-11-25',
            capabilities: this.#declare(era),
            serverInfo: { name: 'faulty', version: '1' },
          },
        };
      case 'skills/list':
        return this.#list(params.cursor, era);
      case 'skills/get': {
        const skill = this.entries.find(({ uri }) => uri === params.uri);
        return skill === undefined ? invalid(`no skill ${params.uri}`) : this.#result(era, { skill });
      }
      case 'resources/read':
        return this.#read(params.uri, era);
      case 'resources/directory/read':
        if (withoutDirectories) return { error: { code: -32601, message: 'unknown method' } };
        return this.#readDirectory(params.uri, era);
      default:
        return { error: { code: -32601, message: 'unknown method' } };
    }
  }

  #declare(era: Era): Json {
    const settings = this.wrong.withoutDirectories === true ? {} : { directoryRead: true };
    const capabilities = { resources: {}, extensions: { 'io.modelcontextprotocol/skills': settings } };
    return this.wrong.capabilities?.(capabilities, era) ?? capabilities;
  }

  #result(era: Era, result: Json, isCached = true): Answered {
    if (!isModern(era)) return { result };
    const cache = isCached ? { ttlMs: 1000, cacheScope: 'private' } : {};
    const _meta = { 'io.modelcontextprotocol/serverInfo': { name: 'faulty', version: '1' } };
    return { result: { ...result, ...cache, resultType: 'complete', _meta } };
  }

  #list(cursor: unknown, era: Era): Answered {
    const { pageSize = 1 } = this.wrong;
    const at = cursor === undefined ? 0 : Number(/^at-(\d+)$/.exec(String(cursor))?.[1] ?? Number.NaN);
    if (!(at < Math.max(this.entries.length, 1))) return invalid('unknown cursor');
    const next = at + pageSize < this.entries.length ? { nextCursor: `at-${at + pageSize}` } : {};
    return this.#result(era, { skills: this.entries.slice(at, at + pageSize), ...next });
  }

  #read(uri: string, era: Era): Answered {
    const content = this.files.get(uri);
    if (content === undefined) return invalid(`no file ${uri}`);
    const mimeType = uri.endsWith('.md') ? 'text/markdown' : 'application/octet-stream';
    const body = typeof content === 'string' ? { text: content } : { blob: Buffer.from(content).toString('base64') };
    return this.#result(era, { contents: [{ uri, mimeType, ...body }] });
  }

  #readDirectory(uri: string, era: Era): Answered {
    const children = new Map<string, Json>();
    for (const [file, content] of this.files) {
      if (!file.startsWith(`${uri}/`)) continue;
      const [name = '', ...rest] = file.slice(uri.length + 1).split('/');
      const child = `${uri}/${name}`;
      if (rest.length > 0) children.set(child, { uri: child, name, mimeType: 'inode/directory' });
      else children.set(child, { uri: child, name, mimeType: 'text/plain', size: Buffer.byteLength(content) });
    }
    return children.size === 0 ? invalid(`no folder ${uri}`) : this.#result(era, { resources: [...children.values()] });
  }
}

/** A `fetch` that a server answers without a network: the requests and responses are those of Streamable HTTP. */
export function serveFetch(server: FaultyServer): typeof fetch {
  return async (_, init) => {
    const { id, method, params = {} } = JSON.parse(String(init?.body));
    if (id === undefined) return new Response(null, { status: 202 });
    const isNew = params._meta?.['io.modelcontextprotocol/protocolVersion'] === '2026-07-28';
    const answer = server.answer(method, params, isNew ? 'modern' : 'legacy');
    return Response.json({ jsonrpc: '2.0', id, ...answer });
  };
}

/** The same on a port of loopback, for what connects by itself. */
export async function listen(server: FaultyServer): Promise<{ url: string; close(): Promise<void> }> {
  const answer = serveFetch(server);
  const http = createServer(async (request, response) => {
    if (request.method !== 'POST') {
      response.writeHead(405).end();
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { status, headers, body } = await answer('http://127.0.0.1/', { body: Buffer.concat(chunks).toString() });
    response.writeHead(status, Object.fromEntries(headers));
    for await (const chunk of body ?? []) response.write(chunk);
    response.end();
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const { port } = http.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    async close() {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}
