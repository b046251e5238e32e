import type { VerifyOptions } from '../../src/verify/verification.ts';
import { ConnectionError } from '../../src/verify/wire.ts';

/** What the command takes where nothing is said. */
export const OPTIONS: VerifyOptions = {
  version: '0',
  signal: new AbortController().signal,
  eras: ['modern', 'legacy'],
  isWanted: () => true,
  unlisted: [],
  minSkills: 1,
  maxSkills: 1000,
  maxBytes: 256 * 1024 ** 2,
  concurrency: 4,
  timeout: 30,
  startTimeout: 30,
};

/** The sentence with which a run fails. */
export async function toFailure(run: Promise<unknown>): Promise<string> {
  const error = await run.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return error instanceof ConnectionError ? error.message : `no failure of a connection: ${error}`;
}
