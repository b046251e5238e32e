import type { Params } from './methods.ts';
import type { Offer } from './surface.ts';

type Registry = Readonly<Record<string, object>>;

/** What is used of an `McpServer` to see what it has registered, by structure. */
export interface RegisteringServer {
  _registeredResources: Registry;
  _registeredResourceTemplates: Registry;
  _registeredTools: Registry;
  _registeredPrompts: Registry;
}

/** One kind of thing that a host registers, seen as the items of its listing. */
interface Kind {
  readonly registry: keyof RegisteringServer;
  readonly listing: string;
  readonly toItem: (key: string, handle: Params) => Params;
  /** What an update would make of it. */
  readonly toUpdated: (updates: Params) => Params;
  readonly explain: (item: Params) => string;
}

type AssertFree = (item: Params) => void;

const KINDS: readonly Kind[] = [
  {
    registry: '_registeredResources',
    listing: 'resources/list',
    toItem: (uri) => ({ uri }),
    toUpdated: ({ uri }) => ({ uri }),
    explain: ({ uri }) => explainScheme(uri),
  },
  {
    registry: '_registeredResourceTemplates',
    listing: 'resources/templates/list',
    toItem: (_, { resourceTemplate }) => toTemplate(resourceTemplate),
    toUpdated: ({ template }) => toTemplate(template),
    explain: ({ uriTemplate }) => explainScheme(uriTemplate),
  },
  toNamedKind('tool', '_registeredTools', 'tools/list'),
  toNamedKind('prompt', '_registeredPrompts', 'prompts/list'),
];

/**
 * Makes sure that nothing that a host has registered, or registers later, would be answered by an offer instead.
 *
 * @param getOffer - the offer that is in force
 * @returns what makes a host be told of what it registers or renames later
 * @throws Error where something is registered already; nothing is changed
 */
export function guardRegistrations(server: RegisteringServer, getOffer: () => Offer): () => void {
  const guards = KINDS.flatMap((kind) => {
    const findJoined = () => getOffer().joined.get(kind.listing);
    const assertFree: AssertFree = (item) => {
      if (findJoined()?.claims(item) === true) throw new Error(kind.explain(item));
    };
    return findJoined() === undefined ? [] : [{ kind, assertFree }];
  });
  for (const { kind, assertFree } of guards) {
    for (const [key, handle] of Object.entries(server[kind.registry])) assertFree(kind.toItem(key, handle as Params));
  }
  return () => {
    for (const { kind, assertFree } of guards) {
      server[kind.registry] = guardRegistry(server[kind.registry], kind, assertFree);
    }
  };
}

/** Whatever registers something, of whichever version of the SDK, puts its handle into the registry. */
function guardRegistry(registry: Registry, { toItem, toUpdated }: Kind, assertFree: AssertFree): Registry {
  const guarded = new WeakSet<object>();
  // a handle can move what it stands for, and takes it out of the registry before it puts it back
  const guardUpdate = (handle: { update?: (updates: Params) => unknown }) => {
    const { update } = handle;
    if (update === undefined || guarded.has(handle)) return;
    guarded.add(handle);
    handle.update = (updates) => {
      assertFree(toUpdated(updates));
      return update(updates);
    };
  };
  Object.values(registry).forEach(guardUpdate);
  return new Proxy(registry, {
    set(target, key, handle) {
      assertFree(toItem(String(key), handle));
      guardUpdate(handle);
      return Reflect.set(target, key, handle);
    },
  });
}

function toNamedKind(what: string, registry: keyof RegisteringServer, listing: string): Kind {
  return {
    registry,
    listing,
    toItem: (name) => ({ name }),
    toUpdated: ({ name }) => ({ name }),
    explain: ({ name }) => `the ${what} "${name}" is one of the published skills' own: give yours another name`,
  };
}

function toTemplate(resourceTemplate: unknown): Params {
  const { uriTemplate } = (resourceTemplate ?? {}) as Params;
  return uriTemplate === undefined ? {} : { uriTemplate: String(uriTemplate) };
}

function explainScheme(uri: unknown): string {
  return `the resource ${uri} is under skill://, where the published skills answer: register it under another scheme`;
}
