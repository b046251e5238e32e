import { assertOptions, quoteValue } from '../catalog/options.ts';
import type { ToolsMode } from './tools.ts';

/** How a catalog is published on a server. */
export interface PublishOptions {
  /** How long a client may keep an answer on 2026-07-28, in seconds. Default: 300. */
  readonly ttl?: number;
  /** Who may keep an answer on 2026-07-28. Default: `private`. */
  readonly cacheScope?: 'private' | 'public';
  /** Entries a page of a listing. Default: 100; a page also stays below 1 MiB. */
  readonly pageSize?: number;
  /**
   * The tools `skill_list`, `skill_load` and `skill_file`, for hosts without the extension. `auto`: not listed for a client that
   * declares the extension itself. Default: `never`.
   */
  readonly tools?: ToolsMode;
  /** One prompt a skill. Default: false. */
  readonly prompts?: boolean;
  /** Above so many skills, a single prompt `skill` with the skill as an argument. Default: 100. */
  readonly maxPrompts?: number;
  /** A list of the skills in the server's instructions, within 2,048 UTF-16 units. Default: false. */
  readonly instructions?: boolean;
  /** `skill://index.json`, which clients of the superseded draft read. Default: false. */
  readonly legacyIndex?: boolean;
}

/** The same, every one of them with its value. */
export type Settings = Required<PublishOptions>;

const DEFAULTS: Settings = {
  ttl: 300,
  cacheScope: 'private',
  pageSize: 100,
  tools: 'never',
  prompts: false,
  maxPrompts: 100,
  instructions: false,
  legacyIndex: false,
};

const NAMES = Object.keys(DEFAULTS) as (keyof Settings)[];

/** What each option must be, for callers without types. */
const RULES: Readonly<Record<keyof Settings, readonly [rule: string, holds: (value: unknown) => boolean]>> = {
  ttl: ['a number of seconds from 0', (value) => typeof value === 'number' && isWhole(Math.round(value * 1000), 0)],
  cacheScope: ['"private" or "public"', (value) => value === 'private' || value === 'public'],
  pageSize: ['a whole number from 1', (value) => isWhole(value, 1)],
  tools: ['"auto", "always" or "never"', (value) => value === 'auto' || value === 'always' || value === 'never'],
  prompts: ['true or false', isBoolean],
  maxPrompts: ['a whole number from 0', (value) => isWhole(value, 0)],
  instructions: ['true or false', isBoolean],
  legacyIndex: ['true or false', isBoolean],
};

/**
 * Reads the options once, whatever object they are on.
 *
 * @throws TypeError for what is no object, and for an option that there is not
 * @throws RangeError for an option out of its range
 */
export function readOptions(options: PublishOptions): Settings {
  assertOptions(options, NAMES);
  const settings = NAMES.map((name) => {
    const { [name]: value = DEFAULTS[name] } = options;
    const [rule, holds] = RULES[name];
    if (!holds(value)) throw new RangeError(`${name} must be ${rule}, not ${quoteValue(value)}`);
    return [name, value];
  });
  return Object.fromEntries(settings) as Settings;
}

function isWhole(value: unknown, least: number): boolean {
  return Number.isSafeInteger(value) && (value as number) >= least;
}

function isBoolean(value: unknown): boolean {
  return typeof value === 'boolean';
}
