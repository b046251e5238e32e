import { Server } from '@modelcontextprotocol/server';
import type { SkillCatalog } from '../catalog/catalog.ts';
import { attachSkills } from './attach.ts';
import type { ToStandIn } from './methods.ts';
import type { PublishOptions } from './settings.ts';

/** Who a server says it is (MCP, `Implementation`). */
export interface ServerInfo {
  readonly name: string;
  readonly version: string;
}

// no tool of ours takes a schema that the SDK would have to compile
const NO_VALIDATOR = { getValidator: () => () => ({ valid: true as const, data: undefined, errorMessage: undefined }) };

/**
 * One cheap server object for one connection or one HTTP request; the catalog is shared.
 *
 * @param toStandIn - where results of `resources/read` are completed later
 */
export function createInstance(
  info: ServerInfo,
  catalog: SkillCatalog,
  options: PublishOptions,
  toStandIn?: ToStandIn,
): Server {
  const server = new Server(info, { jsonSchemaValidator: NO_VALIDATOR as never });
  attachSkills(server, catalog, options, '@modelcontextprotocol/server', toStandIn);
  return server;
}
