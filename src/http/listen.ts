import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { CommandError, EXIT } from '../error.ts';
import { createLog, type LogStream } from '../mcp/log.ts';
import { type AddRoutes, createApp } from './app.ts';
import { createAuth } from './auth.ts';
import { createCompressor } from './compress.ts';
import { createConnections } from './connections.ts';
import type { RequestState, Services } from './context.ts';
import { type Exposure, judgeOptions } from './exposure.ts';
import { rejectGarbage } from './garbage.ts';
import { createLane } from './lane.ts';
import { DEFAULT_LIMITS, type Limits } from './limits.ts';
import { createMetrics } from './metrics.ts';
import { isLoopback } from './origin.ts';
import type { OpenPublication } from './publication.ts';
import { createLimiter } from './rate.ts';
import { followRequest } from './request.ts';
import { createUnread } from './unread.ts';

export interface HttpOptions extends Exposure {
  /** Opens what is served. */
  publish: OpenPublication;
  /** Adds routes to those of the server. */
  addRoutes?: AddRoutes;
  /** 0 takes any free port. */
  port: number;
  /** Take a client's address from the last entry of `X-Forwarded-For`. Only behind a proxy that sets it. */
  trustProxy?: boolean;
  /** Default text. */
  log?: 'text' | 'json' | 'off';
  /** Serve `/metrics`. Default false. */
  metrics?: boolean;
  /** Seconds in which open responses may finish when the server closes. Default 10. */
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
  /** Reads the token file again. Rejects with a CommandError, and keeps the tokens it had, when that fails. */
  reload(): Promise<void>;
  /** Takes no more connections, lets open responses finish, and breaks off what is left after the grace. */
  close(): Promise<void>;
}

/**
 * Serves MCP over Streamable HTTP at `/mcp`, both eras, with `/healthz`, `/readyz` and, where asked for, `/metrics`.
 * Rejects with a CommandError: `usage` for options that contradict each other or would be unsafe, `failure` for a port or
 * file that cannot be had.
 */
export async function serveHttp(options: HttpOptions): Promise<RunningHttp> {
  const { host = '127.0.0.1', graceSeconds = 10, now = Date.now, trustProxy = false } = options;
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const { hasAuth, origin } = judgeOptions(options);
  const stop = new AbortController();
  const auth = hasAuth && options.auth ? await createAuth(options.auth, stop.signal) : undefined;
  const log = createLog(options.log ?? 'text', options.stderr, now);
  const publication = options.publish(limits.subscriptions, log);
  await publication.warmUp();
  // A proxy's connections are those of many.
  const share = trustProxy ? limits.connections : limits.connectionsPerAddress;
  const connections = createConnections(
    limits.connections,
    share,
    (message) => log.note('error', message),
    () => performance.now(),
  );
  const requests = new Map<ServerResponse, { readonly state: RequestState; readonly over: Promise<void> }>();
  const unread = createUnread(limits.unreadBytes);
  const compressor = createCompressor();
  let isDraining = false;
  let arrivals = 0;
  const measure = () => ({
    connections: connections.size,
    crowded: connections.crowded,
    requests: requests.size,
    unreadBytes: unread.bytes,
    keptBytes: compressor.kept,
  });
  const services: Services = {
    ...{ publication, origin, auth, log, unread, compressor, limits, trustProxy, now },
    limiter: createLimiter({ perSecond: limits.requestsPerSecond, burst: limits.burst }, now),
    metrics: options.metrics ? createMetrics(measure) : undefined,
    lane: createLane(() => arrivals),
    isDraining: () => isDraining,
  };

  const server = createServer({
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.keepAliveMs,
    connectionsCheckingInterval: Math.min(1_000, limits.headersMs, limits.requestMs),
    keepAlive: true,
    noDelay: true,
  });
  server.setTimeout(limits.idleMs);
  const app = createApp(services, options.addRoutes);
  const handle = getRequestListener(
    async (request, env) => {
      const outgoing = env.outgoing as ServerResponse;
      const state = requests.get(outgoing)?.state;
      const response = await app.fetch(request, { ...env, state });
      if (state !== undefined && !env.incoming.socket.destroyed) state.entry.status = response.status;
      if (isDraining) outgoing.shouldKeepAlive = false;
      return response;
    },
    { hostname: 'localhost' },
  );
  const onRequest = async (incoming: IncomingMessage, outgoing: ServerResponse, expectsContinue = false) => {
    arrivals += 1;
    const due = connections.due(incoming.socket).add(outgoing);
    const request = followRequest(incoming, outgoing, services, expectsContinue);
    requests.set(outgoing, request);
    // It is judged as it was written, by the check of origins; the bridge would refuse some that are right.
    delete incoming.headers.host;
    void handle(incoming, outgoing);
    await request.over;
    requests.delete(outgoing);
    due.delete(outgoing);
    if (isDraining) setImmediate(() => server.closeIdleConnections());
  };
  server.on('connection', (socket) => {
    // One for each request that was pipelined.
    socket.setMaxListeners(0);
    arrivals += 1;
    connections.add(socket);
  });
  server.on('request', (incoming, outgoing) => void onRequest(incoming, outgoing));
  server.on('checkContinue', (incoming, outgoing) => void onRequest(incoming, outgoing, true));
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    rejectGarbage(error, socket, connections.due(socket));
  });

  await listen(server, host, options.port);
  server.on('error', (error) => log.note('error', `the listening socket: ${error.message}`));
  const { port } = server.address() as AddressInfo;
  if (!isLoopback(host) && !hasAuth) {
    log.note('info', `anyone who can reach ${host}:${port} can read, without a token`);
  }

  async function drain(): Promise<void> {
    isDraining = true;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    const deadline = performance.now() + graceSeconds * 1000;
    const areOpen = () => [...requests.values()].some(({ state }) => !state.isStream);
    while (areOpen() && performance.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 20));
    // Subscriptions never end by themselves; the SDK tells their clients that this is the end.
    await publication.close();
    const timer = setTimeout(() => server.closeAllConnections(), Math.max(100, deadline - performance.now()));
    await closed;
    clearTimeout(timer);
    // An issuer that does not reply would hold up those who wait for its keys.
    stop.abort();
    // Their log lines come last.
    await Promise.all([...requests.values()].map(({ over }) => over));
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
      reject(new CommandError(EXIT.failure, `cannot listen on ${toUrlHost(host)}:${port}: ${reason}`, { cause }));
    });
    server.listen({ host: host.replace(/^\[(.*)\]$/, '$1'), port }, resolve);
  });
}

function toUrlHost(host: string): string {
  if (host === '0.0.0.0' || host === '::' || host === '[::]') return '127.0.0.1';
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
}
