import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import {
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  validateHostHeader,
  validateOriginHeader,
} from '@modelcontextprotocol/server';
import type { cors } from 'hono/cors';
import { CommandError, EXIT } from '../error.ts';

/** Which `Host` and which `Origin` a request may have. */
export interface OriginCheck {
  /** Why a request for `host` is refused; undefined where it passes. `anyAddress` also lets an IP address pass as the host. */
  explainRefusal(request: IncomingMessage, host: string, anyAddress: boolean): string | undefined;
}

const HOST = /^(?:\[[0-9a-f:.]+\]|[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?)(?::[0-9]{1,5})?$/i;
const HOST_NAME = /^(?:\[[0-9a-f:.]+\]|[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?)$/;
const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^/?#@\s]+$/;

/** What the pages of an origin may send and read, once its requests have passed the check. */
export const CORS: Parameters<typeof cors>[0] = {
  origin: (origin) => origin,
  // GET and DELETE are answered with 405, which a page can only see when the preflight lets it ask.
  allowMethods: ['POST', 'GET', 'DELETE', 'OPTIONS'],
  allowHeaders: [
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
  ],
  exposeHeaders: ['MCP-Protocol-Version', 'Mcp-Session-Id', 'Retry-After', 'WWW-Authenticate'],
  maxAge: 7200,
};

/**
 * Makes the check against DNS rebinding: the loopback names pass with any port, and what is listed here besides.
 * A host is a name without a port; an origin is written as browsers send it, or `scheme://*` for the pages of a browser
 * extension. Throws a CommandError (`usage`) for entries that could never match.
 */
export function createOriginCheck(allowHosts: readonly string[], allowOrigins: readonly string[]): OriginCheck {
  const hosts = [...localhostAllowedHostnames(), ...allowHosts.map(toHostName)];
  const origins = new Set(allowOrigins.map(toOrigin));
  const originPatterns = [...localhostAllowedOrigins(), ...[...origins].filter((origin) => origin.endsWith('://*'))];
  return {
    explainRefusal(request, host, anyAddress) {
      const { origin } = request.headers;
      if (countHeader(request, 'host') > 1) return 'more than one Host header';
      // The SDK reads the host with a URL parser, which would find "localhost" in "evil@localhost" too.
      if (!HOST.test(host)) return 'the Host header is missing or malformed';
      // A rebound name is a name: whoever asks for an address was not sent here by somebody's DNS.
      if (!validateHostHeader(host, hosts).ok && !(anyAddress && isAddress(host))) {
        return `the host "${host}" is not allowed`;
      }
      if (origin === undefined || origins.has(origin)) return undefined;
      const isAllowed = origin !== '' && validateOriginHeader(origin, originPatterns).ok;
      return isAllowed ? undefined : `the origin "${origin.slice(0, 200)}" is not allowed`;
    },
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
    throw new CommandError(
      EXIT.usage,
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
    throw new CommandError(
      EXIT.usage,
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
