import { Server } from '@modelcontextprotocol/server';
import type { SkillCatalog } from '../catalog/catalog.ts';
import type { LiveSkills } from '../catalog/live.ts';
import { attachSkills } from './attach.ts';
import type { PublishOptions } from './settings.ts';
import type { InnerOptions } from './surface.ts';

/** Who a server says it is (MCP, `Implementation`). */
export interface ServerInfo {
  readonly name: string;
  readonly version: string;
}

// no tool of ours takes a schema that the SDK would have to compile
const NO_VALIDATOR = { getValidator: () => () => ({ valid: true as const, data: undefined, errorMessage: undefined }) };

/** One cheap server object for one connection or one HTTP request; the catalog is shared. */
export function createInstance(
  info: ServerInfo,
  skills: SkillCatalog | LiveSkills,
  options: PublishOptions,
  inner: Omit<InnerOptions, 'feed'> = {},
): Server {
  const server = new Server(info, { jsonSchemaValidator: NO_VALIDATOR as never });
  attachSkills(server, skills, options, '@modelcontextprotocol/server', inner);
  return server;
}
