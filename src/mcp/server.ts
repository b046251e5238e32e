import type { SkillCatalog } from '../catalog/catalog.ts';
import type { LiveSkills } from '../catalog/live.ts';
import { attachSkills } from './attach.ts';
import { assertInstalled } from './installed.ts';
import type { PublishOptions } from './settings.ts';

export type { PublishOptions } from './settings.ts';

const SDK = '@modelcontextprotocol/server';

assertInstalled(import.meta, 'mcp-server-skills/server', SDK, SDK, '^2.4.0');

/**
 * What tells a `Server` of `@modelcontextprotocol/server` 2.x. By structure, so that a server of a second copy of the SDK is taken as
 * well.
 */
export interface Server {
  registerCapabilities(capabilities: object): void;
  getClientCapabilities(): object | undefined;
  getNegotiatedProtocolVersion(): string | undefined;
}

/** What tells an `McpServer` of `@modelcontextprotocol/server` 2.x. */
export interface McpServer {
  readonly server: Server;
}

/**
 * Publishes a catalog, or the skills of `watchSkills`, on a server of `@modelcontextprotocol/server` 2.x, before it is connected: declares the Skills extension
 * (SEP-2640) and answers its methods and the resource methods for `skill://`, in both protocol eras. Whatever else the server
 * has, or gets later, stays.
 *
 * @throws TypeError for what is no server of the SDK, no catalog, or no option
 * @throws Error where the server is connected or has skills already, or has a resource of its own under `skill://`; the server is then
 *   as it was
 * @throws RangeError for an option out of its range
 */
export function publishSkills(
  server: McpServer | Server,
  skills: SkillCatalog | LiveSkills,
  options: PublishOptions = {},
): void {
  attachSkills(server, skills, options, SDK);
}
