import type { Readable, Writable } from 'node:stream';
import type { Child } from './child.ts';
import { LONGEST_LINE, Relay } from './relay.ts';
import type { MakeOffer, Session } from './session.ts';

/** Why nothing can be published, as a client is to hear it. */
export interface Refusal {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** What {@link relayServer} works with. */
export interface WrapOptions {
  readonly input: Readable;
  readonly output: Writable;
  readonly error: Writable;
  readonly child: Child;
  readonly session: Session;
  /** Ends both sides when aborted. */
  readonly signal: AbortSignal;
  /** What the skills put on the server, or why nothing can be. */
  readonly load: () => Promise<MakeOffer | Refusal>;
  /** Refuses a client that has asked nothing so far. */
  readonly refuseLater: (refusal: Refusal) => Promise<void>;
}

/** Of this process, where the relay failed and not one of the sides. */
const FAILED = 3;

/**
 * Relays one connection until one of the sides ends. Messages are passed on from the beginning, while the skills are read.
 *
 * @returns the exit status of the wrapped server; undefined where nothing could be published; 3 for a line that is too long
 */
export async function relayServer(options: WrapOptions): Promise<number | undefined> {
  const { input, output, error, child, session, signal, load, refuseLater } = options;
  let hasFailed = false;
  const loading = load();
  const relay = new Relay({
    input,
    output,
    wrapped: child,
    stray: error,
    session,
    // what came before the skills were read has to be passed on first
    onClientEnd: () => void loading.then(() => child.end(), child.terminate),
    onLong: (from) => {
      hasFailed = true;
      const most = `${LONGEST_LINE / 1024 / 1024} MiB`;
      error.write(
        `mcp-server-skills: ${from} wrote a line of more than ${most}, and no message is that long: both ends\n`,
      );
      child.terminate();
    },
  });
  const onAbort = () => child.terminate();
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });
  try {
    const loaded = await loading;
    if (typeof loaded !== 'function') {
      const { isTold, rest } = relay.refuse(loaded);
      child.terminate();
      if (rest.length > 0 && !input.readableEnded) input.unshift(rest);
      if (!isTold) {
        const refused = refuseLater(loaded);
        input.resume();
        await refused;
      }
      return undefined;
    }
    session.publish(loaded);
    relay.proceed();
    const status = await child.ended;
    await relay.settle();
    return hasFailed ? FAILED : status;
  } catch (reason) {
    child.terminate();
    throw reason;
  } finally {
    await flush(output, signal);
    relay.close();
    input.destroy();
    signal.removeEventListener('abort', onAbort);
  }
}

/** Waits until the client has taken what was written, or is gone, or this is to end. */
async function flush(output: Writable, signal: AbortSignal): Promise<void> {
  if (output.writableLength === 0 || output.destroyed || signal.aborted) return;
  await new Promise<void>((resolve) => {
    const settle = () => resolve();
    output.once('close', settle);
    signal.addEventListener('abort', settle, { once: true });
    output.write('', settle);
  });
}
