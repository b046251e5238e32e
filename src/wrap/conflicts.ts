import { peekFile } from '../catalog/catalog.ts';
import { TEMPLATE } from '../mcp/methods.ts';
import type { Offer } from '../mcp/surface.ts';
import { keyOf, type Wrapped } from './wrapped.ts';

const KINDS: Readonly<Record<string, string>> = {
  'tools/list': 'tool',
  'prompts/list': 'prompt',
  'resources/list': 'resource',
  'resources/templates/list': 'resource template',
};

const ADVICE: Readonly<Record<string, string>> = {
  'tools/list': '; --tool-prefix gives the tools for skills other names',
  'resources/list': ', with the skill that it is of; a root with a prefix (prefix=folder) has other URIs',
};

/**
 * What both sides have under one name. It stays the wrapped server's, unless that publishes skills as well: then a skill that is there
 * twice is ours, because the digests of its entry are of our bytes.
 */
export class Conflicts {
  readonly #wrapped: Wrapped;
  readonly #note: (text: string) => void;
  readonly #withdrawn = new Set<string>();
  readonly #noted = new Set<string>();

  /** @param note - tells the user of a conflict, in one line; once for each */
  constructor(wrapped: Wrapped, note: (text: string) => void) {
    this.#wrapped = wrapped;
    this.#note = note;
  }

  /** Whether a skill is left out, because the wrapped server has a resource of one of its URIs. */
  isWithdrawn(uri: string): boolean {
    return this.#withdrawn.has(uri);
  }

  /**
   * Takes note of a page that the wrapped server lists.
   *
   * @param isFirst - whether the listing begins with it
   * @returns which of its items stay, by their index; and whether a skill of ours was withdrawn for one
   */
  see(
    method: string,
    items: readonly unknown[],
    isFirst: boolean,
    offer: Offer,
  ): { isKept: (index: number) => boolean; hasWithdrawn: boolean } {
    const areSkills = this.#areSkills(method);
    this.#wrapped.list(method, items, isFirst);
    const twice = items.map((item) => findTwice(method, item, offer));
    const before = this.#withdrawn.size;
    for (const key of twice) {
      if (key === undefined) continue;
      this.#describe(method, key, areSkills);
      if (method === 'resources/list' && !areSkills) this.#withdraw(key, offer);
    }
    return {
      isKept: (index) => !areSkills || twice[index] === undefined,
      hasWithdrawn: this.#withdrawn.size > before,
    };
  }

  /** Whether an item of ours is listed: the wrapped server has none of its name. */
  isFree(method: string, item: unknown): boolean {
    return this.#areSkills(method) || !this.#wrapped.has(method, keyOf(method, item));
  }

  /** Whether what a listing holds are the entries and files of skills, on both sides. */
  #areSkills(method: string): boolean {
    if (method === 'skills/list' || method === 'resources/directory/read') return true;
    return method === 'resources/list' && this.#wrapped.declares('skills/list') === true;
  }

  /** Hosts would read bytes that the entry of the skill does not describe. */
  #withdraw(uri: string, { catalog }: Offer): void {
    const owner = catalog.skills.find(({ resources }) => resources.some((each) => each.uri === uri));
    if (owner !== undefined) this.#withdrawn.add(owner.uri);
  }

  #describe(method: string, key: string, areSkills: boolean): void {
    // a file is where its skill is, and said with that
    if (areSkills && method !== 'skills/list') return;
    const noted = `${method} ${key}`;
    if (this.#noted.has(noted)) return;
    this.#noted.add(noted);
    const quoted = JSON.stringify(key);
    this.#note(
      areSkills
        ? `the wrapped server also has a skill at ${quoted}: ours is served, and that one is left out`
        : `the wrapped server has a ${KINDS[method]} ${quoted} of its own: it keeps the name, and ours is left out${ADVICE[method] ?? ''}`,
    );
  }
}

/** The name of an item of the wrapped server, where ours has it as well. */
function findTwice(method: string, item: unknown, { catalog, joined }: Offer): string | undefined {
  const key = keyOf(method, item);
  if (key === undefined) return undefined;
  const isFile = peekFile(catalog, key) !== undefined;
  const isOurs: Readonly<Record<string, () => boolean>> = {
    'skills/list': () => catalog.get(key) !== undefined,
    'resources/directory/read': () => isFile || catalog.readDirectory(key) !== undefined,
    'resources/list': () => isFile,
    'resources/templates/list': () => key === TEMPLATE,
  };
  const find = isOurs[method] ?? (() => joined.get(method)?.claims({ name: key }) === true);
  return find() ? key : undefined;
}
