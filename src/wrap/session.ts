import { peekFile, type Skill } from '../catalog/catalog.ts';
import { toHints } from '../mcp/handlers.ts';
import { INDEX_URI } from '../mcp/legacy.ts';
import {
  type Answer,
  type Caller,
  EXTENSION,
  isSkillUri,
  type Params,
  type Result,
  TEMPLATE,
  toKnownSpelling,
} from '../mcp/methods.ts';
import type { ToolNames } from '../mcp/naming.ts';
import { isOwnCursor, markCursor, unmarkCursor } from '../mcp/pages.ts';
import type { Offer } from '../mcp/surface.ts';
import { isRecord } from '../text/jsonvalue.ts';
import { type Id, METHOD_NOT_FOUND, type Message, toErrorResponse, toNotification, toResponse } from './message.ts';
import { addMembers, changeList, setMember } from './splice.ts';
import { Subscriptions } from './subscriptions.ts';
import { keyOf, Wrapped } from './wrapped.ts';

/** Changes a response of the wrapped server; undefined for a line that stays as it came. */
export type Edit = (response: Message, line: string) => string | undefined;

/** What is to be done with a message of the client. */
export type Verdict =
  | { readonly kind: 'pass' }
  /** It may be ours, which is not known before the skills are read. */
  | { readonly kind: 'wait' }
  | { readonly kind: 'answer'; readonly make: () => Result | Promise<Result> }
  /** The wrapped server answers, and its response is changed; `line` is there where the request is changed, too. */
  | { readonly kind: 'edit'; readonly edit: Edit; readonly line?: string | undefined };

/** What a {@link Session} works with. */
export interface SessionOptions {
  readonly names: ToolNames;
  /** Whether the index of the superseded draft is served. */
  readonly legacyIndex: boolean;
  /** Tells the user of a conflict, in one line. */
  readonly note: (text: string) => void;
  /** Called once, with the name that the client gives itself. */
  readonly onClient?: (name: string) => void;
}

/** What the skills put on the server, without those that the wrapped server has itself. */
export type MakeOffer = (isKept: (skill: Skill) => boolean) => Offer;

const PASS: Verdict = { kind: 'pass' };

const CLIENT_INFO = 'io.modelcontextprotocol/clientInfo';
const CLIENT_CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
const PROTOCOL_VERSION = 'io.modelcontextprotocol/protocolVersion';
const SERVER_INFO = 'io.modelcontextprotocol/serverInfo';
const FIRST_MODERN = '2026-07-28';

/** Their responses say what a server can do. */
const HANDSHAKES: ReadonlySet<string> = new Set(['initialize', 'server/discover']);

const LISTEN = 'subscriptions/listen';

/** Other requests that may be ours, and how that shows before the skills are read. */
const CANDIDATES: Readonly<Record<string, (params: Params, names: ToolNames) => boolean>> = {
  'skills/list': () => true,
  'skills/get': () => true,
  'resources/directory/read': () => true,
  'resources/list': () => true,
  'resources/templates/list': () => true,
  'resources/read': ({ uri }) => isSkillUri(uri),
  'resources/subscribe': ({ uri }) => isSkillUri(uri),
  'resources/unsubscribe': ({ uri }) => isSkillUri(uri),
  'prompts/list': () => true,
  'prompts/get': () => true,
  'completion/complete': () => true,
  'tools/list': () => true,
  'tools/call': ({ name }, names) => Object.values(names).includes(name as string),
};

/** What is known of one connection, and what follows from it for each message. No streams: lines go in, and come out. */
export class Session {
  /** The revision that `initialize` settled on; undefined on 2026-07-28. */
  revision: string | undefined;

  readonly #options: SessionOptions;
  readonly #wrapped = new Wrapped();
  readonly #subscriptions = new Subscriptions();
  readonly #withdrawn = new Set<string>();
  readonly #noted = new Set<string>();
  #make: MakeOffer | undefined;
  #current: Offer | undefined;
  #client: { readonly capabilities: unknown; readonly info: unknown } | undefined;
  #isClientKnown = false;

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  /** Whether the skills are read. */
  get isReady(): boolean {
    return this.#make !== undefined;
  }

  /** Takes what is published; again when the skills have changed. */
  publish(make: MakeOffer): void {
    this.#make = make;
    this.#current = undefined;
  }

  /** Whether a message is a request that may be ours, or whose response may be changed. */
  concerns({ method, id, params }: Message): boolean {
    if (method === undefined || id === undefined) return false;
    if (HANDSHAKES.has(method) || method === LISTEN) return true;
    return Object.hasOwn(CANDIDATES, method) && CANDIDATES[method]?.(params, this.#options.names) === true;
  }

  /** Judges a request of the client that {@link concerns} this. */
  judge(id: Id, { method = '', params }: Message, line: Buffer): Verdict {
    this.#hearClient(params);
    if (HANDSHAKES.has(method)) {
      if (method === 'initialize') this.#client = { capabilities: params['capabilities'], info: params['clientInfo'] };
      return { kind: 'edit', edit: (response, text) => this.#introduce(method, response, text) };
    }
    if (method === LISTEN) {
      this.#subscriptions.add(id, params);
      return { kind: 'edit', edit: (response) => this.#endSubscription(id, response) };
    }
    if (!this.isReady) return { kind: 'wait' };
    return this.#route(method, id, params, line);
  }

  /** Judges that the client cancels a request that the wrapped server has, or had. */
  cancel(id: Id): 'pass' | 'drop' {
    return this.#subscriptions.remove(id) ? 'drop' : 'pass';
  }

  /** A notification of the wrapped server as it goes to the client; undefined for a line that stays as it came. */
  widen({ method, params }: Message, line: string): string | undefined {
    if (method === undefined || !this.isReady) return undefined;
    return this.#subscriptions.widen(method, params, line, this.#offer.capabilities);
  }

  /** The lines that tell the client of a change of the skills. */
  announce(method: string, params: Result = {}): readonly string[] {
    if (this.revision !== undefined) return [toNotification(method, params)];
    return this.#subscriptions.announce(method, params, this.#offer.capabilities);
  }

  /** A result of ours as it goes out. */
  envelop(result: Result, params: Params): Result {
    if (!this.#readCaller(params).isModern) return result;
    const { serverInfo } = this.#wrapped;
    const meta = isRecord(result['_meta']) ? result['_meta'] : {};
    return {
      ...result,
      resultType: 'complete',
      ...(serverInfo === undefined ? {} : { _meta: { ...meta, [SERVER_INFO]: serverInfo } }),
    };
  }

  get #offer(): Offer {
    if (this.#make === undefined) throw new Error('nothing is published yet');
    this.#current ??= this.#make(({ uri }) => !this.#withdrawn.has(uri));
    return this.#current;
  }

  #route(method: string, id: Id, params: Params, line: Buffer): Verdict {
    const { own, routes, joined } = this.#offer;
    const caller = this.#readCaller(params);
    const answer = own.get(method);
    if (method === 'skills/list' && answer !== undefined) {
      return this.#join({ method, id, params, line, field: 'skills', answer, caller });
    }
    if (answer !== undefined) return this.#routeOwn(method, id, params, line, answer, caller);
    const listing = joined.get(method);
    if (listing !== undefined) {
      return this.#join({ method, id, params, line, field: listing.field, answer: listing.answer, caller });
    }
    if (method === 'resources/subscribe' || method === 'resources/unsubscribe') {
      // what is pinned sends no updates, and the wrapped server may refuse what it does not have
      return this.#wrapped.takesSubscriptions && this.#isOurFile(params) ? { kind: 'answer', make: () => ({}) } : PASS;
    }
    const route = routes.get(method);
    if (route === undefined || !this.#claims(method, params)) return PASS;
    return { kind: 'answer', make: () => route.answer(params, caller) };
  }

  /** A method of the extension that names one URI. */
  #routeOwn(method: string, id: Id, params: Params, line: Buffer, answer: Answer, caller: Caller): Verdict {
    const { catalog } = this.#offer;
    const uri = typeof params['uri'] === 'string' ? toKnownSpelling(params['uri']) : '';
    const isFolder = method === 'resources/directory/read';
    const isOurs = isFolder ? catalog.readDirectory(uri) !== undefined : catalog.get(uri) !== undefined;
    const isDeclared = this.#wrapped.declares(method);
    if (isDeclared === false || (isOurs && !isFolder)) return { kind: 'answer', make: () => answer(params, caller) };
    if (isOurs) return this.#join({ method, id, params, line, field: 'resources', answer, caller });
    if (isDeclared === true) return PASS;
    const edit: Edit = ({ error }) =>
      error === METHOD_NOT_FOUND ? this.#toLine(id, params, () => answer(params, caller)) : undefined;
    return { kind: 'edit', edit };
  }

  /** Whether a request that names something is answered by us. */
  #claims(method: string, params: Params): boolean {
    const isAsked = this.#wrapped.declares(method) !== false;
    if (method === 'resources/read') return this.#isOurFile(params) || !isAsked;
    const isClaimed = this.#offer.routes.get(method)?.claims(params) === true;
    if (method !== 'completion/complete') {
      return isClaimed && !this.#wrapped.has(method === 'tools/call' ? 'tools/list' : 'prompts/list', params['name']);
    }
    const ref = isRecord(params['ref']) ? params['ref'] : {};
    const isTheirs =
      this.#wrapped.has('prompts/list', ref['name']) || this.#wrapped.has('resources/templates/list', ref['uri']);
    return (isClaimed && !isTheirs) || !isAsked;
  }

  #isOurFile({ uri }: Params): boolean {
    if (!isSkillUri(uri)) return false;
    const { catalog } = this.#offer;
    const known = toKnownSpelling(uri);
    if (known === INDEX_URI) return this.#options.legacyIndex && !this.#wrapped.has('resources/list', known);
    return peekFile(catalog, known) !== undefined;
  }

  /** A listing of both: the wrapped server's pages first, whatever its cursors are; ours begin on its last one. */
  #join(request: Listing): Verdict {
    const { method, params, line } = request;
    const { cursor, ...first } = params;
    const isOurCursor = typeof cursor === 'string' && isOwnCursor(cursor);
    if (isOurCursor || this.#wrapped.declares(method) === false) {
      return { kind: 'answer', make: () => this.#listOurs(request, params) };
    }
    const unmarked = typeof cursor === 'string' ? unmarkCursor(cursor) : cursor;
    return {
      kind: 'edit',
      line:
        unmarked === cursor
          ? undefined
          : setMember(line.toString('utf8'), ['params', 'cursor'], JSON.stringify(unmarked)),
      edit: (response, text) => this.#joinPage(request, first, cursor === undefined, response, text),
    };
  }

  #joinPage(request: Listing, first: Params, isFirst: boolean, response: Message, text: string): string | undefined {
    const { method, id, field } = request;
    const { result, error } = response;
    if (result === undefined) {
      // of two servers that have skills, a folder may be known to one
      const isMissing = error === METHOD_NOT_FOUND || (method === 'resources/directory/read' && error !== undefined);
      return isFirst && isMissing ? this.#toLine(id, first, () => this.#listOurs(request, first)) : undefined;
    }
    const items = Array.isArray(result[field]) ? result[field] : [];
    const isKept = this.#see(method, items, isFirst);
    const areKept = items.every((_, index) => isKept(index));
    const path = ['result', field];
    const { nextCursor } = result;
    if (nextCursor !== undefined) {
      const marked = typeof nextCursor === 'string' ? markCursor(nextCursor) : nextCursor;
      const page = areKept ? text : changeList(text, path, isKept, []);
      const edited = marked === nextCursor ? page : setMember(page, ['result', 'nextCursor'], JSON.stringify(marked));
      return edited === text ? undefined : edited;
    }
    const { [field]: ours, ...rest } = this.#listOurs(request, first);
    const added = Array.isArray(ours) ? ours : [];
    if (areKept && added.length === 0 && rest['nextCursor'] === undefined) return undefined;
    let page = changeList(text, path, isKept, added);
    const { nextCursor: next, ...hints } = rest;
    const members = { ...toHints(result, hints), ...(next === undefined ? {} : { nextCursor: next }) };
    for (const [name, value] of Object.entries(members)) {
      page = setMember(page, ['result', name], JSON.stringify(value));
    }
    return page;
  }

  /** A page of ours, without what the wrapped server has under the same name. */
  #listOurs({ method, field, answer, caller }: Listing, params: Params): Result {
    const result = answer(params, caller);
    const items = Array.isArray(result[field]) ? result[field] : [];
    return { ...result, [field]: items.filter((item) => this.#isFree(method, item)) };
  }

  #isFree(method: string, item: unknown): boolean {
    if (this.#hasSkills(method)) return true;
    return !this.#wrapped.has(method, keyOf(method, item));
  }

  /** Whether what a listing holds are the entries and files of skills, on both sides. */
  #hasSkills(method: string): boolean {
    return (
      method === 'skills/list' ||
      method === 'resources/directory/read' ||
      (method === 'resources/list' && this.#wrapped.declares('skills/list') === true)
    );
  }

  /**
   * Takes note of what the wrapped server lists, and finds what cannot be there twice: its names stay its own, unless it publishes skills
   * as well. Then ours are kept, because their digests are of our bytes.
   *
   * @returns which of the items stay
   */
  #see(method: string, items: readonly unknown[], isFirst: boolean): (index: number) => boolean {
    const areSkills = this.#hasSkills(method);
    this.#wrapped.list(method, items, isFirst);
    const twice = items.map((item) => this.#isOurs(method, keyOf(method, item)));
    for (const [index, item] of items.entries()) {
      const key = twice[index] === true ? keyOf(method, item) : undefined;
      if (key === undefined) continue;
      this.#note(method, key, areSkills);
      if (method === 'resources/list' && !areSkills) this.#withdraw(key);
    }
    return (index) => !areSkills || twice[index] !== true;
  }

  #isOurs(method: string, key: string | undefined): boolean {
    if (key === undefined) return false;
    const { catalog, joined } = this.#offer;
    if (method === 'skills/list') return catalog.get(key) !== undefined;
    if (method === 'resources/directory/read') return peekFile(catalog, key) !== undefined || isFolderOf(catalog, key);
    if (method === 'resources/list') return peekFile(catalog, key) !== undefined;
    if (method === 'resources/templates/list') return key === TEMPLATE;
    return joined.get(method)?.claims({ name: key }) === true;
  }

  /** Leaves the skill of a file out: hosts would read bytes that its entry does not describe. */
  #withdraw(uri: string): void {
    const owner = this.#offer.catalog.skills.find(({ resources }) => resources.some((each) => each.uri === uri));
    if (owner === undefined) return;
    this.#withdrawn.add(owner.uri);
    this.#current = undefined;
  }

  #note(method: string, key: string, areSkills: boolean): void {
    const noted = `${method} ${key}`;
    if (this.#noted.has(noted)) return;
    this.#noted.add(noted);
    this.#options.note(describeConflict(method, key, areSkills));
  }

  #introduce(method: string, { result }: Message, line: string): string | undefined {
    if (result === undefined) return undefined;
    this.#wrapped.introduce(result);
    if (method === 'initialize') {
      this.revision = typeof result['protocolVersion'] === 'string' ? result['protocolVersion'] : '';
    }
    const { capabilities, toInstructions } = this.#offer;
    const merged = addMembers(line, ['result', 'capabilities'], capabilities);
    const { instructions } = result;
    const before = typeof instructions === 'string' && instructions !== '' ? `${instructions}\n\n` : '';
    const ours = toInstructions?.(before.length) ?? '';
    return ours === '' ? merged : setMember(merged, ['result', 'instructions'], JSON.stringify(before + ours));
  }

  #endSubscription(id: Id, { error }: Message): string | undefined {
    if (error === METHOD_NOT_FOUND) return this.#subscriptions.acknowledge(id, this.#offer.capabilities);
    this.#subscriptions.remove(id);
    return undefined;
  }

  /** The line that takes the place of a refusal. */
  #toLine(id: Id, params: Params, make: () => Result): string {
    try {
      return toResponse(id, this.envelop(make(), params));
    } catch (error) {
      return toErrorResponse(id, error);
    }
  }

  #readCaller(params: Params): Caller {
    const meta = isRecord(params['_meta']) ? params['_meta'] : {};
    // a client of an older revision may send the fields of a newer one
    const isModern = this.revision === undefined && String(meta[PROTOCOL_VERSION] ?? '') >= FIRST_MODERN;
    const capabilities = isModern ? meta[CLIENT_CAPABILITIES] : this.#client?.capabilities;
    const info = isModern ? meta[CLIENT_INFO] : this.#client?.info;
    const extensions = isRecord(capabilities) ? capabilities['extensions'] : undefined;
    const name = isRecord(info) ? info['name'] : undefined;
    return {
      isModern,
      knowsSkills: isRecord(extensions) && extensions[EXTENSION] !== undefined,
      client: typeof name === 'string' ? name : undefined,
    };
  }

  #hearClient(params: Params): void {
    if (this.#isClientKnown) return;
    const meta = isRecord(params['_meta']) ? params['_meta'] : {};
    const info = params['clientInfo'] ?? meta[CLIENT_INFO];
    if (!isRecord(info) || typeof info['name'] !== 'string') return;
    this.#isClientKnown = true;
    this.#options.onClient?.(info['name']);
  }
}

/** A request for a listing that both sides may have. */
interface Listing {
  readonly method: string;
  readonly id: Id;
  readonly params: Params;
  readonly line: Buffer;
  readonly field: string;
  readonly answer: Answer;
  readonly caller: Caller;
}

function isFolderOf(catalog: Offer['catalog'], uri: string): boolean {
  return catalog.readDirectory(uri) !== undefined;
}

const KINDS: Readonly<Record<string, string>> = {
  'tools/list': 'tool',
  'prompts/list': 'prompt',
  'resources/list': 'resource',
  'resources/templates/list': 'resource template',
};

function describeConflict(method: string, key: string, areSkills: boolean): string {
  const quoted = JSON.stringify(key);
  if (areSkills) return `the wrapped server has a skill at ${quoted}, too: that one is left out, and ours is served`;
  const advice: Readonly<Record<string, string>> = {
    'tools/list': '; --tool-prefix gives the tools for skills other names',
    'resources/list': '; the skill of that file is left out. A root with a prefix (prefix=folder) has other URIs',
  };
  const kind = KINDS[method] ?? 'entry';
  return `the wrapped server has a ${kind} ${quoted} of its own: it keeps the name, and ours is left out${advice[method] ?? ''}`;
}
