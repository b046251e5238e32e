import type { Skill } from '../catalog/catalog.ts';
import { assertOptions, quoteValue } from '../disk/loading.ts';
import { TOOL_PREFIX } from './naming.ts';
import type { ToolsMode } from './tools/tools.ts';

/** How a catalog is published on a server. */
export interface PublishOptions {
  /** How long a client may keep an answer on 2026-07-28, in seconds. Default: 300, and 60 for live skills. */
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
  /** SKILL.md files in `resources/list`. Default: true. They can be read either way. */
  readonly resources?: boolean;
  /** What the names of the tools begin with, and a `_`: 1 to 32 letters, digits, `_` or `-`. Default: nothing. */
  readonly toolPrefix?: string;
  /**
   * Whether a skill is in listings. One that is not is served all the same to whoever has its URI, path or name. Asked once for each
   * skill, so pass one function for all servers of a catalog. Default: every skill is.
   */
  readonly isListed?: (skill: Skill) => boolean;
  /**
   * `none`: a client of a revision before 2026-07-28 has no stream on which it could be told that live skills have changed, as over
   * stateless HTTP, so nothing of the kind is declared to it. Default: `open`.
   */
  readonly channel?: 'open' | 'none';
}

/** The same, every one of them with its value. */
export type Settings = Required<Omit<PublishOptions, 'isListed'>> & Pick<PublishOptions, 'isListed'>;

const DEFAULTS = {
  ttl: 300,
  cacheScope: 'private',
  pageSize: 100,
  tools: 'never',
  prompts: false,
  maxPrompts: 100,
  instructions: false,
  legacyIndex: false,
  resources: true,
  toolPrefix: '',
  isListed: undefined,
  channel: 'open',
} as const satisfies { [Name in keyof Required<PublishOptions>]: PublishOptions[Name] | undefined };

const NAMES = Object.keys(DEFAULTS) as (keyof Settings)[];

/** What each option must be, for callers without types. */
const RULES: Readonly<Record<keyof PublishOptions, readonly [rule: string, holds: (value: unknown) => boolean]>> = {
  ttl: ['a number of seconds from 0', (value) => typeof value === 'number' && isWhole(Math.round(value * 1000), 0)],
  cacheScope: ['"private" or "public"', (value) => value === 'private' || value === 'public'],
  pageSize: ['a whole number from 1', (value) => isWhole(value, 1)],
  tools: ['"auto", "always" or "never"', (value) => value === 'auto' || value === 'always' || value === 'never'],
  prompts: ['true or false', isBoolean],
  maxPrompts: ['a whole number from 0', (value) => isWhole(value, 0)],
  instructions: ['true or false', isBoolean],
  legacyIndex: ['true or false', isBoolean],
  resources: ['true or false', isBoolean],
  toolPrefix: [
    '1 to 32 letters, digits, "_" or "-"',
    (value) => value === '' || (typeof value === 'string' && TOOL_PREFIX.test(value)),
  ],
  channel: ['"open" or "none"', (value) => value === 'open' || value === 'none'],
  isListed: ['a function', (value) => value === undefined || typeof value === 'function'],
};

/** Of live skills, in seconds. */
const LIVE_TTL = 60;

/**
 * Reads the options once, whatever object they are on.
 *
 * @param isLive - whether they are for skills that follow what is on disk
 * @throws TypeError for what is no object, and for an option that there is not
 * @throws RangeError for an option out of its range
 */
export function readOptions(options: PublishOptions, isLive = false): Settings {
  assertOptions(options, NAMES);
  const settings = NAMES.map((name) => {
    const { [name]: value = name === 'ttl' && isLive ? LIVE_TTL : DEFAULTS[name] } = options;
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
