import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { McpServerFactory } from '@modelcontextprotocol/server';
import { createLog, type LogStream } from '../mcp/log.ts';
import type { Fill } from '../mcp/long.ts';
import { createProtocol } from '../mcp/protocol.ts';
import { type AuthOptions, createAuth } from './auth.ts';
import { expectContinue } from './body.ts';
import { createCompressor } from './compress.ts';
import { createConnections } from './connections.ts';
import { judgeOptions } from './exposure.ts';
import { ServeError } from './fault.ts';
import { rejectGarbage } from './garbage.ts';
import { createLane } from './lane.ts';
import { type CatalogSummary, createMetrics } from './metrics.ts';
import { isLoopback } from './origin.ts';
import { createOutstanding } from './outstanding.ts';
import { createLimiter } from './rate.ts';
import { exchange } from './request.ts';
import type { FindSubject } from './subject.ts';

/** Bounds on what one client, or all of them together, can ask of the server. */
interface Limits {
  /** Requests a second that one client may sustain. Default 100. */
  requestsPerSecond: number;
  /** Requests that one client may send at once. Default 1,000. */
  burst: number;
  /** Bytes of a request's body. Default 128 KiB: no request of a client's is longer. */
  bodyBytes: number;
  /** Bytes of an answer. Default 100 MiB: the largest file of a valid skill fits, were each of its bytes a `\u0001`. */
  answerBytes: number;
  /** Bytes of answers that clients have not taken yet; a quarter of it each, 429 above that. Default 256 MiB. */
  outstandingBytes: number;
  /** Connections at the same time; one that waits for a request gives way to a new one. Default 1,000. */
  connections: number;
  /** Of them from one address; one behind a proxy is not looked at. Default 250: many may be behind one address. */
  connectionsPerAddress: number;
  /** Open `subscriptions/listen` streams. Default 256. */
  subscriptions: number;
  /** Milliseconds for the headers of a request. Default 10,000. */
  headersMs: number;
  /** Milliseconds for a whole request, body included. Default 15,000. */
  requestMs: number;
  /** Milliseconds in which nothing moves on a connection with a request; Node notices at the second look. Default 20,000. */
  idleMs: number;
  /** Milliseconds that a connection stays open for the next request; longer than nginx's 60 s. Default 75,000. */
  keepAliveMs: number;
  /** Milliseconds for an answer to be made. Default 15,000. */
  answerMs: number;
}

const DEFAULT_LIMITS: Limits = {
  requestsPerSecond: 100,
  burst: 1_000,
  bodyBytes: 128 * 1024,
  answerBytes: 100 * 1024 * 1024,
  outstandingBytes: 256 * 1024 * 1024,
  connections: 1_000,
  connectionsPerAddress: 250,
  subscriptions: 256,
  headersMs: 10_000,
  requestMs: 15_000,
  idleMs: 20_000,
  keepAliveMs: 75_000,
  answerMs: 15_000,
};

export interface HttpOptions {
  /** Makes a server object for each request; it must be cheap, and it must not keep anything between requests. */
  createServer: McpServerFactory;
  catalog: CatalogSummary;
  /** Completes the answers of `createServer`. Default: they are complete. */
  fill?: Fill;
  /** Finds the skill that a message is about, for the log and the metrics. Default: finds none. */
  findSubject?: FindSubject;
  /** Default 127.0.0.1. */
  host?: string;
  /** 0 takes any free port. */
  port: number;
  /** Host names that pass beside the loopback ones, with any port. */
  allowHosts?: readonly string[];
  /** Origins of web pages that pass beside the loopback ones. */
  allowOrigins?: readonly string[];
  auth?: AuthOptions;
  /** Anyone who reaches the port may read. */
  noAuth?: boolean;
  /** What the answers say of caches; `public` cannot stand beside `auth`. Default private. */
  cacheScope?: 'private' | 'public';
  /** Take a client's address from the last entry of `X-Forwarded-For`. Only behind a proxy that sets it. */
  trustProxy?: boolean;
  /** Default text. */
  log?: 'text' | 'json' | 'off';
  /** Serve `/metrics`. Default false. */
  metrics?: boolean;
  /** Seconds that open answers get when the server closes. Default 10. */
  graceSeconds?: number;
  limits?: Partial<Limits>;
  /** Where the log goes. */
  stderr: LogStream;
  /** Wall-clock milliseconds. Default Date.now. */
  now?: () => number;
}

export interface RunningHttp {
  /** The endpoint, for a client on this machine. */
  url: string;
  port: number;
  /** Reads the token file again. Rejects with a ServeError, and keeps the tokens it had, when that fails. */
  reload(): Promise<void>;
  /** Takes no more connections, lets open answers finish, and breaks off what is left after the grace. */
  close(): Promise<void>;
}

/**
 * Serves MCP over Streamable HTTP at `/mcp`, both eras, with `/healthz`, `/readyz` and, where asked for, `/metrics`.
 * Rejects with a ServeError: `usage` for options that contradict each other or would be unsafe, `failure` for a port or
 * file that cannot be had.
 */
export async function serveHttp(options: HttpOptions): Promise<RunningHttp> {
  const { host = '127.0.0.1', graceSeconds = 10, now = Date.now } = options;
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const { hasAuth, guard } = judgeOptions(options);
  const stop = new AbortController();
  const auth = hasAuth && options.auth ? await createAuth(options.auth, now, stop.signal) : undefined;
  const log = createLog(options.log ?? 'text', options.stderr, now);
  const protocol = createProtocol(options.createServer, limits.subscriptions, log.failure, options.fill);
  const compressor = createCompressor();
  const outstanding = createOutstanding(limits.outstandingBytes, () => performance.now());
  // A proxy's connections are those of many.
  const share = options.trustProxy ? limits.connections : limits.connectionsPerAddress;
  const connections = createConnections(
    limits.connections,
    share,
    (message) => log.note('error', message),
    () => performance.now(),
  );
  const pending = new Set<Promise<void>>();
  let draining = false;

  const server = createServer({
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.keepAliveMs,
    connectionsCheckingInterval: Math.min(1_000, limits.headersMs, limits.requestMs),
    keepAlive: true,
    noDelay: true,
  });
  server.setTimeout(limits.idleMs);

  const deps = {
    protocol,
    guard,
    auth,
    limiter: createLimiter({ perSecond: limits.requestsPerSecond, burst: limits.burst }, now),
    catalog: options.catalog,
    findSubject: options.findSubject ?? (() => undefined),
    log,
    metrics: options.metrics ? createMetrics(options.catalog) : undefined,
    outstanding,
    compressor,
    lane: createLane(() => arrivals),
    limits,
    trustProxy: options.trustProxy ?? false,
    isDraining: () => draining,
    gauges: () => ({
      connections: connections.size,
      crowded: connections.crowded,
      requests: pending.size,
      outstandingBytes: outstanding.bytes,
      keptBytes: compressor.kept,
    }),
    now,
  };
  let arrivals = 0;
  const onRequest = async (request: IncomingMessage, response: ServerResponse) => {
    arrivals += 1;
    const due = connections.due(request.socket).add(response);
    const answered = exchange(request, response, deps);
    pending.add(answered);
    await answered;
    pending.delete(answered);
    due.delete(response);
    if (draining) setImmediate(() => server.closeIdleConnections());
  };
  server.on('connection', (socket) => {
    // One for each request that was pipelined.
    socket.setMaxListeners(0);
    arrivals += 1;
    connections.add(socket);
  });
  server.on('request', onRequest);
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    expectContinue(request);
    void onRequest(request, response);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    rejectGarbage(error, socket, connections.due(socket));
  });

  await listen(server, host, options.port);
  server.on('error', (error) => log.note('error', `the listening socket: ${error.message}`));
  const { port } = server.address() as AddressInfo;
  if (!isLoopback(host) && !hasAuth) log.note('info', `whoever reaches ${host}:${port} may read, without a token`);

  async function drain(): Promise<void> {
    draining = true;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    const deadline = performance.now() + graceSeconds * 1000;
    const answersOpen = () => connections.allDue().some((response) => !isStream(response));
    while (answersOpen() && performance.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 20));
    // Subscriptions never end by themselves; the SDK tells their clients that this is the end.
    await protocol.close();
    const timer = setTimeout(() => server.closeAllConnections(), Math.max(100, deadline - performance.now()));
    await closed;
    clearTimeout(timer);
    // An issuer that does not reply would hold up those who wait for its keys.
    stop.abort();
    // Their log lines come last.
    await Promise.all(pending);
    log.end();
  }
  let closing: Promise<void> | undefined;

  return {
    url: `http://${toUrlHost(host)}:${port}/mcp`,
    port,
    async reload() {
      if (options.auth?.tokenFile === undefined) return;
      try {
        await auth?.reload();
      } catch (error) {
        log.note('error', `the tokens stay as they were: ${error instanceof Error ? error.message : String(error)}`);
        throw error;
      }
      log.note('info', 'the token file was read again');
    },
    close() {
      closing ??= drain();
      return closing;
    },
  };
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const reason = cause.code === 'EADDRINUSE' ? 'the port is taken' : (cause.code ?? cause.message);
      reject(new ServeError('failure', `cannot listen on ${toUrlHost(host)}:${port}: ${reason}`, { cause }));
    });
    server.listen({ host: host.replace(/^\[(.*)\]$/, '$1'), port }, resolve);
  });
}

function isStream(response: ServerResponse): boolean {
  return response.headersSent && String(response.getHeader('content-type')).startsWith('text/event-stream');
}

function toUrlHost(host: string): string {
  if (host === '0.0.0.0' || host === '::' || host === '[::]') return '127.0.0.1';
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
}
