/** How folders are loaded. */
export interface LoadOptions {
  /** `fail` (default): any error rejects. `skip`: what has an error is left out, and its errors are in `problems`. */
  readonly invalid?: 'fail' | 'skip';
  /** Globs relative to the root; one without `/` is matched against names at any depth. Default: none. */
  readonly exclude?: readonly string[];
  /** `refuse` (default): a SKILL.md below a skill is an error. `files`: it is published as a file of the outer skill. */
  readonly nested?: 'refuse' | 'files';
  /** Where the last segment of a skill's URI comes from. `folder` (default), or `name`: the name in its frontmatter, where it is valid. */
  readonly pathFrom?: 'folder' | 'name';
  /**
   * The module (`import.meta.url`) in whose folder, and then upwards, a relative root is looked for; the first that holds it wins.
   * A folder is taken as well, as a path or a `file:` URL. Default: the working directory alone.
   */
  readonly from?: string | URL;
}

/**
 * For callers without types: a mistake is said in words of this library, and not later, by the engine.
 *
 * @throws TypeError for what is no object, and for an option that there is not: it would be without effect, and nobody would know
 */
export function assertOptions(options: unknown, names: readonly string[]): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw new TypeError(`the options must be an object, not ${quoteValue(options)}`);
  }
  const unknown = Object.keys(options).find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw new TypeError(`there is no option "${unknown}": the options are ${names.join(', ')}`);
}

/** @throws TypeError for what is none of the choices; an option that is left out is fine */
export function assertChoice(name: string, value: unknown, choices: readonly (string | false)[]): void {
  if (value === undefined || choices.some((choice) => choice === value)) return;
  const shown = choices.map(quoteValue);
  throw new TypeError(`${name} must be ${shown.slice(0, -1).join(', ')} or ${shown.at(-1)}, not ${quoteValue(value)}`);
}

/** A value as a message shows it: a text in quotes, so that "60" is not taken for 60. */
export function quoteValue(value: unknown): string {
  if (typeof value === 'string') return `"${value}"`;
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}
