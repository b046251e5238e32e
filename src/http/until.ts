import type { RunningHttp } from './listen.ts';

/** The part of `process` that tells of hang-ups. */
export interface Hangups {
  on(signal: 'SIGHUP', listener: () => void): unknown;
  off(signal: 'SIGHUP', listener: () => void): unknown;
}

/**
 * Keeps serving until `stop` is aborted, then drains and resolves. Meanwhile a SIGHUP reads the token file again; a file
 * that cannot be used changes nothing.
 */
export async function serveUntil(stop: AbortSignal, running: RunningHttp, hangups: Hangups): Promise<void> {
  // The log tells what was wrong.
  const onHangup = () => void running.reload().catch(() => {});
  hangups.on('SIGHUP', onHangup);
  await new Promise<void>((resolve) => {
    if (stop.aborted) resolve();
    stop.addEventListener('abort', () => resolve(), { once: true });
  });
  await running.close();
  hangups.off('SIGHUP', onHangup);
}
