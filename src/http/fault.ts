/**
 * A reason why nothing is served that the person who started it can act on: the message says what to change.
 * `usage` is a wrong or contradictory option (exit status 2), `failure` is the machine's (a file that cannot be read, a
 * port that is taken; exit status 3).
 */
export class ServeError extends Error {
  override readonly name = 'ServeError';
  readonly kind: 'usage' | 'failure';

  constructor(kind: 'usage' | 'failure', message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.kind = kind;
  }
}
