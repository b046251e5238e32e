// What `mcp-server-skills/client` exports: a host's side of the Skills extension. Needs nothing of Node, and no SDK until one is asked for.
export type { JsonObject, JsonValue } from '../text/jsonvalue.ts';
export type {
  DeclaredCapabilities,
  HostConnection,
  McpClient,
  RequestOptions,
  ServerTool,
  SkillConnection,
} from './connection.ts';
export { fromClient } from './connection.ts';
export type { Approve, ExecutionRequest } from './execution.ts';
export { describeInstructions } from './instructing.ts';
export { SkillsNotServed } from './labels.ts';
export { toLocalSkills } from './local.ts';
export type { ClosableConnection, ConnectOptions } from './maker.ts';
export type { ReadFrontmatter } from './manuals.ts';
export type {
  ActivatedSkill,
  Activation,
  ActiveSkill,
  Availability,
  FileReading,
  ListedSkill,
  LocalSkill,
  NotLoaded,
  SkillFile,
  SkillOrigin,
} from './outcomes.ts';
export type { HttpOptions } from './overhttp.ts';
export { connectHttp } from './overhttp.ts';
export type { RegistryEvents, RegistryOptions } from './shared.ts';
export { SkillRegistry } from './skillregistry.ts';
export type { ToolDefinition } from './toolset.ts';
export type {
  AddedServer,
  CallOptions,
  CopyOptions,
  ReviewedFile,
  ServerSkillOptions,
  SkillReview,
} from './treatment.ts';
