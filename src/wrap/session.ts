import { peekFile, type Skill } from '../catalog/catalog.ts';
import { INDEX_URI } from '../mcp/legacy.ts';
import { type Caller, isSkillUri, type Params, type Result, toKnownSpelling } from '../mcp/methods.ts';
import type { ToolNames } from '../mcp/naming.ts';
import type { Offer } from '../mcp/surface.ts';
import { isRecord } from '../text/jsonvalue.ts';
import { readCaller } from './asking.ts';
import { HANDSHAKES, isCandidate, LISTEN } from './candidates.ts';
import { Conflicts } from './conflicts.ts';
import { Subscriptions } from './listeners.ts';
import {
  findListing,
  isForOurs,
  isMissing,
  joinPage,
  type Listing,
  listOurs,
  toFirst,
  toItems,
  unmarkRequest,
} from './listings.ts';
import { type Id, METHOD_NOT_FOUND, type Message, toErrorResponse, toNotification, toResponse } from './message.ts';
import { addMembers, setMember } from './splice.ts';
import { SERVER_INFO, Wrapped } from './wrapped.ts';

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
}

/** What the skills put on the server, without those that are left out. */
export type MakeOffer = (isKept: (skill: Skill) => boolean) => Offer;

const PASS: Verdict = { kind: 'pass' };

/** What is known of one connection, and what follows from it for each message. No streams: lines go in, and come out. */
export class Session {
  /** The revision that `initialize` settled on; undefined on 2026-07-28. */
  revision: string | undefined;

  readonly #options: SessionOptions;
  readonly #wrapped = new Wrapped();
  readonly #conflicts: Conflicts;
  readonly #subscriptions = new Subscriptions();
  #make: MakeOffer | undefined;
  #current: Offer | undefined;
  /** The parameters of `initialize`. */
  #opening: Params | undefined;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#conflicts = new Conflicts(this.#wrapped, options.note);
  }

  /** Whether the skills are read. */
  get isReady(): boolean {
    return this.#make !== undefined;
  }

  /** Takes what is published; again when the skills have changed. */
  publish(make: MakeOffer): void {
    this.#make = make;
    this.#current = undefined;
    // most servers have no instructions: the text is ready when theirs are asked for
    this.#offer.toInstructions?.(0);
  }

  /** Whether a message is a request that may be ours, or whose response may be changed. */
  concerns(message: Message): boolean {
    return isCandidate(message, this.#options.names);
  }

  /** Judges a request of the client that {@link concerns} this. */
  judge(id: Id, { method = '', params }: Message, line: Buffer): Verdict {
    if (HANDSHAKES.has(method)) {
      if (method === 'initialize') this.#opening = params;
      return { kind: 'edit', edit: (response, text) => this.#introduce(method, response, text) };
    }
    if (method === LISTEN) {
      this.#subscriptions.add(id, params);
      return { kind: 'edit', edit: (response) => this.#endSubscription(id, response) };
    }
    if (!this.isReady) return { kind: 'wait' };
    return this.#route(method, id, params, line);
  }

  /** Hears that the client cancels a request. @returns whether the wrapped server never had it */
  cancel(id: Id): boolean {
    return this.#subscriptions.remove(id);
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
    this.#current ??= this.#make(({ uri }) => !this.#conflicts.isWithdrawn(uri));
    return this.#current;
  }

  #route(method: string, id: Id, params: Params, line: Buffer): Verdict {
    const { own, routes } = this.#offer;
    const caller = this.#readCaller(params);
    const listing = findListing(this.#offer, method);
    if (listing !== undefined) return this.#join({ ...listing, method, id, params, caller }, line);
    const answer = own.get(method);
    if (answer !== undefined) return this.#routeOwn({ method, id, params, field: 'resources', answer, caller }, line);
    if (method === 'resources/subscribe' || method === 'resources/unsubscribe') {
      // what is pinned sends no updates, and the wrapped server may refuse what it does not have
      return this.#wrapped.takesSubscriptions && this.#isOurFile(params) ? { kind: 'answer', make: () => ({}) } : PASS;
    }
    const route = routes.get(method);
    if (route === undefined || !this.#claims(method, params)) return PASS;
    return { kind: 'answer', make: () => route.answer(params, caller) };
  }

  /** A method of the extension that names one URI. */
  #routeOwn(request: Listing, line: Buffer): Verdict {
    const { method, id, params, answer, caller } = request;
    const { catalog } = this.#offer;
    const uri = typeof params['uri'] === 'string' ? toKnownSpelling(params['uri']) : '';
    const isFolder = method === 'resources/directory/read';
    const isOurs = isFolder ? catalog.readDirectory(uri) !== undefined : catalog.get(uri) !== undefined;
    const isDeclared = this.#wrapped.declares(method);
    const make = () => answer(params, caller);
    if (isDeclared === false || (isOurs && !isFolder)) return { kind: 'answer', make };
    if (isOurs || (isFolder && isForOurs(request))) return this.#join(request, line);
    if (isDeclared === true) return PASS;
    const edit: Edit = ({ error }) => (error === METHOD_NOT_FOUND ? this.#toLine(id, params, make) : undefined);
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
    const known = toKnownSpelling(uri);
    if (known === INDEX_URI) return this.#options.legacyIndex && !this.#wrapped.has('resources/list', known);
    return peekFile(this.#offer.catalog, known) !== undefined;
  }

  /** A listing of both: the wrapped server's pages first, whatever its cursors are; ours begin on its last one. */
  #join(request: Listing, line: Buffer): Verdict {
    const { method, id, params } = request;
    if (isForOurs(request) || this.#wrapped.declares(method) === false) {
      return { kind: 'answer', make: () => listOurs(request, params, this.#conflicts) };
    }
    const edit: Edit = (response, text) => {
      const listFirst = () => this.#listFirst(request);
      if (isMissing(request, response)) return this.#toLine(id, params, listFirst);
      const { result } = response;
      if (result === undefined) return undefined;
      const isFirst = params['cursor'] === undefined;
      const items = toItems(result[request.field]);
      const { isKept, hasWithdrawn } = this.#conflicts.see(method, items, isFirst, this.#offer);
      if (hasWithdrawn) this.#current = undefined;
      return joinPage(request, result, text, isKept, listFirst);
    };
    return { kind: 'edit', edit, line: unmarkRequest(request, line) };
  }

  /** The first page of ours, of what is published now. */
  #listFirst(request: Listing): Result {
    const answer = findListing(this.#offer, request.method)?.answer ?? request.answer;
    return listOurs({ ...request, answer }, toFirst(request), this.#conflicts);
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
    return readCaller(params, this.#opening, this.revision);
  }
}
