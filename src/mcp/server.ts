import type { McpServer, Server } from '@modelcontextprotocol/server';
import type { SkillCatalog } from '../catalog/catalog.ts';
import { attachOffer } from './attach.ts';
import { type PublishOptions, toOffer } from './offer.ts';

export type { PublishOptions } from './offer.ts';

/**
 * Publishes a catalog on a server of `@modelcontextprotocol/server` 2.x, before it is connected: declares the Skills extension
 * (SEP-2640) and answers its methods and the resource methods for `skill://`, in both protocol eras. Whatever else the server
 * has, or gets later, stays.
 *
 * @throws Error where the server is connected or has skills already, or has a resource of its own under a URI of the catalog; the
 *   server is then as it was
 * @throws RangeError for an option out of its range
 */
export function publishSkills(server: McpServer | Server, catalog: SkillCatalog, options: PublishOptions = {}): void {
  attachOffer(server, toOffer(catalog, options));
}
