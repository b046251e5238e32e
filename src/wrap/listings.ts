import { toHints } from '../mcp/handlers.ts';
import type { Answer, Caller, Params, Result } from '../mcp/methods.ts';
import { isOwnCursor, markCursor, unmarkCursor } from '../mcp/pages.ts';
import type { Offer } from '../mcp/surface.ts';
import type { Conflicts } from './conflicts.ts';
import { type Id, METHOD_NOT_FOUND, type Message } from './message.ts';
import { changeList, setMember } from './splice.ts';

/** A request for a listing that both sides may have. */
export interface Listing {
  readonly method: string;
  readonly id: Id;
  readonly params: Params;
  /** The member of the result that holds the items. */
  readonly field: string;
  /** Ours. */
  readonly answer: Answer;
  readonly caller: Caller;
}

/** Whether a request is for a page of ours, which come after the wrapped server's. */
export function isForOurs({ params }: Listing): boolean {
  return typeof params['cursor'] === 'string' && isOwnCursor(params['cursor']);
}

/** A request as the wrapped server gets it: with the cursor that it gave. Undefined for a line that stays as it came. */
export function unmarkRequest({ params: { cursor } }: Listing, line: Buffer): string | undefined {
  const unmarked = typeof cursor === 'string' ? unmarkCursor(cursor) : cursor;
  if (unmarked === cursor) return undefined;
  return setMember(line.toString('utf8'), ['params', 'cursor'], JSON.stringify(unmarked));
}

/** A page of ours, without what the wrapped server has under the same name. */
export function listOurs({ method, field, answer, caller }: Listing, params: Params, conflicts: Conflicts): Result {
  const result = answer(params, caller);
  return { ...result, [field]: toItems(result[field]).filter((item) => conflicts.isFree(method, item)) };
}

/** The parameters that ask for the first page of a listing. */
export function toFirst({ params: { cursor: _, ...first } }: Listing): Params {
  return first;
}

/** Whether the wrapped server has nothing of the kind, so that ours is all there is. */
export function isMissing({ method, params }: Listing, { result, error }: Message): boolean {
  if (result !== undefined || params['cursor'] !== undefined) return false;
  // of two servers that have skills, a folder may be known to one
  return error === METHOD_NOT_FOUND || (method === 'resources/directory/read' && error !== undefined);
}

/**
 * A page of the wrapped server as it goes out: with a cursor that is not taken for ours, and ours after its last page.
 *
 * @param isKept - which of its items stay
 * @param listFirst - the first page of ours
 * @returns undefined for a line that stays as it came
 */
export function joinPage(
  { field }: Listing,
  result: Params,
  text: string,
  isKept: (index: number) => boolean,
  listFirst: () => Result,
): string | undefined {
  const path = ['result', field];
  const areKept = toItems(result[field]).every((_, index) => isKept(index));
  const { nextCursor } = result;
  if (nextCursor !== undefined) {
    const marked = typeof nextCursor === 'string' ? markCursor(nextCursor) : nextCursor;
    if (areKept && marked === nextCursor) return undefined;
    const page = areKept ? text : changeList(text, path, isKept, []);
    return setMember(page, ['result', 'nextCursor'], JSON.stringify(marked));
  }
  const { [field]: ours, nextCursor: next, ...hints } = listFirst();
  const added = toItems(ours);
  if (areKept && added.length === 0 && next === undefined) return undefined;
  const members = { ...toHints(result, hints), ...(next === undefined ? {} : { nextCursor: next }) };
  return Object.entries(members).reduce(
    (page, [name, value]) => setMember(page, ['result', name], JSON.stringify(value)),
    changeList(text, path, isKept, added),
  );
}

/** The listing that a method asks for; undefined for a method that is none. */
export function findListing(
  { own, joined }: Offer,
  method: string,
): { readonly field: string; readonly answer: Answer } | undefined {
  const skills = own.get(method);
  if (method === 'skills/list' && skills !== undefined) return { field: 'skills', answer: skills };
  return joined.get(method);
}

/** The items of a listing; none where it is of another form. */
export function toItems(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
