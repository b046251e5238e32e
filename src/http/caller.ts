import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { AuthInfo } from '@modelcontextprotocol/server';
import type { Admission, Auth } from './auth.ts';
import { isLoopback } from './origin.ts';
import type { Limiter } from './rate.ts';

/** Who a request is from. */
export interface Caller {
  /** Whose allowance and memory the request uses: its token's, else its address's. */
  readonly name: string;
  /** The name of its token in the token file, `env` for the one of the environment, or `oauth:` and the subject of an access token. */
  readonly token?: string;
  /** What its token grants; undefined where no token is asked for. */
  readonly auth?: AuthInfo;
  /** The claims of its access token; undefined for a token of the file or of the environment. */
  readonly claims?: Readonly<Record<string, unknown>>;
}

/** A caller that may go on, or why not: `wait` is in seconds. */
export type Admitted =
  | { readonly kind: 'admitted'; readonly caller: Caller }
  | { readonly kind: 'flood'; readonly caller: Caller; readonly wait: number }
  | { readonly kind: 'refused'; readonly caller: Caller; readonly refusal: Extract<Admission, { kind: 'refused' }> };

/**
 * Finds out who asks, by the token, and takes the request from the caller's allowance. The one place where a caller becomes known; where no
 * token is asked for, it is the address.
 */
export async function identify(
  request: IncomingMessage,
  { auth, limiter, trustProxy }: { auth: Auth | undefined; limiter: Limiter; trustProxy: boolean },
): Promise<Admitted> {
  const byAddress = { name: nameCaller(request, trustProxy) };
  const admission = await auth?.admit(request.headers.authorization);
  const caller = admission?.kind === 'admitted' ? { ...byAddress, ...toCaller(admission) } : byAddress;
  // Refused tokens count too, so that nobody tries many of them: for the address as well, whatever a program calls itself.
  const payers = admission?.kind === 'refused' ? [caller.name, nameAddress(request, trustProxy)] : [caller.name];
  const wait = Math.max(...[...new Set(payers)].map((payer) => limiter.take(payer)));
  if (wait > 0) return { kind: 'flood', caller, wait };
  if (admission?.kind === 'refused') return { kind: 'refused', caller, refusal: admission };
  return { kind: 'admitted', caller };
}

function toCaller({ name, info, claims }: Extract<Admission, { kind: 'admitted' }>): Caller {
  return { name: `token ${name}`, token: name, auth: info, ...(claims && { claims }) };
}

/**
 * Names the caller of a request by its address, before any token is looked at. Behind a proxy (`trustProxy`) that is the last of
 * `X-Forwarded-For`, the one the proxy itself has seen. Programs of one machine share an address, so there the product in `User-Agent` tells
 * them apart; nothing depends on its being true.
 */
export function nameCaller(request: IncomingMessage, trustProxy: boolean): string {
  const address = nameAddress(request, trustProxy);
  const isLocal = readForwarded(request) === '' && isLoopback(toAddress(request.socket.remoteAddress ?? ''));
  return isLocal ? `${address} ${String(request.headers['user-agent'] ?? '').slice(0, 100)}` : address;
}

/** Names the address of a request, whatever program sent it: what a client says of itself must not buy it more guesses. */
function nameAddress(request: IncomingMessage, trustProxy: boolean): string {
  const forwarded = trustProxy ? readForwarded(request) : '';
  const address = forwarded === '' ? request.socket.remoteAddress : forwarded.split(',').at(-1)?.trim();
  return `address ${toNetwork(address ?? '')}`;
}

function readForwarded(request: IncomingMessage): string {
  return String(request.headers['x-forwarded-for'] ?? '');
}

function toAddress(text: string): string {
  const bare = /^\[([0-9a-f:.]+)\]/i.exec(text)?.[1] ?? /^([0-9.]+):[0-9]+$/.exec(text)?.[1];
  const address = bare ?? text.slice(0, 100);
  const mapped = /^::ffff:([0-9.]+)$/i.exec(address)?.[1];
  return mapped ?? address;
}

/** What counts as one address, with or without a port: a household has 2^64 of IPv6. */
export function toNetwork(text: string): string {
  const address = toAddress(text);
  if (isIP(address) !== 6) return address;
  const [head = '', tail] = address.split('::');
  const before = head.split(':').filter((group) => group !== '');
  const after = tail === undefined ? [] : tail.split(':').filter((group) => group !== '');
  const zeros = Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0');
  return [...before, ...zeros, ...after]
    .slice(0, 4)
    .map((group) => group.toLowerCase().replace(/^0+(?=.)/, ''))
    .join(':');
}
