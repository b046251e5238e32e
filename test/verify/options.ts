import type { VerifyOptions } from '../../src/verify/verification.ts';

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
