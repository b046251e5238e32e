import { AGENTS } from './agents.ts';
import { EDITORS } from './editors.ts';
import type { Host } from './host.ts';
import type { HostId } from './ids.ts';

/** Every host that a configuration can be printed for. */
export const HOSTS = { ...EDITORS, ...AGENTS } satisfies Record<HostId, Host>;
