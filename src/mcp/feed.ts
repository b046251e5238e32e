import type { SkillCatalog } from '../catalog/catalog.ts';
import { type CatalogChange, findChange, isEmptyChange } from '../catalog/change.ts';
import type { LiveSkills, LiveStatus } from '../catalog/live.ts';
import { findOwner } from './lookup.ts';

/** What differs since those who listen were told last. */
export interface Notice {
  readonly before: SkillCatalog;
  readonly after: SkillCatalog;
  readonly change: CatalogChange;
}

/** What the servers of live skills share. */
export interface Feed {
  readonly status: LiveStatus;
  /**
   * The skill that a file belonged to which was served until a while ago, by the URI of its SKILL.md.
   *
   * @param within - milliseconds; what was withdrawn longer ago is forgotten
   */
  findWithdrawn(uri: string, within: number): string | undefined;
  /** Hears of changes, once a second at the most. @returns what ends that */
  listen(listener: (notice: Notice) => void): () => void;
}

/** How often clients hear of changes at the most, in milliseconds. */
const PAUSE = 1000;

const feeds = new WeakMap<LiveSkills, Feed>();

/** The one feed of live skills in this process. */
export function toFeed(live: LiveSkills): Feed {
  const feed = feeds.get(live) ?? createFeed(live);
  feeds.set(live, feed);
  return feed;
}

function createFeed(live: LiveSkills): Feed {
  const listeners = new Set<(notice: Notice) => void>();
  const withdrawn = new Map<string, { readonly skill: string; readonly time: number }>();
  let current = live.catalog;
  let told = current;
  let longest = 0;
  let next = 0;
  let isWaiting = false;

  const tell = () => {
    isWaiting = false;
    const notice = { before: told, after: live.catalog, change: findChange(told, live.catalog) };
    told = live.catalog;
    // what was changed back meanwhile is as clients know it
    if (isEmptyChange(notice.change)) return;
    next = performance.now() + PAUSE;
    for (const listener of [...listeners]) listener(notice);
  };

  live.subscribe(({ files }) => {
    const time = performance.now();
    for (const uri of files) {
      const owner = findOwner(live.catalog, uri) === undefined ? findOwner(current, uri) : undefined;
      withdrawn.delete(uri);
      if (owner !== undefined) withdrawn.set(uri, { skill: owner.skill.uri, time });
    }
    current = live.catalog;
    // in the order of time
    for (const [uri, { time: since }] of withdrawn) {
      if (time - since <= longest) break;
      withdrawn.delete(uri);
    }
    if (isWaiting) return;
    isWaiting = true;
    const wait = next - time;
    if (wait <= 0) tell();
    else toUnref(setTimeout(tell, wait));
  });

  return {
    get status() {
      return live.status;
    },
    findWithdrawn(uri, within) {
      longest = Math.max(longest, within);
      const found = withdrawn.get(uri);
      return found !== undefined && performance.now() - found.time <= within ? found.skill : undefined;
    },
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** A timer that keeps no process alive; elsewhere than in Node it is a number. */
function toUnref(timer: unknown): void {
  (timer as { unref?: () => void }).unref?.();
}
