import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Entry, Log } from '../mcp/log.ts';
import { type Answer, type Protocol, toError } from '../mcp/protocol.ts';
import type { Auth } from './auth.ts';
import type { Compressor } from './compress.ts';
import type { Lane } from './lane.ts';
import type { Asked, CatalogSummary, Gauges, Metrics } from './metrics.ts';
import type { Guard } from './origin.ts';
import type { Outstanding } from './outstanding.ts';
import type { Limiter } from './rate.ts';
import type { FindSubject } from './subject.ts';

/** Says what an answer holds in memory; `left` of it, all unless given, was not taken yet. */
export type Hold = (bytes: number, breakOff?: () => void, left?: number) => void;

/** One request on its way to its answer. */
export interface Turn {
  request: IncomingMessage;
  response: ServerResponse;
  entry: Entry;
  /** Published skills that the request asks for; counted where it is answered without an error. */
  asked: Asked[];
  /** Aborted when the client is gone. */
  abort: AbortController;
  /** Whose account the answer is on: the address, until a token says more. */
  client: string;
  hold: Hold;
  /** Nothing is logged of it. */
  isQuiet: boolean;
}

/** What answering a request needs; one set for the life of the server. */
export interface Deps {
  protocol: Protocol;
  guard: Guard;
  auth: Auth | undefined;
  limiter: Limiter;
  catalog: CatalogSummary;
  findSubject: FindSubject;
  log: Log;
  metrics: Metrics | undefined;
  outstanding: Outstanding;
  compressor: Compressor;
  lane: Lane;
  limits: { bodyBytes: number; answerMs: number; answerBytes: number };
  trustProxy: boolean;
  /** Whether the server has stopped taking connections. */
  isDraining(): boolean;
  gauges(): Gauges;
  /** Wall-clock milliseconds. */
  now(): number;
}

/** Where MCP is served. */
export const ENDPOINT = '/mcp';

/** Whether a path is that of the endpoint; with a slash at its end as well, which many clients and proxies add. */
export function isEndpoint(path: string): boolean {
  return path === ENDPOINT || path === `${ENDPOINT}/`;
}

/** An answer that refuses before anything was done; the log says why. */
export function refuse(entry: Entry, status: number, message: string, headers: Record<string, string> = {}): Answer {
  entry.refused = message;
  const answer = toError(status, -32000, message);
  return { ...answer, headers: { ...answer.headers, ...headers } };
}
