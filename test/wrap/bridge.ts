import { type ChildProcess, spawn } from 'node:child_process';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { MODERN, toRequest } from './wire.ts';

/** HTTP in front of a server on stdio, for the conformance suite, which speaks nothing else. */
export interface Bridge {
  readonly url: string;
  close(): void;
}

type Json = Record<string, unknown>;

const SESSION = 'mcp-session-id';

/** A server takes its revision from what it is asked first, and the suite also asks what no revision allows. */
const PIN = ['server/discover', 'tools/list'].map((method) => toRequest(`pin ${method}`, method, MODERN));

const LAST_PIN = 'pin tools/list';

/** A process, and who waits for what of it. */
interface Peer {
  readonly child: ChildProcess;
  /** Settles when the last of {@link PIN} is answered. */
  readonly pinned: Promise<void>;
  /** By the id that the server knows. */
  readonly open: Map<string, { readonly id: unknown; readonly response: ServerResponse }>;
}

/** Starts a bridge: a process for each session of 2025-11-25, and one for all requests of 2026-07-28. */
export async function startBridge(command: string, args: readonly string[]): Promise<Bridge> {
  const peers = new Map<string, Peer>();
  let given = 0;

  const startPeer = (): Peer => {
    const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'] });
    const lines = createInterface({ input: child.stdout });
    const pinned = new Promise<void>((resolve) => {
      lines.on('line', (line) => {
        const message = JSON.parse(line) as Json;
        if (message['id'] === LAST_PIN) resolve();
        else take(peer, message);
      });
    });
    const peer: Peer = { child, pinned, open: new Map() };
    return peer;
  };

  /** Hands what the server says to the request that it belongs to, or to the last one that is open. */
  const take = ({ open }: Peer, message: Json): void => {
    const waiting = 'method' in message ? undefined : open.get(String(message['id']));
    if (waiting !== undefined) {
      open.delete(String(message['id']));
      write(waiting.response, { ...message, id: waiting.id });
      waiting.response.end();
      return;
    }
    const last = [...open.values()].at(-1);
    if (last !== undefined) write(last.response, message);
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method !== 'POST') {
      response.writeHead(405).end();
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const message = JSON.parse(Buffer.concat(chunks).toString()) as Json;
    const isOpening = message['method'] === 'initialize';
    const isModern = String(request.headers['mcp-protocol-version'] ?? '') >= '2026-07-28';
    const session = isOpening ? `session-${++given}` : isModern ? 'modern' : String(request.headers[SESSION] ?? '');
    const peer = peers.get(session) ?? startPeer();
    if (isModern && !peers.has(session)) for (const line of PIN) peer.child.stdin?.write(`${JSON.stringify(line)}\n`);
    peers.set(session, peer);
    if (isModern) await peer.pinned;
    const headers = isOpening ? { [SESSION]: session } : {};
    if (message['id'] === undefined || message['method'] === undefined) {
      peer.child.stdin?.write(`${JSON.stringify(message)}\n`);
      response.writeHead(202, headers).end();
      return;
    }
    const id = `bridge-${++given}`;
    peer.open.set(id, { id: message['id'], response });
    response.writeHead(200, { ...headers, 'content-type': 'text/event-stream' });
    response.flushHeaders();
    peer.child.stdin?.write(`${JSON.stringify({ ...message, id })}\n`);
  };

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.writeHead(400).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    close() {
      server.close();
      server.closeAllConnections();
      for (const { child } of peers.values()) {
        child.stdin?.end();
        child.kill();
      }
    },
  };
}

function write(response: ServerResponse, message: Json): void {
  response.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
}
