/** Bounds on what one client, or all of them together, can ask of the server. */
export interface Limits {
  /** Requests a second that one client may sustain. Default 100. */
  requestsPerSecond: number;
  /** Requests that one client may send at once. Default 1,000. */
  burst: number;
  /** Bytes of a request's body. Default 128 KiB: no request of a client's is longer. */
  bodyBytes: number;
  /** Bytes of a response. Default 100 MiB: the largest file of a valid skill fits, were each of its bytes a `\u0001`. */
  responseBytes: number;
  /** Bytes of responses in memory that clients have not taken yet; a quarter of it each, 429 above that. Default 256 MiB. */
  unreadBytes: number;
  /** Connections at the same time; one that waits for a request gives way to a new one. Default 1,000. */
  connections: number;
  /** Of them from one address; one behind a proxy is not looked at. Default 250: many may be behind one address. */
  connectionsPerAddress: number;
  /** Open `subscriptions/listen` streams. Default 256. */
  subscriptions: number;
  /** Milliseconds for the headers of a request. Default 10,000. */
  headersMs: number;
  /** Milliseconds for a whole request, body included. Default 15,000. */
  requestMs: number;
  /** Milliseconds in which nothing moves on a connection with a request; Node notices at the second look. Default 20,000. */
  idleMs: number;
  /** Milliseconds that a connection stays open for the next request; longer than nginx's 60 s. Default 75,000. */
  keepAliveMs: number;
  /** Milliseconds for a response to be made. Default 15,000. */
  responseMs: number;
}

/** What holds where nothing else is set. */
export const DEFAULT_LIMITS: Limits = {
  requestsPerSecond: 100,
  burst: 1_000,
  bodyBytes: 128 * 1024,
  responseBytes: 100 * 1024 * 1024,
  unreadBytes: 256 * 1024 * 1024,
  connections: 1_000,
  connectionsPerAddress: 250,
  subscriptions: 256,
  headersMs: 10_000,
  requestMs: 15_000,
  idleMs: 20_000,
  keepAliveMs: 75_000,
  responseMs: 15_000,
};
