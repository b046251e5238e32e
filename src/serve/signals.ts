import type { RunningHttp } from './http.ts';

/** The part of `process` that tells of signals. */
export interface Signals {
  on(signal: NodeJS.Signals, listener: () => void): unknown;
  off(signal: NodeJS.Signals, listener: () => void): unknown;
}

/**
 * Keeps serving until SIGTERM or SIGINT, then drains; SIGHUP reads the token file again, and a file that cannot be used
 * is reported and changes nothing. Resolves when everything is closed; a second SIGINT does not wait for the grace.
 */
export async function serveUntilSignal(
  running: RunningHttp,
  signals: Signals,
  stderr: { write(text: string): unknown },
): Promise<void> {
  const onHangup = () => {
    running.reload().catch((error: unknown) => {
      stderr.write(`the tokens stay as they were: ${error instanceof Error ? error.message : String(error)}\n`);
    });
  };
  signals.on('SIGHUP', onHangup);
  await new Promise<void>((resolve) => {
    const onStop = () => {
      signals.off('SIGTERM', onStop);
      signals.off('SIGINT', onStop);
      resolve();
    };
    signals.on('SIGTERM', onStop);
    signals.on('SIGINT', onStop);
  });
  // With the listeners gone, another signal ends the process at once.
  await running.close();
  signals.off('SIGHUP', onHangup);
}
