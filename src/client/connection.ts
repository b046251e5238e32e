// Asks one server, whatever client reaches it. Knows no skill and imports no SDK.

/** How one request is sent. Without a signal, one over a connection made here fails after 60 seconds; with one, after an hour. */
export interface RequestOptions {
  /** Aborts the request. */
  readonly signal?: AbortSignal;
}

/** What a server declared when it was connected, as far as it is used here. */
export interface DeclaredCapabilities {
  readonly extensions?: Readonly<Record<string, unknown>>;
}

/** All that a registry needs of a connection. Write one by hand, or make one with a maker of this module. */
export interface SkillConnection {
  readonly capabilities: DeclaredCapabilities;
  /** Whether the connection speaks revision 2026-07-28 or later. */
  readonly modern: boolean;
  /** What the server published on how to use it. */
  readonly instructions?: string | undefined;
  /**
   * Sends one JSON-RPC request.
   *
   * @returns the result as the server sent it
   * @throws an error whose numeric `code` is that of the JSON-RPC error, where the server answered with one
   */
  request(method: string, params: object, options?: RequestOptions): Promise<unknown>;
  /** Calls the listener after each `notifications/resources/list_changed`, until the returned function is called. */
  onResourcesChanged?(listener: () => void): () => void;
}

/** A tool as a server lists it. */
export interface ServerTool {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly [member: string]: unknown;
}

/** A connection with what a host needs beside skills. Nothing of it is asked for before the host asks. */
export interface HostConnection extends SkillConnection {
  /** What the server calls itself. Any server can claim any name: never show it as an origin. */
  readonly serverInfo: { readonly name: string; readonly version: string } | undefined;
  /** The extensions that the server declared, by name. */
  readonly extensions: Readonly<Record<string, unknown>>;
  /** Every page of `tools/list`, at most 100 pages and 10,000 tools. Throws for a listing that does not end. */
  listTools(options?: RequestOptions): Promise<readonly ServerTool[]>;
  /** The result of `tools/call` as the server sent it, `isError` included. Listed or not, the tool is called as it is. */
  callTool(
    name: string,
    args?: Readonly<Record<string, unknown>>,
    options?: RequestOptions,
  ): Promise<Readonly<Record<string, unknown>>>;
  /** The result of `resources/read` as the server sent it. Nothing is verified. */
  readResource(uri: string, options?: RequestOptions): Promise<Readonly<Record<string, unknown>>>;
}

/**
 * What tells a `Client` of `@modelcontextprotocol/sdk` 1.x or `@modelcontextprotocol/client` 2.x. By structure, so that a client of a second
 * copy of an SDK is taken as well.
 */
export interface McpClient {
  getServerCapabilities(): object | undefined;
  getServerVersion?(): object | undefined;
  getInstructions?(): string | undefined;
  request(request: never, schema: never, options?: never): Promise<unknown>;
}

/** The members of a client that are used, in one shape for both lines of the SDK. */
interface Client {
  getServerCapabilities(): Record<string, unknown> | undefined;
  getServerVersion?(): { name: string; version: string } | undefined;
  getInstructions?(): string | undefined;
  getProtocolEra?(): string | undefined;
  request(request: { method: string; params: object }, schema: object, options: object): Promise<unknown>;
  listen?(filter: { resourcesListChanged: true }): Promise<{ close(): Promise<void> }>;
  fallbackNotificationHandler?: ((notification: { method: string }) => Promise<void>) | undefined;
}

const MAX_PAGES = 100;
const MAX_TOOLS = 10_000;
const RESOURCES_CHANGED = 'notifications/resources/list_changed';

/** Timeouts of a request in milliseconds: without a signal, and with one, whose owner decides. */
const TIMEOUT = 60_000;
const PATIENCE = 3_600_000;

/** Passes every result on: in the shape of a schema of Zod for SDK 1.x, and of Standard Schema for 2.x. */
const ANY_RESULT = {
  parse: (data: unknown) => data,
  safeParse: (data: unknown) => ({ success: true, data }),
  '~standard': { version: 1, vendor: 'mcp-server-skills', validate: (value: unknown) => ({ value }) },
};

const known = new WeakMap<object, HostConnection>();

/**
 * The connection of a client that is connected: of `@modelcontextprotocol/sdk` 1.x or of `@modelcontextprotocol/client` 2.x. The client
 * stays the host's: nothing here closes it, and its handlers stay. Where it has a handler of its own for
 * `notifications/resources/list_changed`, call `addServer` again from that handler.
 *
 * @returns the same connection for the same client
 * @throws TypeError for what is no client
 */
export function fromClient(client: McpClient): HostConnection {
  const held = known.get(client);
  if (held !== undefined) return held;
  const { request, getServerCapabilities } = (client ?? {}) as Partial<McpClient>;
  if (typeof request !== 'function' || typeof getServerCapabilities !== 'function') {
    throw new TypeError('this is not a Client of @modelcontextprotocol/sdk 1.x or @modelcontextprotocol/client 2.x');
  }
  const connection = createConnection(client as unknown as Client);
  known.set(client, connection);
  return connection;
}

function createConnection(client: Client): HostConnection {
  const request = (method: string, params: object, { signal }: RequestOptions = {}) =>
    client.request(
      { method, params },
      ANY_RESULT,
      signal === undefined ? { timeout: TIMEOUT } : { timeout: PATIENCE, signal },
    );
  const ask = async (method: string, params: object, options?: RequestOptions) => {
    const result = await request(method, params, options);
    if (typeof result === 'object' && result !== null) return result as Readonly<Record<string, unknown>>;
    throw new TypeError(`the result of ${method} is not an object`);
  };
  return {
    get capabilities() {
      return client.getServerCapabilities() ?? {};
    },
    get modern() {
      return client.getProtocolEra?.() === 'modern';
    },
    get instructions() {
      return client.getInstructions?.();
    },
    get serverInfo() {
      const info = client.getServerVersion?.();
      return info && { name: info.name, version: info.version };
    },
    get extensions() {
      const { extensions } = (client.getServerCapabilities() ?? {}) as DeclaredCapabilities;
      return { ...extensions };
    },
    request,
    listTools: (options) => listTools(ask, options),
    callTool: (name, args = {}, options) => ask('tools/call', { name, arguments: args }, options),
    readResource: (uri, options) => ask('resources/read', { uri }, options),
    onResourcesChanged: createFollower(client),
  };
}

type Ask = (method: string, params: object, options?: RequestOptions) => Promise<Readonly<Record<string, unknown>>>;

async function listTools(ask: Ask, options?: RequestOptions): Promise<readonly ServerTool[]> {
  const tools: ServerTool[] = [];
  const seen = new Set<string>();
  for (let params: { cursor?: string } = {}; ; ) {
    const { tools: page, nextCursor } = await ask('tools/list', params, options);
    if (!Array.isArray(page)) throw new TypeError('the result of tools/list has no list of "tools"');
    tools.push(...(page as ServerTool[]));
    if (typeof nextCursor !== 'string') return tools;
    if (seen.has(nextCursor) || seen.size >= MAX_PAGES || tools.length > MAX_TOOLS) {
      throw new RangeError('the listing of tools does not end');
    }
    seen.add(nextCursor);
    params = { cursor: nextCursor };
  }
}

/**
 * Passes `notifications/resources/list_changed` on. Before 2026-07-28 they come by themselves, after it for a request that stays open;
 * where a server refuses that, the host refreshes when it likes to.
 */
function createFollower(client: Client): (listener: () => void) => () => void {
  const listeners = new Set<() => void>();
  let isInstalled = false;
  let open: Promise<{ close(): Promise<void> } | undefined> | undefined;
  const install = () => {
    const before = client.fallbackNotificationHandler;
    isInstalled = true;
    client.fallbackNotificationHandler = async (notification) => {
      if (notification.method === RESOURCES_CHANGED) for (const listener of listeners) listener();
      await before?.(notification);
    };
  };
  return (listener) => {
    const { resources } = (client.getServerCapabilities() ?? {}) as { resources?: { listChanged?: unknown } };
    if (resources?.listChanged !== true) return () => {};
    if (!isInstalled) install();
    listeners.add(listener);
    if (client.getProtocolEra?.() === 'modern') {
      open ??= client.listen?.({ resourcesListChanged: true }).catch(() => undefined);
    }
    return () => {
      listeners.delete(listener);
      if (listeners.size > 0) return;
      void open?.then((subscription) => subscription?.close()).catch(() => {});
      open = undefined;
    };
  };
}
