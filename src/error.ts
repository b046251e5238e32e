/** Exit statuses: what scripts and editors rely on. */
export const EXIT = { well: 0, problems: 1, usage: 2, failure: 3 } as const;

/**
 * Why a command ends, for the person who started it: the message says what to change. Problems of skills are values and are never thrown
 * as this.
 */
export class CommandError extends Error {
  override readonly name: string = 'CommandError';
  /** The exit status: `EXIT.usage` for a wrong or contradictory option, `EXIT.failure` for a file, a port or a machine. */
  readonly status: number;
  /** 1-based, where the text of a file is at fault; `column` is in UTF-16 units. */
  readonly at: { readonly line: number; readonly column: number } | undefined;

  constructor(status: number, message: string, options: ErrorOptions & { at?: CommandError['at'] } = {}) {
    const { at, ...rest } = options;
    super(message, rest);
    this.status = status;
    this.at = at;
  }
}
