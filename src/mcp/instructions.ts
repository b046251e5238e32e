import { type Skill, type SkillCatalog, toSkillPath } from '../catalog/catalog.ts';
import { countOf } from '../text/count.ts';
import { type Audience, namePaths } from './audience.ts';
import { cleanText, cutText } from './clean.ts';
import type { ToolNames } from './naming.ts';
import { countRefused } from './refused.ts';
import type { ToolsMode } from './tools/tools.ts';

/** Hosts keep so many UTF-16 units of a server's instructions. */
const MOST = 2048;

/** Units that even the host with the least shows: the names of skills are in them. */
const FIRST = 200;

/** A path of more UTF-16 units would keep all others out, and is only counted. */
const LONGEST_PATH = 256;

/** Less than this says nothing about a skill. */
const LEAST = 8;

const OPEN = '<skills>';
const CLOSE = '</skills>';

/** How the text is made. */
export interface InstructionOptions {
  readonly mode: ToolsMode;
  readonly names: ToolNames;
  /** Whether SKILL.md files are listed as resources. Default: true. */
  readonly resources?: boolean;
  /** UTF-16 units that stand before it; where they leave no room for what this is, the text is empty. Default: 0. */
  readonly taken?: number;
}

/** Makes the text that a host puts before a model when it connects: the names of the skills, how to load one, and what each is for. */
export function toInstructions(catalog: SkillCatalog, audience: Audience, options: InstructionOptions): string {
  const { mode, names, resources = true, taken = 0 } = options;
  const { forModel: skills } = audience;
  const preface = toPreface(catalog, audience, options);
  if (taken + preface.length > MOST) return '';
  if (skills.length === 0) return preface;
  const rest = mode !== 'never' ? `: ${names.list} lists them` : resources ? ': list the resources' : '';
  const toRest = (count: number) => `(${count} more${rest})`;
  const room = MOST - taken - [preface, OPEN, CLOSE].join('\n').length;
  if (room < toRest(skills.length).length + 1) return preface;
  const named = skills.filter(({ uri }) => toSkillPath(uri).length <= LONGEST_PATH);

  let shown = 0;
  let left = room;
  for (const skill of named) {
    const hidden = skills.length - shown - 1;
    const line = toName(skill).length + 1;
    if (line + (hidden === 0 ? 0 : toRest(hidden).length + 1) > left) break;
    left -= line;
    shown += 1;
  }
  const last = shown === skills.length ? [] : [toRest(skills.length - shown)];
  left -= last.join('').length + last.length;
  const texts = named
    .slice(0, shown)
    .map((skill) => [toName(skill), cleanText(skill.frontmatter.description)] as const);
  const share = toShare(
    texts.map(([, text]) => text),
    left,
  );
  const lines = texts.map(([name, text]) => {
    const cut = share < LEAST && text.length > share ? '' : cutText(text, share);
    return cut === '' ? name : `${name}: ${cut}`;
  });
  return [preface, OPEN, ...lines, ...last, CLOSE].join('\n');
}

function toName({ uri }: Skill): string {
  return `- ${toSkillPath(uri)}`;
}

/** The most units that every text may have so that all of them, with `: ` before each, stay below a sum. */
function toShare(texts: readonly string[], sum: number): number {
  const lengths = texts.map((text) => text.length).sort((a, b) => a - b);
  let left = sum - 2 * texts.length;
  for (const [index, length] of lengths.entries()) {
    const even = Math.floor(left / (lengths.length - index));
    if (length > even) return Math.max(0, even);
    left -= length;
  }
  return Infinity;
}

/** Shorter than 512 units, which is all that some hosts keep. */
function toPreface(catalog: SkillCatalog, audience: Audience, { mode, names }: InstructionOptions): string {
  const { forModel: skills, findable } = audience;
  const leftOut = describeLeftOut(countRefused(catalog), mode, names);
  if (skills.length === 0) {
    const none = catalog.skills.length === 0 ? 'there are none' : 'none is offered to models';
    const some =
      mode === 'never' || findable.length === 0
        ? `At the moment ${none}.`
        : `${names.list} finds ${countOf(findable.length, 'skill')} by words; load one with ${names.load} before a task that it fits.`;
    return `This server publishes Agent Skills. ${some}${leftOut}`;
  }
  const lead =
    mode === 'never' ? 'Skills of this server: ' : `Skills to load with ${names.load} before a task that one fits: `;
  const tools = `${names.file} reads its files, ${names.list} finds skills by words.`;
  const resource = 'load one as your host loads skills, or read the resource skill://PATH/SKILL.md';
  const how: Record<ToolsMode, string> = {
    always: tools,
    auto: `${tools} Without these tools, ${resource}.`,
    never: `Before a task that one fits, ${resource}; its other files are beside it.`,
  };
  return [
    `${lead}${namePaths(skills, FIRST - lead.length - 1)}.`,
    `A skill is instructions and files for one kind of task. ${how[mode]} Each line is a PATH and its author's description.${leftOut}`,
  ].join('\n');
}

function describeLeftOut(count: number, mode: ToolsMode, names: ToolNames): string {
  if (count === 0) return '';
  const why = mode === 'never' ? '' : `; ${names.list} says why`;
  return ` ${count === 1 ? '1 skill is' : `${count} skills are`} left out because of errors${why}.`;
}
