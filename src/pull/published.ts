// A site that `site` wrote, read as if it were a server: so what is pulled from it is verified, staged and locked in the same way.

import { isRecord } from '../catalog/foreign.ts';
import { MAX_BYTES } from '../catalog/manifest.ts';
import { digestOf } from '../verify/content.ts';
import { ConnectionError, MAX_MESSAGE, type Message, type RawResponse, type Wire } from '../verify/wire.ts';

/** Where a site is, and what is sent to it. */
export interface SiteOptions {
  /** Of a page of the site. */
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** Aborted when the program is to end, or when the site takes too long. */
  readonly signal: AbortSignal;
}

/** An entry of `catalog.json`. What else it has is judged as that of a server is. */
interface PublishedEntry {
  readonly uri: string;
  readonly [key: string]: unknown;
}

const EXTENSION = 'io.modelcontextprotocol/skills';
/** Entries a page: a page of a server stays below 1 MiB as well. */
const PAGE = 50;
const RESULT = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };
/** What is appended to names that a browser would run: mostly nothing, and once where another file has the longer name. */
const ENDINGS = ['', '.txt', '.txt.txt'];

/**
 * Makes a wire to a site; undefined where no site is at the address, so that it is taken for that of a server.
 *
 * @throws ConnectionError where the site is too large to be read
 */
export async function openSite({ url, headers, signal }: SiteOptions): Promise<(() => Wire) | undefined> {
  // where nearly every server is, and no site: it is asked nothing that it may not know
  if (/\/mcp\/?$/.test(url.pathname)) return undefined;
  const base = toBase(url);
  const how = { headers, signal, type: /^application\/(?:.+\+)?json\b/i };
  const bytes = await fetchBytes(new URL('catalog.json', base), MAX_MESSAGE, how).catch((error) => {
    if (error instanceof ConnectionError) throw error;
    return undefined;
  });
  const entries = bytes && readEntries(bytes);
  return entries && (() => createSiteWire(base, entries, headers));
}

function toBase(url: URL): URL {
  const path = url.pathname.replace(/[^/]*\.html$/, '');
  return new URL(path.endsWith('/') ? path : `${path}/`, url.origin);
}

function readEntries(bytes: Uint8Array): readonly PublishedEntry[] | undefined {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(bytes).toString());
  } catch {
    return undefined;
  }
  const skills = isRecord(value) && typeof value['digest'] === 'string' ? value['skills'] : undefined;
  if (!Array.isArray(skills)) return undefined;
  return skills.filter((each): each is PublishedEntry => isRecord(each) && typeof each['uri'] === 'string');
}

function createSiteWire(base: URL, entries: readonly PublishedEntry[], headers: SiteOptions['headers']): Wire {
  const bySkill = new Map(entries.map((entry) => [entry.uri, entry]));
  const files = new Map(entries.flatMap((entry) => listFiles(entry).map((file) => [file.uri, file] as const)));

  async function answer({ method, params = {} }: Message, signal: AbortSignal): Promise<object> {
    const { uri, cursor } = params;
    if (method === 'server/discover') {
      const capabilities = { resources: {}, extensions: { [EXTENSION]: {} } };
      return { result: { ...RESULT, supportedVersions: ['2026-07-28'], capabilities } };
    }
    if (method === 'skills/list') {
      const start = cursor === undefined ? 0 : Number(/^page-(\d{1,6})$/.exec(String(cursor))?.[1]) * PAGE;
      if (!(start < entries.length || (start === 0 && cursor === undefined))) return refuse('this cursor is unknown');
      const rest = start + PAGE < entries.length ? { nextCursor: `page-${start / PAGE + 1}` } : {};
      return { result: { ...RESULT, skills: entries.slice(start, start + PAGE), ...rest } };
    }
    if (method === 'skills/get') {
      const skill = bySkill.get(String(uri));
      return skill === undefined ? refuse(`there is no skill "${uri}"`) : { result: { ...RESULT, skill } };
    }
    if (method === 'resources/read') {
      const file = files.get(String(uri));
      const bytes = file && (await fetchFile(base, file, { headers, signal }));
      if (file === undefined || bytes === undefined) return refuse(`there is no file "${uri}"`);
      const mimeType = bySkill.has(file.uri) ? 'text/markdown' : 'application/octet-stream';
      const blob = Buffer.from(bytes).toString('base64');
      return { result: { ...RESULT, contents: [{ uri, mimeType, blob }] } };
    }
    return { error: { code: -32601, message: `a site does not know ${method}` } };
  }

  return {
    async ask(message, signal) {
      try {
        const answered = { jsonrpc: '2.0', id: message.id, ...(await answer(message, signal)) };
        return { message: answered, size: 0 } satisfies RawResponse;
      } catch (error) {
        if (signal.reason instanceof ConnectionError) throw signal.reason;
        if (error instanceof ConnectionError) throw error;
        throw new ConnectionError(`the site stopped answering: ${describeFailure(error)}`, { cause: error });
      }
    },
    tell: async () => {},
    close: async () => {},
  };
}

function describeFailure(error: unknown): string {
  const { cause, message } = error as Error;
  const { code } = (cause ?? {}) as NodeJS.ErrnoException;
  return code ?? message;
}

function refuse(message: string): object {
  return { error: { code: -32602, message } };
}

interface PublishedFile {
  readonly uri: string;
  readonly digest: unknown;
  /** Relative to the site, without what may be appended. */
  readonly path: string;
}

function listFiles({ uri, resources }: PublishedEntry): PublishedFile[] {
  const folder = uri.replace(/[^/]*$/, '');
  if (!/^skill:\/\/[a-z0-9/-]+\/$/.test(folder) || !Array.isArray(resources)) return [];
  return resources.flatMap((file): PublishedFile[] => {
    if (!isRecord(file) || typeof file['uri'] !== 'string' || !file['uri'].startsWith(folder)) return [];
    const inner = file['uri'].slice(folder.length);
    const isPlain = inner.split('/').every((name) => /^[\w~-][\w.~-]*$/.test(name));
    const path = `${folder.slice('skill://'.length)}files/${inner}`;
    return isPlain ? [{ uri: file['uri'], digest: file['digest'], path }] : [];
  });
}

/** The file under the name that has its digest; else what is under its own name, whose digest is then reported. */
async function fetchFile(
  base: URL,
  { path, digest }: PublishedFile,
  how: Pick<SiteOptions, 'headers' | 'signal'>,
): Promise<Uint8Array | undefined> {
  let other: Uint8Array | undefined;
  for (const ending of ENDINGS) {
    const bytes = await fetchBytes(new URL(path + ending, base), MAX_BYTES, how);
    if (bytes !== undefined && digestOf(bytes) === digest) return bytes;
    other ??= bytes;
  }
  return other;
}

/** What is at an address; undefined where nothing is, or something of another type. */
async function fetchBytes(
  url: URL,
  most: number,
  { headers, signal, type = /^/ }: Pick<SiteOptions, 'headers' | 'signal'> & { readonly type?: RegExp },
): Promise<Uint8Array | undefined> {
  const response = await fetch(url, { headers, signal });
  const isMeant = response.ok && type.test(response.headers.get('content-type') ?? '');
  const reader = isMeant ? response.body?.getReader() : undefined;
  if (reader === undefined) {
    await response.body?.cancel();
    return undefined;
  }
  const pieces: Uint8Array[] = [];
  for (let length = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) return Buffer.concat(pieces);
    length += value.length;
    if (length > most) {
      await reader.cancel();
      throw new ConnectionError(`"${url.pathname}" is longer than ${most} bytes`);
    }
    pieces.push(value);
  }
}
