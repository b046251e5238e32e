import type { Readable, Writable } from 'node:stream';
import type { Hangups } from '../http/until.ts';
import type { Child } from '../wrap/child.ts';

export { CommandError, EXIT } from '../error.ts';

/** What the command line works with; nothing of it is read from the process anywhere else. */
export interface Terminal {
  readonly input: Readable & { readonly isTTY?: boolean };
  readonly output: Writable & { readonly isTTY?: boolean };
  readonly error: Writable & { readonly isTTY?: boolean };
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The absolute folder of this package. */
  readonly home: string;
  readonly version: string;
  readonly platform: NodeJS.Platform;
  readonly cwd: string;
  /** The absolute folder of the user. */
  readonly userHome: string;
  /** The absolute path of Node. */
  readonly execPath: string;
  /** Of the user, where the platform has one. */
  readonly uid: number | undefined;
  /** Tells of hang-ups, at which an HTTP server reads its tokens again. */
  readonly hangups: Hangups;
  /** The server to wrap, where it is started already. */
  readonly early?: Child | undefined;
  /** Aborted when the process is asked to end. */
  readonly signal: AbortSignal;
}
