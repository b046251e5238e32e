import { type Tool, tool } from '@openai/agents';
import type { SkillRegistry } from 'mcp-server-skills/client';

/** The tools of a registry in one conversation, for an `Agent`. */
export function toAgentTools(registry: SkillRegistry, conversation: string): Tool[] {
  return registry.toTools(conversation).map(({ name, description, inputSchema, execute }) =>
    tool({
      name,
      description,
      // what is not strict has to allow more; the tool ignores it
      parameters: { ...inputSchema, additionalProperties: true },
      strict: false,
      execute: (args) => execute(args),
    }),
  );
}
