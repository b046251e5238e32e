// One connection in one era: what is asked, how long it may take, and what every result has to carry.

import { isRecord } from '../catalog/foreign.ts';
import type { Fault } from './checks.ts';
import { showValue } from './difference.ts';
import { collectGarbage } from './memory.ts';
import { createDeadline, createSlots } from './pace.ts';
import { ConnectionError, type Wire } from './wire.ts';

export type Era = 'modern' | 'legacy';

/** The revision that each era is asked for. */
export const REVISIONS = { modern: '2026-07-28', legacy: '2025-11-25' } as const satisfies Record<Era, string>;

/** What a server answered: a result that is an object, or an error. */
export type Reply =
  | { readonly result: Readonly<Record<string, unknown>>; readonly size: number; readonly error?: undefined }
  | { readonly error: ReplyError; readonly result?: undefined };

/** An error of a server; without a code where it came as an HTTP status alone, or is not of the defined form. */
export interface ReplyError {
  readonly code?: number;
  readonly message: string;
}

/** What a server said when it was connected. */
export interface Hello {
  readonly revision: string;
  readonly capabilities: Readonly<Record<string, unknown>>;
  readonly server: { readonly name: string; readonly version: string };
}

/** One connection in one era. */
export interface Session {
  readonly era: Era;
  readonly hello: Hello;
  /** What is wrong with the envelopes of results so far, once for each method. */
  readonly faults: readonly Fault[];
  /** Requests so far. */
  readonly requests: number;
  /** @param most - bytes that the response may have; enough for any page by default */
  request(method: string, params?: Readonly<Record<string, unknown>>, most?: number): Promise<Reply>;
  /** Runs one after another what takes a lot of memory. */
  alone<T>(run: () => Promise<T>): Promise<T>;
}

export interface SessionOptions {
  readonly era: Era;
  /** Of this program. */
  readonly version: string;
  /** How long the first response may take, in seconds. */
  readonly startTimeout: number;
  /** How long any other response may take, in seconds. */
  readonly timeout: number;
  /** Requests at a time. */
  readonly concurrency: number;
  /** Hears the revision as soon as it is known. */
  readonly onRevision: (revision: string) => void;
  /** Aborted when the program is to end. */
  readonly signal: AbortSignal;
}

/** Bytes of a response that is not the content of a file: more than what the official client takes over stdio. */
const MAX_PAGE = 16 * 1024 * 1024;

const META = 'io.modelcontextprotocol/';
const CACHED: ReadonlySet<string> = new Set(['skills/list', 'skills/get', 'resources/read']);

/** Why a server does not speak an era: it answered the handshake with an error. */
export interface Refused {
  readonly refused: ReplyError;
}

/**
 * Opens a session. A server that answers the handshake with an error, or only with other revisions, does not speak the era.
 *
 * @throws ConnectionError where there is no answer at all
 */
export async function openSession(wire: Wire, options: SessionOptions): Promise<Session | Refused> {
  const { era, version, startTimeout, timeout, concurrency, onRevision } = options;
  const client = { name: 'mcp-server-skills', version };
  const meta = {
    [`${META}protocolVersion`]: REVISIONS.modern,
    [`${META}clientInfo`]: client,
    [`${META}clientCapabilities`]: {},
  };
  const faults: Fault[] = [];
  const known = new Set<string>();
  const slots = createSlots(concurrency);
  const single = createSlots(1);
  let requests = 0;

  async function ask(
    method: string,
    params: Readonly<Record<string, unknown>>,
    seconds: number,
    most = MAX_PAGE,
  ): Promise<Reply> {
    return slots(async () => {
      requests += 1;
      const late = new ConnectionError(`no response to ${method} within ${seconds} seconds`);
      const { signal, done } = createDeadline(seconds * 1000, late, options.signal);
      try {
        const id = requests;
        const { message, size } = await wire.ask({ jsonrpc: '2.0', id, method, params: addMeta(params) }, signal, most);
        return toReply(message, size);
      } finally {
        done();
      }
    });
  }

  function addMeta(params: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
    return era === 'modern' ? { ...params, _meta: meta } : params;
  }

  const opening =
    era === 'modern'
      ? await ask('server/discover', {}, startTimeout)
      : await ask(
          'initialize',
          { protocolVersion: REVISIONS.legacy, capabilities: {}, clientInfo: client },
          startTimeout,
        );
  if (opening.error !== undefined) return { refused: opening.error };
  const hello = readHello(era, opening.result);
  if ('refused' in hello) return hello;
  onRevision(hello.revision);
  if (era === 'legacy') {
    const { signal, done } = createDeadline(
      timeout * 1000,
      new ConnectionError('the connection hangs'),
      options.signal,
    );
    try {
      await wire.tell({ jsonrpc: '2.0', method: 'notifications/initialized' }, signal);
    } finally {
      done();
    }
  }
  return {
    era,
    hello,
    faults,
    get requests() {
      return requests;
    },
    alone: (run) =>
      single(() => {
        collectGarbage();
        return run();
      }),
    async request(method, params = {}, most = MAX_PAGE) {
      const reply = await ask(method, params, timeout, most);
      if (reply.result !== undefined) {
        for (const fault of judgeEnvelope(era, method, reply.result)) {
          if (!known.has(`${fault.code} ${method}`)) faults.push(fault);
          known.add(`${fault.code} ${method}`);
        }
      }
      return reply;
    },
  };
}

function readHello(era: Era, result: Readonly<Record<string, unknown>>): Hello | Refused {
  const capabilities = isRecord(result['capabilities']) ? result['capabilities'] : {};
  if (era === 'modern') {
    const offered: unknown = result['supportedVersions'];
    if (!Array.isArray(offered) || !offered.includes(REVISIONS.modern)) {
      return { refused: { message: `its supported revisions: ${showValue(offered)}` } };
    }
    const meta = isRecord(result['_meta']) ? result['_meta'] : {};
    return { revision: REVISIONS.modern, capabilities, server: readServer(meta[`${META}serverInfo`]) };
  }
  const revision = result['protocolVersion'];
  if (typeof revision !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(revision) || revision >= REVISIONS.modern) {
    return { refused: { message: `the revision that it chose: ${showValue(revision)}` } };
  }
  return { revision, capabilities, server: readServer(result['serverInfo']) };
}

function readServer(value: unknown): Hello['server'] {
  const { name, version } = isRecord(value) ? value : {};
  const read = (text: unknown) => (typeof text === 'string' ? text.slice(0, 200) : '');
  return { name: read(name), version: read(version) };
}

function toReply(message: Readonly<Record<string, unknown>>, size: number): Reply {
  const { result, error } = message;
  if (isRecord(error)) {
    const { code, message: text } = error;
    return {
      error: {
        ...(typeof code === 'number' ? { code } : {}),
        message: typeof text === 'string' ? text : 'an error without a message',
      },
    };
  }
  if (isRecord(result)) return { result, size };
  return { error: { message: `a response whose result is ${showValue(result)}` } };
}

/** What every result has to carry in its era, and what it may not (MCP 2026-07-28, "Result" and "CacheableResult"). */
function judgeEnvelope(era: Era, method: string, result: Readonly<Record<string, unknown>>): Fault[] {
  const { resultType, ttlMs, cacheScope } = result;
  const faults: Fault[] = [];
  if (era === 'modern' && resultType !== 'complete') {
    faults.push({
      code: 'result-type',
      message: `the resultType of ${method} is ${showValue(resultType)}, not "complete"`,
    });
  }
  if (era === 'legacy' && resultType !== undefined) {
    faults.push({ code: 'result-type', message: `${method} has a resultType, which this revision does not have` });
  }
  const given = Object.entries({ ttlMs, cacheScope }).filter(([, value]) => value !== undefined);
  if (era === 'legacy' && given.length > 0) {
    const names = given.map(([name]) => name).join(' and ');
    faults.push({ code: 'cache-fields', message: `${method} has ${names}, which this revision does not have` });
  }
  if (era === 'modern' && (CACHED.has(method) || given.length > 0)) {
    const isTtl = typeof ttlMs === 'number' && Number.isSafeInteger(ttlMs) && ttlMs >= 0;
    const isScope = cacheScope === 'public' || cacheScope === 'private';
    const wrong = isTtl
      ? `cacheScope of ${method} is ${showValue(cacheScope)}`
      : `ttlMs of ${method} is ${showValue(ttlMs)}`;
    if (!isTtl || !isScope) faults.push({ code: 'cache-fields', message: `the ${wrong}` });
  }
  return faults;
}
