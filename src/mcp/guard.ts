import { isSkillUri } from './methods.ts';
import type { Offer } from './offer.ts';

type Method = (...args: unknown[]) => unknown;

/** What is used of an `McpServer` to see what it has registered, by structure. */
export interface RegisteringServer {
  readonly _registeredResources: Readonly<Record<string, unknown>>;
  readonly _registeredResourceTemplates: Readonly<Record<string, { readonly resourceTemplate: unknown }>>;
  readonly _registeredTools: Readonly<Record<string, unknown>>;
  readonly _registeredPrompts: Readonly<Record<string, unknown>>;
}

/** One kind of thing that a host registers: under what, where that is told, and what of it is taken. */
interface Kind {
  readonly registered: readonly unknown[];
  /** Names of the methods that register; the SDK's older line has two for each. */
  readonly methods: readonly string[];
  /** Which argument of the methods is judged. */
  readonly argument: number;
  /** Which fields of an update are judged. */
  readonly fields: readonly string[];
  /** @throws Error for what an offer answers */
  readonly assertFree: (value: unknown) => void;
}

/**
 * Makes sure that nothing that a host has registered, or registers later, would be answered by an offer instead.
 *
 * @returns what makes a host be told of what it registers later
 * @throws Error where something is registered already; nothing is changed
 */
export function guardRegistrations(server: RegisteringServer, offer: Offer): () => void {
  const kinds = toKinds(server, offer);
  for (const { registered, assertFree } of kinds) registered.forEach(assertFree);
  return () => {
    for (const kind of kinds) guardMethods(server as unknown as Record<string, Method | undefined>, kind);
  };
}

function toKinds(server: RegisteringServer, offer: Offer): Kind[] {
  const kinds: Kind[] = [
    {
      registered: [
        ...Object.keys(server._registeredResources),
        ...Object.values(server._registeredResourceTemplates).map(({ resourceTemplate }) => resourceTemplate),
      ],
      methods: ['registerResource', 'resource'],
      argument: 1,
      fields: ['uri', 'template'],
      assertFree: assertForeignUri,
    },
  ];
  const tools = offer.joined.get('tools/list')?.names;
  if (tools !== undefined) {
    kinds.push(toNamedKind('tool', server._registeredTools, ['registerTool', 'tool'], tools));
  }
  const prompts = offer.joined.get('prompts/list')?.names;
  if (prompts !== undefined) {
    kinds.push(toNamedKind('prompt', server._registeredPrompts, ['registerPrompt', 'prompt'], prompts));
  }
  return kinds;
}

function toNamedKind(what: string, registry: object, methods: readonly string[], taken: ReadonlySet<string>): Kind {
  return {
    registered: Object.keys(registry),
    methods,
    argument: 0,
    fields: ['name'],
    assertFree(name) {
      if (typeof name !== 'string' || !taken.has(name)) return;
      throw new Error(`the ${what} "${name}" is one of the published skills' own: give yours another name`);
    },
  };
}

/** The whole scheme is answered by the offer; a template that only happens to match it keeps the rest. */
function assertForeignUri(resource: unknown): void {
  const uri = typeof resource === 'string' ? resource : toTemplateText(resource);
  if (uri === undefined || !(isSkillUri(uri) || (uri !== resource && /^skill:/i.test(uri)))) return;
  throw new Error(
    `the resource ${uri} is under skill://, where the published skills answer: register it under another scheme`,
  );
}

function toTemplateText(resource: unknown): string | undefined {
  const { uriTemplate } = (resource ?? {}) as { uriTemplate?: unknown };
  return uriTemplate === undefined ? undefined : String(uriTemplate);
}

function guardMethods(
  server: Record<string, Method | undefined>,
  { methods, argument, fields, assertFree }: Kind,
): void {
  for (const name of methods) {
    const register = server[name]?.bind(server);
    if (register === undefined) continue;
    server[name] = (...args) => {
      assertFree(args[argument]);
      return guardUpdate(register(...args), fields, assertFree);
    };
  }
}

/** A handle can move what it stands for. */
function guardUpdate(handle: unknown, fields: readonly string[], assertFree: Kind['assertFree']): unknown {
  const { update } = (handle ?? {}) as { update?: Method };
  if (update === undefined) return handle;
  return Object.assign(handle as object, {
    update(updates: Readonly<Record<string, unknown>>) {
      for (const field of fields) assertFree(updates[field]);
      return update(updates);
    },
  });
}
