import type { ListedSkill } from './outcomes.ts';

/** A tool for a model, without a framework: a name, a description, JSON Schema, and what to call. */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  /** JSON Schema. */
  readonly inputSchema: {
    readonly type: 'object';
    readonly properties: Readonly<
      Record<string, { readonly type: 'string'; readonly description: string; readonly enum?: string[] }>
    >;
    readonly required: string[];
    readonly additionalProperties: false;
  };
  /** Returns what the model is given. Never rejects: what goes wrong is what the model is given. */
  readonly execute: (args: unknown) => Promise<string>;
}

/** More names than that are no enumeration: a name that is not listed can be served as well. */
const MAX_NAMES = 200;

/** What the tools do. Both return what a model is given. */
export interface ToolActions {
  readonly activate: (name: string) => Promise<string>;
  readonly read: (name: string, path: string) => Promise<string>;
}

/** The two tools by which a model loads skills. */
export function createTools(
  skills: readonly ListedSkill[],
  { activate, read }: ToolActions,
): readonly ToolDefinition[] {
  const names = skills.flatMap(({ name, availability }) => (availability.status === 'ok' ? name : []));
  const isShort = names.length > 0 && names.length <= MAX_NAMES;
  const name = { type: 'string', description: 'The name of the skill, as it is listed' } as const;
  const path = {
    type: 'string',
    description: 'The path of the file, as the skill names it: "references/forms.md"',
  } as const;
  return [
    {
      name: 'activate_skill',
      description: 'Loads the instructions of a skill. Call it before a task that the description of a skill fits.',
      inputSchema: toSchema({ name: isShort ? { ...name, enum: names } : name }),
      execute: (args) => execute(args, ['name'], ([skill = '']) => activate(skill)),
    },
    {
      name: 'read_skill_file',
      description: 'Reads a file of a skill that is active. Call it when the instructions of the skill name the file.',
      inputSchema: toSchema({ name, path }),
      execute: (args) => execute(args, ['name', 'path'], ([skill = '', file = '']) => read(skill, file)),
    },
  ];
}

function toSchema(properties: ToolDefinition['inputSchema']['properties']): ToolDefinition['inputSchema'] {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

async function execute(
  args: unknown,
  names: readonly string[],
  action: (values: readonly string[]) => Promise<string>,
): Promise<string> {
  const given = (typeof args === 'object' && args !== null ? args : {}) as Readonly<Record<string, unknown>>;
  const values = names.map((name) => given[name]);
  const missing = names[values.findIndex((value) => typeof value !== 'string')];
  if (missing !== undefined) return `The argument "${missing}" is missing, or is not a string.`;
  try {
    return await action(values as string[]);
  } catch (error) {
    return `This failed: ${error instanceof Error ? error.message : String(error)}`;
  }
}
