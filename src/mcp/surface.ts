import type { Skill, SkillCatalog } from '../catalog/catalog.ts';
import { toAudience } from './audience.ts';
import { createCompletion } from './complete.ts';
import type { Feed } from './feed.ts';
import { toInstructions } from './instructions.ts';
import { INDEX_URI, toIndex } from './legacy.ts';
import {
  type Answer,
  createMethods,
  EXTENSION,
  isSkillUri,
  PAGE_BYTES,
  type Params,
  type Result,
  type ToStandIn,
  toKnownSpelling,
} from './methods.ts';
import { toToolNames } from './naming.ts';
import type { Means } from './presentation.ts';
import { createPrompts } from './prompts.ts';
import { type PublishOptions, readOptions, type Settings } from './settings.ts';
import { createTools, type ToolsMode } from './tools/tools.ts';

/** A method that a host may answer too: ours for what we claim, the host's for the rest. */
export interface Route {
  readonly claims: (params: Params) => boolean;
  readonly answer: (...args: Parameters<Answer>) => Result | Promise<Result>;
}

/** A listing that a host may have too: its items come first, ours behind them. An item that we answer for is ours alone. */
export interface Joined {
  readonly field: string;
  readonly answer: Answer;
  /** Whether an item is one that we answer for: one of a host's is refused where it is registered, and is not listed. */
  readonly claims: (item: Params) => boolean;
  /** Whether a cursor is of this listing, and the item that it names is there. */
  readonly names: (cursor: string) => boolean;
}

/** Everything that is put on a server: methods by name, and what is declared. Shared by all servers of a catalog. */
export interface Offer {
  readonly catalog: SkillCatalog;
  /** Methods that nobody else may answer. */
  readonly own: ReadonlyMap<string, Answer>;
  readonly routes: ReadonlyMap<string, Route>;
  readonly joined: ReadonlyMap<string, Joined>;
  /** Answers for hosts that ask whatever was declared, where nobody else answers. */
  readonly empty: ReadonlyMap<string, Result>;
  readonly capabilities: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** All that `prompts/list` shows, as one text. */
  readonly describePrompts: () => string;
  /** Names of prompts that are ours. */
  readonly promptNames: ReadonlySet<string>;
  /** Our part of the instructions, behind so many UTF-16 units of the host's; empty where it finds no room. */
  readonly toInstructions?: (taken: number) => string;
}

/** What only this package itself chooses. */
export interface InnerOptions {
  /** Where results of `resources/read` are completed later. */
  readonly toStandIn?: ToStandIn | undefined;
  /** Of live skills. */
  readonly feed?: Feed | undefined;
  /** Whether problems are only counted: their paths are for whoever runs the server, and not for its clients. */
  readonly hidesPaths?: boolean | undefined;
  /** Whether clients hear when another catalog takes the place of this one. */
  readonly isExchanged?: boolean | undefined;
}

/** Offers of one catalog that are kept: more than a host makes kinds of servers, and an end where an option is never twice the same. */
const KEPT = 8;

const offers = new WeakMap<SkillCatalog, Map<string, Offer>>();

/**
 * What is put on a server for a catalog. Made once for a catalog and its options, so that a server object per request costs nothing.
 *
 * @throws TypeError or RangeError for options that are none
 */
export function toOffer(catalog: SkillCatalog, options: PublishOptions, inner: InnerOptions = {}): Offer {
  const settings = readOptions(options, inner.feed !== undefined);
  const key = toOfferKey(settings, inner);
  const known = offers.get(catalog) ?? new Map<string, Offer>();
  offers.set(catalog, known);
  const offer = known.get(key) ?? createOffer(catalog, settings, inner);
  // the last one used comes last
  known.delete(key);
  known.set(key, offer);
  const [oldest] = known.keys();
  if (known.size > KEPT && oldest !== undefined) known.delete(oldest);
  return offer;
}

const numbers = new WeakMap<object, number>();
let given = 0;

/** Equal for equal options; a function is equal to itself alone. */
function toOfferKey(settings: Settings, { toStandIn, feed, hidesPaths }: InnerOptions): string {
  const [isListed, standIn, of] = [settings.isListed, toStandIn, feed].map(toNumber);
  return JSON.stringify({ ...settings, isListed, standIn, of, hidesPaths });
}

function toNumber(value: object | undefined): number | undefined {
  if (value === undefined) return undefined;
  const number = numbers.get(value) ?? ++given;
  numbers.set(value, number);
  return number;
}

function createOffer(catalog: SkillCatalog, settings: Settings, inner: InnerOptions): Offer {
  const { toStandIn, feed } = inner;
  const { ttl, cacheScope, pageSize, tools: mode, maxPrompts, instructions, legacyIndex, resources } = settings;
  const audience = toAudience(catalog, settings.isListed);
  const toolNames = toToolNames(settings.toolPrefix);
  const ownTools = new Set(Object.values(toolNames));
  const ttlMs = Math.round(ttl * 1000);
  const toCacheable = (result: Result, isModern: boolean) => (isModern ? { ...result, ttlMs, cacheScope } : result);
  const methods = createMethods(catalog, audience, {
    ...{ ttlMs, cacheScope, pageSize, resources, toStandIn },
    findWithdrawn: feed && ((uri) => feed.findWithdrawn(uri, ttlMs)),
  });
  const tools =
    mode === 'never'
      ? undefined
      : createTools(catalog, audience, { mode, names: toolNames, ttlMs, cacheScope, pageSize, ...inner });
  const prompts = settings.prompts
    ? createPrompts(catalog, audience, {
        maxPrompts,
        means: MEANS[mode],
        toolNames,
        limits: { entries: pageSize, bytes: PAGE_BYTES },
        toCacheable,
      })
    : undefined;
  // an embedding server that wants none of the surfaces shows nothing but its own and the skills
  const hasSurface = tools !== undefined || prompts !== undefined || instructions;
  const completion = createCompletion(hasSurface ? { skills: audience.listed } : undefined, prompts);
  const none = new Set<string>();
  return {
    catalog,
    own: new Map([
      ['skills/list', methods.listSkills],
      ['skills/get', methods.getSkill],
      ['resources/directory/read', methods.readDirectory],
    ]),
    routes: new Map<string, Route>([
      [
        'resources/read',
        {
          // no host has an answer where there is no URI, but some have an error of their own
          claims: ({ uri }) => typeof uri !== 'string' || isSkillUri(uri),
          answer: legacyIndex ? withIndex(audience.listed, toCacheable, methods.readResource) : methods.readResource,
        },
      ],
      ['completion/complete', completion],
      ...toRoute('tools/call', ownTools, tools?.callTool),
      ...toRoute('prompts/get', prompts?.names ?? none, prompts?.getPrompt),
    ]),
    joined: new Map<string, Joined>([
      [
        'resources/list',
        {
          field: 'resources',
          answer: methods.listResources,
          claims: ({ uri }) => isSkillUri(uri),
          names: methods.namesResource,
        },
      ],
      [
        'resources/templates/list',
        {
          field: 'resourceTemplates',
          answer: methods.listTemplates,
          claims: ({ uriTemplate }) => typeof uriTemplate === 'string' && /^skill:/i.test(uriTemplate),
          names: () => false,
        },
      ],
      ...(tools === undefined
        ? []
        : [
            [
              'tools/list',
              { field: 'tools', answer: tools.listTools, claims: toClaims(ownTools), names: () => false },
            ] as const,
          ]),
      ...(prompts === undefined
        ? []
        : [
            [
              'prompts/list',
              {
                field: 'prompts',
                answer: prompts.listPrompts,
                claims: toClaims(prompts.names),
                names: prompts.namesPrompt,
              },
            ] as const,
          ]),
    ]),
    empty: new Map<string, Result>([
      ...(tools === undefined ? [['tools/list', { tools: [] }] as const] : []),
      ...(prompts === undefined ? [['prompts/list', { prompts: [] }] as const] : []),
    ]),
    describePrompts: prompts?.describe ?? (() => ''),
    promptNames: prompts?.names ?? none,
    capabilities: {
      resources: {},
      ...(hasSurface ? { completions: {} } : {}),
      ...(tools === undefined ? {} : { tools: {} }),
      ...(prompts === undefined ? {} : { prompts: {} }),
      extensions: { [EXTENSION]: { directoryRead: true } },
    },
    ...(instructions
      ? {
          toInstructions: keepLast((taken) =>
            toInstructions(catalog, audience, { mode, names: toolNames, resources, taken }),
          ),
        }
      : {}),
  };
}

const MEANS: Readonly<Record<ToolsMode, Means>> = { always: 'tool', auto: 'either', never: 'resources' };

/** Servers of one host have the same instructions, so one text serves all of them. */
function keepLast(make: (taken: number) => string): (taken: number) => string {
  let last: { readonly taken: number; readonly text: string } | undefined;
  return (taken) => {
    if (last?.taken !== taken) last = { taken, text: make(taken) };
    return last.text;
  };
}

/** The route of a method that names what it is about, where a surface has it. */
function toRoute(method: string, names: ReadonlySet<string>, answer: Route['answer'] | undefined): [string, Route][] {
  return answer === undefined ? [] : [[method, { claims: toClaims(names), answer }]];
}

function toClaims(names: ReadonlySet<string>): (named: Params) => boolean {
  return ({ name }) => typeof name === 'string' && names.has(name);
}

/** Reads the index of the superseded draft beside the files. */
function withIndex(
  skills: readonly Skill[],
  toCacheable: (result: Result, isModern: boolean) => Result,
  read: Answer,
): Answer {
  let text: string | undefined;
  return (params, caller) => {
    const { uri } = params;
    if (typeof uri !== 'string' || toKnownSpelling(uri) !== INDEX_URI) return read(params, caller);
    text ??= toIndex(skills);
    return toCacheable({ contents: [{ uri, mimeType: 'application/json', text }] }, caller.isModern);
  };
}
