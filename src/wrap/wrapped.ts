import { EXTENSION, type Params } from '../mcp/methods.ts';
import { isRecord } from '../text/jsonvalue.ts';

/** The capability that a server declares for a method; the methods of the extension are declared apart. */
const CAPABILITIES: Readonly<Record<string, string>> = {
  'resources/list': 'resources',
  'resources/templates/list': 'resources',
  'resources/read': 'resources',
  'tools/list': 'tools',
  'prompts/list': 'prompts',
  'prompts/get': 'prompts',
  'completion/complete': 'completions',
};

/** What tells the items of a listing apart. */
const KEYS: Readonly<Record<string, string>> = {
  'skills/list': 'uri',
  'resources/list': 'uri',
  'resources/directory/read': 'uri',
  'resources/templates/list': 'uriTemplate',
  'tools/list': 'name',
  'prompts/list': 'name',
};

/** Where a result says who answers (MCP 2026-07-28). */
export const SERVER_INFO = 'io.modelcontextprotocol/serverInfo';

/** The name of an item of a listing. */
export function keyOf(method: string, item: unknown): string | undefined {
  const value = isRecord(item) ? item[KEYS[method] ?? ''] : undefined;
  return typeof value === 'string' ? value : undefined;
}

/** What is known of the wrapped server: what it declared, and what it listed. */
export class Wrapped {
  /** Undefined until it has answered a handshake. */
  #capabilities: Params | undefined;
  /** Who it says it is, on 2026-07-28. */
  serverInfo: unknown;
  readonly #names = new Map<string, Set<string>>();

  /** Takes the result of `initialize` or `server/discover`. */
  introduce(result: Params): void {
    this.#capabilities = isRecord(result['capabilities']) ? result['capabilities'] : {};
    const meta = isRecord(result['_meta']) ? result['_meta'] : {};
    this.serverInfo = meta[SERVER_INFO];
  }

  /** Whether it answers a method, by what it declared; undefined before it declared anything. */
  declares(method: string): boolean | undefined {
    if (this.#capabilities === undefined) return undefined;
    const capability = CAPABILITIES[method];
    if (capability !== undefined) return this.#capabilities[capability] !== undefined;
    const { extensions } = this.#capabilities;
    return isRecord(extensions) && extensions[EXTENSION] !== undefined;
  }

  /** Whether it takes subscriptions to resources, on 2025-11-25 and earlier. */
  get takesSubscriptions(): boolean {
    const resources = this.#capabilities?.['resources'];
    return isRecord(resources) && resources['subscribe'] === true;
  }

  /**
   * Takes a page of one of its listings.
   *
   * @param isFirst - whether the listing begins here: what it held before is forgotten
   */
  list(method: string, items: readonly unknown[], isFirst: boolean): void {
    const known = isFirst ? new Set<string>() : (this.#names.get(method) ?? new Set());
    for (const item of items) {
      const key = keyOf(method, item);
      if (key !== undefined) known.add(key);
    }
    this.#names.set(method, known);
  }

  /** Whether it listed something of this name. */
  has(method: string, key: unknown): boolean {
    return typeof key === 'string' && this.#names.get(method)?.has(key) === true;
  }
}
