import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { toNetwork } from './client.ts';

/** The open connections, each with the answers that are due on it. */
export interface Connections {
  readonly size: number;
  /** Takes a connection in. Where there are too many, one that waits is closed for it, or else itself. */
  add(socket: Socket): void;
  /** The answers that are due on one connection. */
  due(socket: Socket): Set<ServerResponse>;
  allDue(): ServerResponse[];
}

/** Admits `limit` connections, `share` of them from one network. */
export function createConnections(limit: number, share: number): Connections {
  const open = new Map<Socket, { network: string; due: Set<ServerResponse> }>();
  // Each in the order in which they came.
  const networks = new Map<string, Set<Socket>>();

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
      socket.destroy();
      return true;
    }
    return false;
  }

  return {
    get size() {
      return open.size;
    },
    add(socket) {
      const network = toNetwork(socket.remoteAddress ?? '');
      let hasRoom = (networks.get(network)?.size ?? 0) < share || closeWaiting(networks.get(network) ?? new Set());
      if (hasRoom && open.size >= limit) {
        // Where most come from, there one is missed least.
        hasRoom = [...networks.values()].sort((a, b) => b.size - a.size).some(closeWaiting);
      }
      if (!hasRoom) {
        socket.destroy();
        return;
      }
      open.set(socket, { network, due: new Set() });
      networks.set(network, (networks.get(network) ?? new Set()).add(socket));
      socket.once('close', () => remove(socket));
    },
    due: (socket) => open.get(socket)?.due ?? new Set(),
    allDue: () => [...open.values()].flatMap(({ due }) => [...due]),
  };
}
