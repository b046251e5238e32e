import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { isLoopback } from './origin.ts';

/**
 * Names the client that a request is counted for: by its token where it has one, else by its address. Behind a proxy
 * (`trustProxy`) the address is the last of `X-Forwarded-For`, the one the proxy itself has seen. Programs of one
 * machine share an address, so there the product in `User-Agent` tells them apart; nothing depends on its being true.
 */
export function nameClient(request: IncomingMessage, token: string | undefined, trustProxy: boolean): string {
  if (token !== undefined) return `token ${token}`;
  const address = nameAddress(request, trustProxy);
  const isLocal = readForwarded(request) === '' && isLoopback(toAddress(request.socket.remoteAddress ?? ''));
  return isLocal ? `${address} ${String(request.headers['user-agent'] ?? '').slice(0, 100)}` : address;
}

/** Names the address of a request, whatever program sent it: what a client says of itself must not buy it more guesses. */
export function nameAddress(request: IncomingMessage, trustProxy: boolean): string {
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
