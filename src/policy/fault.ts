/** Why a policy cannot be used, and where. */
export class PolicyError extends Error {
  override readonly name = 'PolicyError';
  /** 1-based. */
  readonly line: number;
  /** 1-based, in UTF-16 units. */
  readonly column: number;

  constructor(message: string, { line, column }: { readonly line: number; readonly column: number }) {
    super(message);
    this.line = line;
    this.column = column;
  }
}
