import { capFetch, type Fetch } from './cap.ts';
import type { ClosableConnection, ConnectOptions } from './maker.ts';
import { MAX_MESSAGE_BYTES, openConnection } from './sdkclient.ts';

/** How a server is reached over HTTP. */
export interface HttpOptions extends ConnectOptions {
  /** Sent with each request, such as `authorization`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Default: the global one. */
  readonly fetch?: Fetch;
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
