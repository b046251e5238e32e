import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Answers what is no HTTP, or came too slowly, and closes the connection; after the answers to the requests before it,
 * where some of `responses` are still due.
 */
export function rejectGarbage(error: NodeJS.ErrnoException, socket: Socket, responses: Set<ServerResponse>): void {
  const due = [...responses].filter((response) => response.req.complete || response.headersSent);
  if (!socket.writable || error.code === 'ECONNRESET') socket.destroy();
  else if (due.length > 0) {
    // A status line now would be taken for the answer to the request before the garbage.
    for (const response of due) response.once('close', () => socket.destroySoon());
  } else {
    const status =
      error.code === 'HPE_HEADER_OVERFLOW'
        ? '431 Request Header Fields Too Large'
        : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
          ? '408 Request Timeout'
          : '400 Bad Request';
    socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
    socket.destroySoon();
  }
}
