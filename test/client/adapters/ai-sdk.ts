import { jsonSchema, type ToolSet, tool } from 'ai';
import type { SkillRegistry } from 'mcp-server-skills/client';

/** The tools of a registry in one conversation, for `generateText` and `streamText`. */
export function toAiTools(registry: SkillRegistry, conversation: string): ToolSet {
  const tools = registry
    .toTools(conversation)
    .map(({ name, description, inputSchema, execute }) => [
      name,
      tool({ description, inputSchema: jsonSchema(inputSchema), execute: (args) => execute(args) }),
    ]);
  return Object.fromEntries(tools);
}
