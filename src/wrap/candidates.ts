import { isSkillUri, type Params } from '../mcp/methods.ts';
import type { ToolNames } from '../mcp/naming.ts';
import type { Message } from './message.ts';

/** Their responses say what a server can do. */
export const HANDSHAKES: ReadonlySet<string> = new Set(['initialize', 'server/discover']);

/** Opens a subscription (MCP 2026-07-28). */
export const LISTEN = 'subscriptions/listen';

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

/** Whether a message is a request that may be ours, or whose response may be changed. */
export function isCandidate({ method, id, params }: Message, names: ToolNames): boolean {
  if (method === undefined || id === undefined) return false;
  if (HANDSHAKES.has(method) || method === LISTEN) return true;
  return Object.hasOwn(CANDIDATES, method) && CANDIDATES[method]?.(params, names) === true;
}
