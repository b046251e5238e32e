import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import {
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  validateHostHeader,
  validateOriginHeader,
} from '@modelcontextprotocol/server';
import { ServeError } from './fault.ts';

/** What the guard says of a request: the headers that every answer to it carries, and why it is refused. */
interface Verdict {
  headers: Record<string, string>;
  refused?: string;
}

export interface Guard {
  /** Judges `Host` and `Origin`; reads no body. `anyAddress` also lets an IP address pass as the host. */
  check(request: IncomingMessage, anyAddress: boolean): Verdict;
}

const HOST = /^(?:\[[0-9a-f:.]+\]|[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?)(?::[0-9]{1,5})?$/i;
const HOST_NAME = /^(?:\[[0-9a-f:.]+\]|[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?)$/;
const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^/?#@\s]+$/;

const ALLOWED_HEADERS = [
  'Accept',
  'Authorization',
  'Content-Type',
  'Last-Event-ID',
  'MCP-Protocol-Version',
  'Mcp-Method',
  'Mcp-Name',
  'Mcp-Session-Id',
  'Traceparent',
  'Tracestate',
].join(', ');
const EXPOSED_HEADERS = 'MCP-Protocol-Version, Mcp-Session-Id, Retry-After, WWW-Authenticate';

/**
 * Makes the check against DNS rebinding: the loopback names pass with any port, and what is listed here besides.
 * A host is a name without a port; an origin is written as browsers send it, or `scheme://*` for the pages of a browser
 * extension. Throws a `usage` ServeError for entries that could never match.
 */
export function createGuard(allowHosts: readonly string[], allowOrigins: readonly string[]): Guard {
  const hosts = [...localhostAllowedHostnames(), ...allowHosts.map(toHostName)];
  const origins = new Set(allowOrigins.map(toOrigin));
  const originPatterns = [...localhostAllowedOrigins(), ...[...origins].filter((origin) => origin.endsWith('://*'))];
  return {
    check(request, anyAddress) {
      const headers = { Vary: 'Origin' };
      const refuse = (refused: string) => ({ headers, refused });
      const host = request.headers.host ?? '';
      if (countHeader(request, 'host') > 1) return refuse('more than one Host header');
      // The SDK reads the host with a URL parser, which would find "localhost" in "evil@localhost" too.
      if (!HOST.test(host)) return refuse('the Host header is missing or malformed');
      const known = validateHostHeader(host, hosts);
      // A rebound name is a name: whoever asks for an address was not sent here by somebody's DNS.
      if (!known.ok && !(anyAddress && isAddress(host))) return refuse(`the host "${host}" is not allowed`);

      const origin = request.headers.origin;
      if (origin === undefined) return { headers };
      if (!origins.has(origin) && (origin === '' || !validateOriginHeader(origin, originPatterns).ok)) {
        return refuse(`the origin "${origin.slice(0, 200)}" is not allowed`);
      }
      return {
        headers: {
          ...headers,
          'Access-Control-Allow-Origin': origin,
          'Access-Control-Expose-Headers': EXPOSED_HEADERS,
        },
      };
    },
  };
}

/** The headers of the answer to an `OPTIONS` request that passed the guard, beside the guard's own. */
export function toPreflightHeaders(request: IncomingMessage): Record<string, string> {
  if (request.headers.origin === undefined) return { Allow: 'POST, OPTIONS' };
  return {
    // GET and DELETE are answered with 405, which a page can only see when the preflight lets it ask.
    'Access-Control-Allow-Methods': 'POST, GET, DELETE, OPTIONS',
    'Access-Control-Allow-Headers': ALLOWED_HEADERS,
    'Access-Control-Max-Age': '7200',
    Vary: 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers',
  };
}

/** Whether only this machine can reach a socket that is bound to `host`. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || (isIP(host) === 4 && host.startsWith('127.'));
}

function toHostName(entry: string): string {
  const name = entry.toLowerCase();
  const url = `http://${name}`;
  // As clients write it: an IPv6 address has many spellings, and "1.2.3" becomes an address that nobody meant.
  const host = HOST_NAME.test(name) && URL.canParse(url) ? new URL(url).hostname : '';
  if (host !== name && !host.startsWith('[')) {
    throw new ServeError(
      'usage',
      `"${entry}" is not a host name: write it as skills.example.com, without scheme or port`,
    );
  }
  return host;
}

function toOrigin(entry: string): string {
  const origin = entry.toLowerCase().replace(/\/$/, '');
  const isWeb = /^https?:/.test(origin);
  const url = isWeb && URL.canParse(origin) ? new URL(origin) : undefined;
  // "https://1.2.3" becomes an address that nobody meant.
  const isMeant = url !== undefined && (isIP(url.hostname) === 0 || origin.includes(`://${url.hostname}`));
  if (!ORIGIN.test(origin) || (isWeb && (origin.includes('*') || !isMeant))) {
    throw new ServeError(
      'usage',
      `"${entry}" is not an origin: write it as https://app.example.com, one for each site`,
    );
  }
  // Browsers leave out the port that the scheme has anyway.
  return url?.origin ?? origin;
}

function isAddress(host: string): boolean {
  const name = host.startsWith('[') ? host.slice(1, host.indexOf(']')) : host.replace(/:[0-9]+$/, '');
  return isIP(name) !== 0;
}

function countHeader(request: IncomingMessage, name: string): number {
  let count = 0;
  for (let i = 0; i < request.rawHeaders.length; i += 2) if (request.rawHeaders[i]?.toLowerCase() === name) count += 1;
  return count;
}
