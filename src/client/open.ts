/// <reference lib="esnext.disposable" preserve="true" />
import { capFetch, type Fetch } from './cap.ts';
import { fromClient, type HostConnection } from './connection.ts';
import { EXTENSION } from './labels.ts';

/** A connection that was made here, and is closed by its host. */
export interface ClosableConnection extends HostConnection, AsyncDisposable {
  /** Closes the connection; ends the server where it was started here. */
  close(): Promise<void>;
}

/** How a connection is made. */
export interface ConnectOptions {
  /** What the host calls itself. */
  readonly clientInfo?: { readonly name: string; readonly version: string };
  /** `modern` is revision 2026-07-28 alone, `legacy` is before it. Default: `auto`, the newest that the server speaks. */
  readonly era?: 'auto' | 'legacy' | 'modern';
  /** Milliseconds until connecting fails. Default: 30,000. */
  readonly timeout?: number;
  /** Aborts connecting. */
  readonly signal?: AbortSignal;
  /** Most bytes of one message of the server. Default: 32 MiB, in which the largest file fits in base64. */
  readonly maxMessageBytes?: number;
}

/** How a server is reached over HTTP. */
export interface HttpOptions extends ConnectOptions {
  /** Sent with each request, such as `authorization`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Default: the global one. */
  readonly fetch?: Fetch;
}

/** The most bytes of one message, unless the host says otherwise. */
export const MAX_MESSAGE_BYTES = 33_554_432;

const PACKAGE = '@modelcontextprotocol/client';
const REVISION = '2026-07-28';

/** A transport of the SDK, of which only the client knows more. */
interface Transport {
  close(): Promise<void>;
}

/** The error of a package of the SDK that is not installed. */
export function createMissing(maker: string, cause: unknown): Error {
  return new Error(`${maker} needs ${PACKAGE}, which is not installed: npm install "${PACKAGE}@^2.4.0"`, { cause });
}

/**
 * Connects to a server over Streamable HTTP, and lists nothing. Needs `@modelcontextprotocol/client` 2.4 or later.
 *
 * @throws Error that says what to install, and what connecting failed with
 */
export async function connectHttp(url: string | URL, options: HttpOptions = {}): Promise<ClosableConnection> {
  const { headers, fetch: own = (to, init) => fetch(to, init), maxMessageBytes = MAX_MESSAGE_BYTES } = options;
  return openConnection('connectHttp', options, ({ StreamableHTTPClientTransport }) => {
    const init = headers === undefined ? {} : { requestInit: { headers: { ...headers } } };
    return new StreamableHTTPClientTransport(new URL(url), { ...init, fetch: capFetch(own, maxMessageBytes) });
  });
}

type Sdk = typeof import('@modelcontextprotocol/client');

/** Connects a client of the SDK over a transport, and closes both where that fails. */
export async function openConnection(
  maker: string,
  { clientInfo = { name: 'mcp-server-skills', version: '1' }, era = 'auto', timeout = 30_000, signal }: ConnectOptions,
  createTransport: (sdk: Sdk) => Transport | Promise<Transport>,
): Promise<ClosableConnection> {
  let sdk: Sdk;
  try {
    sdk = await import('@modelcontextprotocol/client');
  } catch (error) {
    throw createMissing(maker, error);
  }
  const transport = await createTransport(sdk);
  const mode = era === 'modern' ? { pin: REVISION } : era;
  const client = new sdk.Client(clientInfo, {
    versionNegotiation: { mode, probe: { timeoutMs: timeout } },
    // servers that offer tools to hosts without the extension need not offer them here
    capabilities: { extensions: { [EXTENSION]: {} } },
  });
  try {
    await client.connect(transport as never, { timeout, ...(signal === undefined ? {} : { signal }) });
  } catch (error) {
    await client.close().catch(() => {});
    await transport.close().catch(() => {});
    throw error;
  }
  return toClosable(fromClient(client), () => client.close());
}

/** The members are getters: spreading would read them now. */
function toClosable(connection: HostConnection, close: () => Promise<void>): ClosableConnection {
  return Object.assign(connection, { close, [Symbol.asyncDispose]: close });
}
