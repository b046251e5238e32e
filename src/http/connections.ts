import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { countOf } from '../text/count.ts';
import { toNetwork } from './caller.ts';

/** The open connections, each with the responses that are due on it. */
export interface Connections {
  readonly size: number;
  /** How many were closed for want of room, since the start. */
  readonly crowded: number;
  /** Takes a connection in. Where there are too many, one that waits is closed for it, or else itself. */
  add(socket: Socket): void;
  /** The responses that are due on one connection. */
  due(socket: Socket): Set<ServerResponse>;
}

/** The log is told of closed connections no more often. */
const NOTE_MS = 60_000;

/** Admits `limit` connections, `share` of them from one network. `now` is in milliseconds. */
export function createConnections(
  limit: number,
  share: number,
  note: (message: string) => void,
  now: () => number,
): Connections {
  const open = new Map<Socket, { network: string; due: Set<ServerResponse> }>();
  // Each in the order in which they came.
  const networks = new Map<string, Set<Socket>>();
  let crowded = 0;
  let noted = { at: Number.NEGATIVE_INFINITY, crowded: 0 };

  function close(socket: Socket): void {
    socket.destroy();
    crowded += 1;
    if (now() - noted.at < NOTE_MS) return;
    const count = crowded - noted.crowded;
    const hint = share < limit ? `, ${share} of them from one address; behind a proxy, use --trust-proxy` : '';
    const closed = `${countOf(count, 'connection')} ${count === 1 ? 'was' : 'were'} closed to make room`;
    note(`${closed}: ${limit} may be open${hint}`);
    noted = { at: now(), crowded };
  }

  function remove(socket: Socket): void {
    const network = open.get(socket)?.network ?? '';
    open.delete(socket);
    const neighbours = networks.get(network);
    if (neighbours?.delete(socket) && neighbours.size === 0) networks.delete(network);
  }

  /** Closes the oldest of these connections that waits: for the rest of its first request, or for its next one. */
  function closeWaiting(sockets: ReadonlySet<Socket>): boolean {
    for (const socket of sockets) {
      const due = [...(open.get(socket)?.due ?? [])];
      if (due.some((response) => response.req.complete || response.headersSent)) continue;
      remove(socket);
      close(socket);
      return true;
    }
    return false;
  }

  return {
    get size() {
      return open.size;
    },
    get crowded() {
      return crowded;
    },
    add(socket) {
      const network = toNetwork(socket.remoteAddress ?? '');
      let hasRoom = (networks.get(network)?.size ?? 0) < share || closeWaiting(networks.get(network) ?? new Set());
      if (hasRoom && open.size >= limit) {
        // Where most come from, there one is missed least.
        hasRoom = [...networks.values()].sort((a, b) => b.size - a.size).some(closeWaiting);
      }
      if (!hasRoom) {
        close(socket);
        return;
      }
      open.set(socket, { network, due: new Set() });
      networks.set(network, (networks.get(network) ?? new Set()).add(socket));
      socket.once('close', () => remove(socket));
    },
    due: (socket) => open.get(socket)?.due ?? new Set(),
  };
}
