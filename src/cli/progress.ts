import type { Terminal } from './terminal.ts';

/** How long work is silent, in milliseconds. */
const SILENCE = 500;

/** How often the line is written anew, in milliseconds. */
const INTERVAL = 100;

const ERASE = '\r\u001b[K';

/** One line about work that takes long. */
export interface Progress {
  /** To be called often, with how many skills were read so far. */
  readonly show: (skills: number) => void;
  /** Erases the line, if there is one. */
  readonly end: () => void;
}

/**
 * Shows on stderr how far the reading is, where stderr is a terminal, and nowhere else: what is not a terminal keeps every line.
 *
 * @param now - in milliseconds
 */
export function createProgress(
  { error, env }: Pick<Terminal, 'error' | 'env'>,
  now: () => number = () => performance.now(),
): Progress {
  if (error.isTTY !== true || env['TERM'] === 'dumb') return { show: () => undefined, end: () => undefined };
  let next = now() + SILENCE;
  let isShown = false;
  return {
    show(skills) {
      const time = now();
      if (time < next) return;
      next = time + INTERVAL;
      isShown = true;
      error.write(ERASE + (skills === 0 ? 'looking for skills' : `reading skills: ${skills} so far`));
    },
    end() {
      if (isShown) error.write(ERASE);
      isShown = false;
    },
  };
}
