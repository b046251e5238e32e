/// <reference lib="esnext.disposable" preserve="true" />
import type { HostConnection } from './connection.ts';

/** A connection that was made here, and is closed by its host. */
export interface ClosableConnection extends HostConnection, AsyncDisposable {
  /** Closes the connection; ends the server where it was started here. */
  close(): Promise<void>;
}

/** How a connection is made. */
export interface ConnectOptions {
  /** What the host calls itself. */
  readonly clientInfo?: { readonly name: string; readonly version: string };
  /** `modern` is revision 2026-07-28 alone, `legacy` is before it. Default: `auto`, the newest that the server speaks. */
  readonly era?: 'auto' | 'legacy' | 'modern';
  /** Milliseconds until connecting fails. Default: 30,000. */
  readonly timeout?: number;
  /** Aborts connecting. */
  readonly signal?: AbortSignal;
  /** Most bytes of one message of the server. Default: 32 MiB, in which the largest file fits in base64. */
  readonly maxMessageBytes?: number;
}
