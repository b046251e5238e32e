/**
 * Why a source cannot be used. `usage`: what was typed is not a source; `missing`: nothing is there; `unreadable`: it cannot be
 * fetched or read.
 */
export class SourceError extends Error {
  override readonly name = 'SourceError';
  readonly kind: 'usage' | 'missing' | 'unreadable';
  /** What to do. */
  readonly hint: string | undefined;

  constructor(kind: SourceError['kind'], message: string, hint?: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
    this.hint = hint;
  }
}
