import type { SkillCatalog } from '../catalog/catalog.ts';
import { type Answer, createMethods, EXTENSION, isSkillUri, type Params, type Result } from './methods.ts';

/** How a catalog is published on a server. */
export interface PublishOptions {
  /** How long a client may keep an answer on 2026-07-28, in seconds. Default: 300. */
  readonly ttl?: number;
  /** Who may keep an answer on 2026-07-28. Default: `private`. */
  readonly cacheScope?: 'private' | 'public';
  /** Entries a page of a listing. Default: 100; a page also stays below 1 MiB. */
  readonly pageSize?: number;
}

/** A method that a host may answer too: ours for what we claim, the host's for the rest. */
export interface Route {
  readonly claims: (params: Params) => boolean;
  readonly answer: Answer;
}

/** A listing that a host may have too: its items come first, ours behind them. */
export interface Joined {
  readonly field: string;
  readonly answer: Answer;
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
  readonly instructions?: string;
}

const offers = new WeakMap<SkillCatalog, Map<string, Offer>>();

/**
 * What is put on a server for a catalog. Made once for a catalog and its options, so that a server object per request costs nothing.
 *
 * @throws RangeError for an option out of its range
 */
export function toOffer(catalog: SkillCatalog, options: PublishOptions): Offer {
  const key = JSON.stringify(options, Object.keys(options).sort());
  const known = offers.get(catalog) ?? new Map<string, Offer>();
  offers.set(catalog, known);
  const offer = known.get(key) ?? createOffer(catalog, options);
  known.set(key, offer);
  return offer;
}

function createOffer(catalog: SkillCatalog, options: PublishOptions): Offer {
  const { ttl = 300, cacheScope = 'private', pageSize = 100 } = options;
  if (!Number.isSafeInteger(ttl * 1000) || ttl < 0)
    throw new RangeError(`ttl must be a number of seconds from 0, not ${ttl}`);
  if (!Number.isSafeInteger(pageSize) || pageSize < 1) {
    throw new RangeError(`pageSize must be a whole number from 1, not ${pageSize}`);
  }
  if (cacheScope !== 'private' && cacheScope !== 'public') {
    throw new RangeError(`cacheScope must be "private" or "public", not "${cacheScope}"`);
  }
  const methods = createMethods(catalog, { ttlMs: ttl * 1000, cacheScope, pageSize });
  return {
    catalog,
    own: new Map([
      ['skills/list', methods.listSkills],
      ['skills/get', methods.getSkill],
      ['resources/directory/read', methods.readDirectory],
    ]),
    routes: new Map([['resources/read', { claims: ({ uri }) => isSkillUri(uri), answer: methods.readResource }]]),
    joined: new Map([
      ['resources/list', { field: 'resources', answer: methods.listResources }],
      ['resources/templates/list', { field: 'resourceTemplates', answer: methods.listTemplates }],
    ]),
    empty: new Map<string, Result>([
      ['tools/list', { tools: [] }],
      ['prompts/list', { prompts: [] }],
      ['completion/complete', { completion: { values: [], hasMore: false } }],
    ]),
    capabilities: { resources: {}, extensions: { [EXTENSION]: { directoryRead: true } } },
  };
}
