import type { PlacedSkill } from '../judge/placement.ts';
import type { Problem } from '../problems.ts';
import type { Page } from './prose.ts';

/**
 * What one host replaces, or where one host keeps skills. The folder of a skill counts where a path follows: by itself it is more often
 * what the text is about.
 */
const PATTERN =
  /(?<variable>\$ARGUMENTS\b|\$\{ARGUMENTS\})|(?<folder>\$\{(?:CLAUDE_SKILL_DIR|CLAUDE_PLUGIN_ROOT|CODEX_PLUGIN_ROOT)\}|\$(?:CLAUDE_SKILL_DIR|CLAUDE_PLUGIN_ROOT|CODEX_PLUGIN_ROOT)\b|\{base_?dir\})"?\/(?<inner>[A-Za-z0-9_.-][A-Za-z0-9_./-]{0,300})|~\/\.(?:claude|codex|agents|cursor|gemini|copilot|opencode|config\/opencode)\/skills\/(?<owner>[a-z0-9-]{1,64})\/(?<file>[A-Za-z0-9_./-]{1,300}\.[A-Za-z0-9]{1,10})/gi;

interface Use {
  readonly start: number;
  readonly end: number;
  readonly message: string;
  readonly hint: string;
  count: number;
}

/** Reports variables and folders of one host in the body of SKILL.md, each once, at its first place. */
export function lintVariables(skill: PlacedSkill, page: Page): Problem[] {
  if (!page.isSkillFile) return [];
  const uses = new Map<string, Use>();
  for (const match of page.text.slice(page.body).matchAll(PATTERN)) {
    const { key, ...use } = describe(match, skill.name);
    const known = uses.get(key);
    const start = page.body + match.index;
    if (known === undefined) uses.set(key, { ...use, start, end: start + match[0].length, count: 1 });
    else known.count++;
  }
  return [...uses.values()].map(({ message, hint, count, ...range }) =>
    page.report(range, {
      code: 'host-variable',
      message: count === 1 ? message : `${message} (${count} times in the file)`,
      hint,
    }),
  );
}

function describe(
  { 0: whole, groups = {} }: RegExpExecArray,
  name: string,
): Pick<Use, 'message' | 'hint'> & { key: string } {
  const { variable, folder, inner = '', owner = '', file = '' } = groups;
  if (variable !== undefined) {
    return {
      key: variable,
      message: `"${variable}" is replaced by some hosts for their own commands, and reaches the model as it is written over MCP`,
      hint: 'write in words what is meant, such as: what the user asked for',
    };
  }
  if (folder !== undefined) {
    return {
      key: folder,
      message: `"${folder}" is replaced by some hosts for their own skills, and reaches the model as it is written over MCP`,
      hint: hintFolder(folder, inner, name),
    };
  }
  const place = whole.slice(0, whole.length - file.length);
  return {
    key: place,
    message: `"${place}" is a folder of one host, and a skill that is served over MCP is not in it`,
    hint:
      owner === name
        ? `write the path relative to the skill: ${file}`
        : `name the skill "${owner}" instead of its folder`,
  };
}

/** A file of a plugin that is no file of the skill does not come with it. */
function hintFolder(folder: string, inner: string, name: string): string {
  const own = `skills/${name}/`;
  if (!/PLUGIN/.test(folder)) return `write the path relative to the skill: ${inner}`;
  if (inner.startsWith(own)) return `write the path relative to the skill: ${inner.slice(own.length)}`;
  return 'put the file into the skill, and write its path relative to the skill';
}
