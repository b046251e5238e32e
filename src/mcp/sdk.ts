import type { SkillCatalog } from '../catalog/catalog.ts';
import type { LiveSkills } from '../catalog/live.ts';
import { attachSkills } from './attach.ts';
import { assertInstalled } from './installed.ts';
import type { PublishOptions } from './settings.ts';

export type { PublishOptions } from './settings.ts';

const SDK = '@modelcontextprotocol/sdk';

assertInstalled(import.meta, 'mcp-server-skills/sdk', `${SDK}/server/mcp.js`, SDK, '^1.10.0');

/**
 * What tells a `Server` of `@modelcontextprotocol/sdk` 1.x. By structure, so that a server of a second copy of the SDK, or one with
 * request types of its own, is taken as well.
 */
export interface SdkServer {
  registerCapabilities(capabilities: object): void;
  getClientCapabilities(): object | undefined;
  removeRequestHandler(method: string): void;
  /** A server of 2.x has it: that one is for `mcp-server-skills/server`. */
  readonly getNegotiatedProtocolVersion?: never;
}

/** What tells an `McpServer` of `@modelcontextprotocol/sdk` 1.x. */
export interface SdkMcpServer {
  readonly server: SdkServer;
}

/**
 * Publishes a catalog, or the skills of `watchSkills`, on a server of `@modelcontextprotocol/sdk` 1.x, before it is connected: declares the Skills extension
 * (SEP-2640) and answers its methods and the resource methods for `skill://`. Whatever else the server has, or gets later, stays.
 *
 * @throws TypeError for what is no server of the SDK, no catalog, or no option
 * @throws Error where the server is connected or has skills already, or has a resource of its own under `skill://`; the server is then
 *   as it was
 * @throws RangeError for an option out of its range
 */
export function publishSkills(
  server: SdkMcpServer | SdkServer,
  skills: SkillCatalog | LiveSkills,
  options: PublishOptions = {},
): void {
  attachSkills(server, skills, options, SDK);
}
