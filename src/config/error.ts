/** Why no configuration was printed or written. `usage` is the caller's to mend, `file` is about a file on this machine. */
export class ConfigError extends Error {
  readonly kind: 'usage' | 'file';
  /** 1-based, where the text of a configuration file is at fault. */
  readonly line: number | undefined;
  /** 1-based, in UTF-16 units. */
  readonly column: number | undefined;

  constructor(kind: 'usage' | 'file', message: string, at?: { line: number; column: number }, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'ConfigError';
    this.kind = kind;
    this.line = at?.line;
    this.column = at?.column;
  }
}
