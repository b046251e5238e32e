import { type StructuredToolInterface, tool } from '@langchain/core/tools';
import type { SkillRegistry } from 'mcp-server-skills/client';

/** The tools of a registry in one conversation, for `createAgent` and `bindTools`. */
export function toLangChainTools(registry: SkillRegistry, conversation: string): StructuredToolInterface[] {
  return registry
    .toTools(conversation)
    .map(({ name, description, inputSchema, execute }) =>
      tool((args: unknown) => execute(args), { name, description, schema: inputSchema }),
    );
}
