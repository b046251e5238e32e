import type { Skill } from '../../catalog/catalog.ts';
import { type Audience, namePaths } from '../audience.ts';
import type { ToolNames } from '../naming.ts';

/** Paths that one call for files may name. */
export const MOST_PATHS = 8;

/** Bytes of all files in one answer, at the most. */
export const CALL_BYTES = 4 * 1024 * 1024;

/** UTF-16 units of a description that every host and model takes. */
const DESCRIPTION_UNITS = 1024;

/** Characters of an answer that Claude Code is asked to pass on whole: without it, a part that a model asks for by length is cut. */
const RESULT_CHARACTERS = 200_000;

const ANNOTATIONS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

// Claude Code lists the tools without a search for them; other hosts leave it alone
const META = { 'anthropic/alwaysLoad': true };

const text = (description: string) => ({ type: 'string', description });

/**
 * The tools as they are listed (MCP, `Tool`). They have no output schema, and their answers no structure: several hosts pass that on
 * instead of the content, or as well, and one drops images for it.
 *
 * As many skills as fit are named, because some hosts show a model no instructions.
 */
export function describeTools(
  names: ToolNames,
  { forModel, findable }: Pick<Audience, 'forModel' | 'findable'>,
): readonly object[] {
  const skill = text(`The path of a skill as ${names.list} shows it, or its name where only one skill has it`);
  return [
    {
      name: names.list,
      title: 'List skills',
      description: describeList(names, forModel, findable.length),
      inputSchema: {
        type: 'object',
        properties: {
          query: text(
            'Words to look for in names, descriptions and the text of SKILL.md; the best matches come first. Without it, every skill.',
          ),
          cursor: text('The cursor that the page before gives, to get the next one; with the same query'),
        },
        additionalProperties: false,
      },
      annotations: ANNOTATIONS,
      _meta: META,
    },
    {
      name: names.load,
      title: 'Load a skill',
      description:
        'Loads a skill: the text of its SKILL.md, and the list of its other files. ' +
        'Load a skill before starting on a task that it fits.',
      inputSchema: { type: 'object', properties: { skill }, required: ['skill'], additionalProperties: false },
      annotations: ANNOTATIONS,
      _meta: META,
    },
    {
      name: names.file,
      title: 'Read files of a skill',
      description:
        `Reads up to ${MOST_PATHS} files of a skill, by the paths that ${names.load} lists; a folder's path lists its files. ` +
        'Long text comes in parts: each says with which offset to go on.',
      inputSchema: {
        type: 'object',
        properties: {
          skill,
          paths: {
            type: 'array',
            description: 'Paths relative to the skill, such as references/guide.md',
            items: { type: 'string' },
            minItems: 1,
            maxItems: MOST_PATHS,
          },
          offset: {
            type: 'integer',
            minimum: 0,
            description: 'Where to begin in each of the text files, in bytes. Default: 0.',
          },
          length: {
            type: 'integer',
            minimum: 1,
            description:
              'How much to read of each text file, in bytes. Default: as much as hosts show of one answer, cut at the end of a line.',
          },
        },
        required: ['skill', 'paths'],
        additionalProperties: false,
      },
      annotations: ANNOTATIONS,
      _meta: { ...META, 'anthropic/maxResultSizeChars': RESULT_CHARACTERS },
    },
  ];
}

/**
 * Copilot CLI keeps definitions between starts, and fails the first call of a tool whose definition has changed since. Of these that is
 * the one that a model needs least: the names are here, and a skill loads at the first call.
 */
function describeList(names: ToolNames, skills: readonly Skill[], findable: number): string {
  const what = 'Lists the skills that this server publishes (instructions and files for particular kinds of task)';
  if (findable === 0) return `${what}. At the moment there are none.`;
  if (skills.length === 0) return `${what}. It finds ${findable} by words of a query. Load one with ${names.load}.`;
  const [lead, end] = [
    `${what}: `,
    `. Use it to see what each is for; before a task that one fits, load that skill with ${names.load}.`,
  ];
  return lead + namePaths(skills, DESCRIPTION_UNITS - lead.length - end.length) + end;
}
