import { type Skill, type SkillCatalog, toSkillPath } from '../catalog/catalog.ts';
import { cleanText, cutText } from './clean.ts';
import type { ToolsMode } from './tools.ts';

/** Hosts keep so many UTF-16 units of a server's instructions. */
const MOST = 2048;

/** A path of more UTF-16 units would keep all others out, and is only counted. */
const LONGEST_PATH = 256;

/** Less than this says nothing about a skill. */
const LEAST = 8;

const OPEN = '<skills>';
const CLOSE = '</skills>';

/**
 * Makes the text that a host puts before a model when it connects: what this is, and the skills, as far as they fit.
 *
 * @param taken - UTF-16 units that stand before it; where they leave no room for what this is, the text is empty
 */
export function toInstructions(catalog: SkillCatalog, tools: ToolsMode, taken = 0): string {
  const { skills } = catalog;
  const preface = toPreface(catalog, tools);
  if (taken + preface.length > MOST) return '';
  if (skills.length === 0) return preface;
  const toRest = (count: number) =>
    `(${count} more: ${tools === 'never' ? 'list the resources' : 'skill_list lists them'})`;
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
  const rest = shown === skills.length ? [] : [toRest(skills.length - shown)];
  left -= rest.join('').length + rest.length;
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
  return [preface, OPEN, ...lines, ...rest, CLOSE].join('\n');
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
function toPreface(catalog: SkillCatalog, tools: ToolsMode): string {
  const what = 'This server publishes Agent Skills: instructions and files for particular kinds of task.';
  const left = describeLeftOut(catalog, tools);
  if (catalog.skills.length === 0) {
    const why = tools === 'never' ? '' : ' skill_list says what is left out because of errors, if anything is.';
    return `${what} At the moment there are none.${left || why}`;
  }
  const how: Record<ToolsMode, string> = {
    always: 'load it with the tool skill_load; skill_file reads its other files, and skill_list finds skills by words.',
    auto:
      'load it with the tool skill_load; skill_file reads its other files, and skill_list finds skills by words. ' +
      'Where these tools are not offered, load it as your host loads skills, or read the resource skill://PATH/SKILL.md.',
    never:
      'load it as your host loads skills, or read the resource skill://PATH/SKILL.md; its other files are resources beside it.',
  };
  return `${what} Before a task that one of the skills below fits, ${how[tools]} Each line is a PATH and what its author says of it.${left}`;
}

/** A sentence about the skills that have errors, with a blank before it; empty where there are none. */
function describeLeftOut({ problems, get }: SkillCatalog, tools: ToolsMode): string {
  const left = new Set(
    problems.flatMap(({ skill }) => (skill === undefined || get(skill) !== undefined ? [] : [skill])),
  );
  if (left.size === 0) return '';
  const count = left.size === 1 ? '1 skill is' : `${left.size} skills are`;
  return ` ${count} left out because of errors${tools === 'never' ? '' : '; skill_list says why'}.`;
}
