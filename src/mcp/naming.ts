/** What the tools are called. */
export interface ToolNames {
  readonly list: string;
  readonly load: string;
  readonly file: string;
}

/** What a prefix may be: with it, a name stays within the 64 characters of hosts, their own prefix included. */
export const TOOL_PREFIX = /^[A-Za-z0-9_-]{1,32}$/;

/**
 * The names of the tools.
 *
 * @param prefix - precedes each of them, with `_` between; empty for none
 */
export function toToolNames(prefix: string): ToolNames {
  const start = prefix === '' ? '' : `${prefix}_`;
  return { list: `${start}skill_list`, load: `${start}skill_load`, file: `${start}skill_file` };
}
