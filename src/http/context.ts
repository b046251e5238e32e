import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import type { Entry, Log } from '../mcp/log.ts';
import type { Auth } from './auth.ts';
import type { Caller } from './caller.ts';
import type { Compressor } from './compress.ts';
import type { Lane } from './lane.ts';
import type { Asked, Metrics } from './metrics.ts';
import type { OriginCheck } from './origin.ts';
import type { Publication } from './publication.ts';
import type { Limiter } from './rate.ts';
import type { Held, Unread } from './unread.ts';

/** What is known of a request while it is under way. */
export interface RequestState {
  readonly entry: Entry;
  /** Its path as it was written, without the query. */
  readonly path: string;
  /** Its `Host` as it was written; empty where there is none. */
  readonly host: string;
  /** The address, until a token says more. */
  caller: Caller;
  /** Published skills that it asks for; counted where it is answered without an error. */
  readonly asked: Asked[];
  /** Aborted when the client is gone. */
  readonly abort: AbortController;
  /** The response in memory. */
  held: Held | undefined;
  /** Whether its response ends only with a subscription. */
  isStream: boolean;
  /** Whether nothing is logged of it. */
  isQuiet: boolean;
  /** Whether the client waits for `100 Continue` before it sends its body (RFC 9110 section 10.1.1). */
  readonly expectsContinue: boolean;
}

/** What Hono knows of a request beside its headers. */
export interface HttpEnv {
  Bindings: HttpBindings & { state: RequestState };
}

export type HttpContext = Context<HttpEnv>;

/** What responding to a request needs; one set for the life of the server. */
export interface Services {
  readonly publication: Publication;
  readonly origin: OriginCheck;
  readonly auth: Auth | undefined;
  readonly limiter: Limiter;
  readonly log: Log;
  readonly metrics: Metrics | undefined;
  readonly unread: Unread;
  readonly compressor: Compressor;
  readonly lane: Lane;
  readonly limits: { readonly bodyBytes: number; readonly responseMs: number; readonly responseBytes: number };
  readonly trustProxy: boolean;
  /** Whether the server has stopped taking connections. */
  isDraining(): boolean;
  /** Wall-clock milliseconds. */
  now(): number;
}

/** Where MCP is served. */
export const ENDPOINT = '/mcp';
