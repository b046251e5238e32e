import { createTool, type Tool } from '@mastra/core/tools';
import type { SkillRegistry } from 'mcp-server-skills/client';

/** The tools of a registry in one conversation, for the `tools` of an `Agent`. */
export function toMastraTools(registry: SkillRegistry, conversation: string): Record<string, Tool> {
  const tools = registry
    .toTools(conversation)
    .map(({ name, description, inputSchema, execute }) => [
      name,
      createTool({ id: name, description, inputSchema, execute: (args) => execute(args) }),
    ]);
  return Object.fromEntries(tools);
}
