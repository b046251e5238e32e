import type { Params, Result } from '../mcp/methods.ts';
import { isRecord } from '../text/jsonvalue.ts';
import { type Id, toNotification } from './message.ts';
import { changeList, setMember } from './splice.ts';

/** Where a notification names the subscription that it is for (MCP 2026-07-28, "Subscriptions"). */
const SUBSCRIPTION_ID = 'io.modelcontextprotocol/subscriptionId';

const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged';

/** What of a filter is honoured where a server declares a capability with a flag. */
const FLAGS = [
  ['toolsListChanged', 'tools', 'notifications/tools/list_changed'],
  ['promptsListChanged', 'prompts', 'notifications/prompts/list_changed'],
  ['resourcesListChanged', 'resources', 'notifications/resources/list_changed'],
] as const;

const UPDATED = 'notifications/resources/updated';

type Capabilities = Readonly<Record<string, Params>>;

/** The open subscriptions of a client on 2026-07-28, which the wrapped server and the skills share. */
export class Subscriptions {
  readonly #open = new Map<Id, { readonly filter: Params; isAlone: boolean }>();

  /** Takes a request `subscriptions/listen`. */
  add(id: Id, params: Params): void {
    this.#open.set(id, { filter: isRecord(params['notifications']) ? params['notifications'] : {}, isAlone: false });
  }

  /** @returns whether the skills alone had answered it */
  remove(id: Id): boolean {
    const isAlone = this.#open.get(id)?.isAlone === true;
    this.#open.delete(id);
    return isAlone;
  }

  /** The acknowledgement where the wrapped server has no subscriptions. */
  acknowledge(id: Id, capabilities: Capabilities): string {
    const subscription = this.#open.get(id);
    if (subscription !== undefined) subscription.isAlone = true;
    const notifications = honour(subscription?.filter ?? {}, capabilities);
    return toNotification(ACKNOWLEDGED, { notifications, _meta: { [SUBSCRIPTION_ID]: id } });
  }

  /** The wrapped server's acknowledgement with what the skills honour; undefined for a line that stays as it is. */
  widen(method: string, params: Params, line: string, capabilities: Capabilities): string | undefined {
    if (method !== ACKNOWLEDGED) return undefined;
    const id = isRecord(params['_meta']) ? params['_meta'][SUBSCRIPTION_ID] : undefined;
    const subscription = this.#open.get(id as Id);
    if (subscription === undefined) return undefined;
    const theirs = isRecord(params['notifications']) ? params['notifications'] : {};
    const path = ['params', 'notifications'];
    let widened = line;
    for (const [name, ours] of Object.entries(honour(subscription.filter, capabilities))) {
      const known = theirs[name];
      if (!Array.isArray(ours)) {
        if (known !== true) widened = setMember(widened, [...path, name], 'true');
      } else {
        const added = Array.isArray(known) ? ours.filter((uri) => !known.includes(uri)) : ours;
        if (added.length > 0) widened = changeList(widened, [...path, name], () => true, added);
      }
    }
    return widened === line ? undefined : widened;
  }

  /** The lines that tell of a change: one for each subscription that asked for it. */
  announce(method: string, params: Result, capabilities: Capabilities): readonly string[] {
    return [...this.#open].flatMap(([id, { filter }]) => {
      const honoured = honour(filter, capabilities);
      const uris = honoured['resourceSubscriptions'];
      const flag = FLAGS.find((each) => each[2] === method)?.[0];
      const isAsked =
        method === UPDATED
          ? Array.isArray(uris) && uris.includes(params['uri'])
          : flag !== undefined && flag in honoured;
      return isAsked ? [toNotification(method, { ...params, _meta: { [SUBSCRIPTION_ID]: id } })] : [];
    });
  }
}

/** The part of a filter that a server of these capabilities delivers. */
function honour(filter: Params, capabilities: Capabilities): Result {
  const flags = FLAGS.filter(
    ([name, capability]) => filter[name] === true && capabilities[capability]?.['listChanged'] === true,
  );
  const uris = filter['resourceSubscriptions'];
  const isHonoured = Array.isArray(uris) && uris.length > 0 && capabilities['resources']?.['subscribe'] === true;
  return {
    ...Object.fromEntries(flags.map(([name]) => [name, true])),
    ...(isHonoured ? { resourceSubscriptions: uris } : {}),
  };
}
