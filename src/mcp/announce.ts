import type { SkillCatalog } from '../catalog/catalog.ts';
import type { CatalogChange } from '../catalog/change.ts';
import { compareText } from '../problems.ts';
import type { Feed, Notice } from './feed.ts';
import type { Offer } from './surface.ts';

/** What is used of a server to tell its client, by structure. */
export interface TellingServer {
  readonly transport?: unknown;
  /** 2.x only. */
  getNegotiatedProtocolVersion?(): string | undefined;
  notification(notification: { readonly method: string; readonly params?: object }): Promise<void>;
  /** No public name: there is no other way to hear of what a host may hear of, too. */
  readonly _notificationHandlers?: Map<string, (...args: readonly unknown[]) => unknown>;
}

/** A server of a host. */
interface Announced {
  readonly low: TellingServer;
  readonly hasPrompt: (name: string) => boolean;
}

const INITIALIZED = 'notifications/initialized';
const FIRST_MODERN = '2026-07-28';

/**
 * Tells the client of a server of every change while it is connected. On 2026-07-28 the SDK hands on what the client has asked for;
 * before, nothing is sent until the client is initialized, and of files nothing at all.
 *
 * @param toOffer - what is offered of a catalog
 */
export function announceChanges(
  { low, hasPrompt }: Announced,
  feed: Feed,
  toOffer: (catalog: SkillCatalog) => Offer,
): void {
  const connection: Connection = { isInitialized: false };
  const heard = low._notificationHandlers?.get(INITIALIZED);
  low._notificationHandlers?.set(INITIALIZED, (...args) => {
    connection.isInitialized = true;
    return heard?.(...args);
  });
  const end = feed.listen(createTeller(new WeakRef(low), connection, hasPrompt, toOffer));
  // a server does not say that it is forgotten, and one may be made for each request
  forgotten ??= new FinalizationRegistry((endOne) => endOne());
  forgotten.register(low, end);
}

let forgotten: FinalizationRegistry<() => void> | undefined;

/** How far the connection of a server is. */
interface Connection {
  isInitialized: boolean;
}

/** What listens must not keep a server alive, so nothing here has more than a weak hold of it. */
function createTeller(
  server: WeakRef<TellingServer>,
  connection: Connection,
  hasPrompt: (name: string) => boolean,
  toOffer: (catalog: SkillCatalog) => Offer,
): (notice: Notice) => void {
  return ({ before, after, change }) => {
    const to = server.deref();
    if (to?.transport === undefined) return;
    const [old, now] = [toOffer(before), toOffer(after)];
    warnOfTaken(now, old, hasPrompt);
    const isModern = (to.getNegotiatedProtocolVersion?.() ?? '') >= FIRST_MODERN;
    if (!isModern && !connection.isInitialized) return;
    // a connection that ends meanwhile needs no news
    const send = (method: string, params?: object) =>
      to.notification(params === undefined ? { method } : { method, params }).catch(() => undefined);
    void send('notifications/resources/list_changed');
    if (old.describePrompts() !== now.describePrompts()) void send('notifications/prompts/list_changed');
    if (!isModern) return;
    for (const uri of listUpdated(change)) void send('notifications/resources/updated', { uri });
  };
}

/** The URIs of which subscribers are told: a SKILL.md stands for its skill, whose entry is another whenever one of its files is. */
export function listUpdated({ files, added, removed, changed }: CatalogChange): string[] {
  return [...new Set([...files, ...added, ...removed, ...changed])].sort(compareText);
}

/** At the start it is an error that a host has a prompt of a skill's name; later the skill gives way. */
function warnOfTaken(now: Offer, old: Offer, hasPrompt: (name: string) => boolean): void {
  for (const name of now.promptNames) {
    if (old.promptNames.has(name) || !hasPrompt(name)) continue;
    const message = `the skill of the prompt "${name}" has none on this server, which has a prompt of that name itself`;
    (globalThis as { process?: { emitWarning?: (message: string) => void } }).process?.emitWarning?.(message);
  }
}
