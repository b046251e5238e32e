import { AGENTS } from './agents.ts';
import { EDITORS } from './editors.ts';

/** Every host that a configuration can be printed for. */
export const HOSTS = { ...EDITORS, ...AGENTS };

export type HostId = keyof typeof HOSTS;

export function isHostId(text: string): text is HostId {
  return Object.hasOwn(HOSTS, text);
}
