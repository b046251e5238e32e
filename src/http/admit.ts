import type { AuthInfo } from '@modelcontextprotocol/server';
import type { Entry } from '../mcp/log.ts';
import type { Answer } from '../mcp/protocol.ts';
import { nameAddress, nameClient } from './client.ts';
import { type Deps, refuse, type Turn } from './context.ts';

/** Finds out who asks, which names the turn's client, and whether they may ask now: else the answer that refuses. */
export async function admit(turn: Turn, deps: Deps): Promise<{ refusal?: Answer; info?: AuthInfo }> {
  const { request, entry } = turn;
  const admission = await deps.auth?.admit(request.headers.authorization);
  const name = admission?.kind === 'admitted' ? admission.name : undefined;
  if (name !== undefined) entry.token = name.slice(0, 128);
  turn.client = nameClient(request, name, deps.trustProxy);
  // Refused tokens count too, so that nobody tries many of them: for the address as well, whatever a program calls itself.
  const payers = admission?.kind === 'refused' ? [turn.client, nameAddress(request, deps.trustProxy)] : [turn.client];
  const wait = Math.max(...[...new Set(payers)].map((payer) => deps.limiter.take(payer)));
  if (wait > 0) return { refusal: refuseFlood(entry, wait) };
  if (admission?.kind === 'refused') {
    return { refusal: refuse(entry, admission.status, admission.message, admission.headers) };
  }
  return admission === undefined ? {} : { info: admission.info };
}

/** The answer to a client that asked too often, with the seconds it has to wait. */
export function refuseFlood(entry: Entry, wait: number): Answer {
  return refuse(entry, 429, `too many requests: wait ${wait} s`, { 'Retry-After': String(wait) });
}
