import { FILE_BYTES } from './present.ts';

/** Paths that one call of `skill_file` may name. */
export const MOST_PATHS = 8;

/** Bytes of all files in one answer of `skill_file`, at the most. */
export const CALL_BYTES = 4 * 1024 * 1024;

const ANNOTATIONS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

const text = (description: string) => ({ type: 'string', description });
const count = (description: string) => ({ type: 'integer', minimum: 0, description });
const listOf = (description: string, required: readonly string[], properties: object) => ({
  type: 'array',
  description,
  items: { type: 'object', properties, required },
});

const SKILL = text('The path of a skill as skill_list shows it, or its name where only one skill has it');

/** The tools as they are listed (MCP, `Tool`). */
export const TOOLS = [
  {
    name: 'skill_list',
    title: 'List skills',
    description:
      'Lists the skills that this server publishes: instructions and files for particular kinds of task, with what each is for. ' +
      'Use it to see whether a skill fits the task at hand, then load that skill with skill_load.',
    inputSchema: {
      type: 'object',
      properties: {
        query: text(
          'Words to look for in names, descriptions and the text of SKILL.md; the best matches come first. Without it, every skill.',
        ),
        cursor: text('nextCursor of the page before, to get the next one; with the same query'),
      },
      additionalProperties: false,
    },
    outputSchema: {
      type: 'object',
      properties: {
        skills: listOf('The skills of this page', ['name', 'path', 'description', 'files'], {
          name: text('The name of the skill'),
          path: text('The path of the skill, as skill_load takes it'),
          description: text('What the skill does and when to use it, in the words of its author'),
          files: count('How many files it has, SKILL.md included'),
        }),
        total: count('How many skills there are on all pages'),
        nextCursor: text('Only where there is another page'),
        notice: text('Why there are no skills; only where there are none'),
        problems: listOf(
          'What is not published because it has errors; on the first page',
          ['path', 'code', 'message'],
          {
            path: text('Relative to the folder of skills'),
            code: text('The kind of problem'),
            message: text('What is wrong'),
          },
        ),
        moreProblems: count('How many problems are not shown; only where there are any'),
      },
      required: ['skills', 'total'],
    },
    annotations: ANNOTATIONS,
  },
  {
    name: 'skill_load',
    title: 'Load a skill',
    description:
      'Loads a skill: the text of its SKILL.md, and the list of its other files with their sizes. ' +
      'Load a skill before starting on a task that its description fits.',
    inputSchema: {
      type: 'object',
      properties: { skill: SKILL },
      required: ['skill'],
      additionalProperties: false,
    },
    outputSchema: {
      type: 'object',
      properties: {
        name: text('The name of the skill'),
        path: text('The path of the skill'),
        uri: text('The resource that holds SKILL.md'),
        notice: text('What this content is and how to read the other files'),
        content: text('SKILL.md as it was written'),
        nextOffset: count(
          'Where to go on with skill_file, in bytes; only where SKILL.md is longer than one answer may be',
        ),
        files: listOf('Every file of the skill', ['path', 'size', 'mimeType'], {
          path: text('Relative to the skill, as skill_file takes it'),
          size: count('In bytes'),
          mimeType: text('The type of the content'),
        }),
      },
      required: ['name', 'path', 'uri', 'notice', 'content', 'files'],
    },
    annotations: ANNOTATIONS,
  },
  {
    name: 'skill_file',
    title: 'Read files of a skill',
    description:
      `Reads up to ${MOST_PATHS} files of a skill, by the paths that skill_load lists: at most ${FILE_BYTES} bytes a file and ` +
      `${CALL_BYTES} bytes a call. Longer text files are read in parts, with offset and length.`,
    inputSchema: {
      type: 'object',
      properties: {
        skill: SKILL,
        paths: {
          type: 'array',
          description: 'Paths relative to the skill, such as references/guide.md',
          items: { type: 'string' },
          minItems: 1,
          maxItems: MOST_PATHS,
        },
        offset: count(
          'Where to begin in each of the text files, in bytes; a character is never cut. Without it, whole files.',
        ),
        length: {
          type: 'integer',
          minimum: 1,
          maximum: FILE_BYTES,
          description: `How much to read from the offset, in bytes. Default: ${FILE_BYTES}.`,
        },
      },
      required: ['skill', 'paths'],
      additionalProperties: false,
    },
    outputSchema: {
      type: 'object',
      properties: {
        skill: text('The path of the skill'),
        files: listOf('One for each of the paths, in their order', ['path'], {
          path: text('The path that was asked for'),
          error: text('Why this path could not be read; then nothing else is here'),
          uri: text('The resource that holds the file'),
          mimeType: text('The type of the content'),
          size: count('Of the whole file, in bytes'),
          as: {
            type: 'string',
            enum: ['text', 'image', 'resource'],
            description: 'What the content beside this has for the file',
          },
          text: text(
            'The content of a text file; left out of the longest where the text files of a call are long together',
          ),
          note: text('Where the content is; only where it is not here'),
          offset: count('Where the part begins, in bytes; only where a part was asked for'),
          nextOffset: count('Where the next part begins; only where there is one'),
        }),
      },
      required: ['skill', 'files'],
    },
    annotations: ANNOTATIONS,
  },
] as const;
