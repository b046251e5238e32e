import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import type { Log } from '../mcp/log.ts';
import type { Auth } from './auth.ts';
import type { Compressor } from './compress.ts';
import type { Lane } from './lane.ts';
import type { Metrics } from './metrics.ts';
import type { OriginCheck } from './origin.ts';
import type { Publication } from './publication.ts';
import type { Limiter } from './rate.ts';
import type { RequestState } from './request.ts';
import type { Unread } from './unread.ts';

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
