import type { PlacedSkill } from '../judge/placement.ts';
import { type Said, say } from '../messages/say.ts';
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
  readonly sayOf: (count: number) => Said;
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
  return [...uses.values()].map(({ sayOf, count, ...range }) => page.report(range, sayOf(count)));
}

function describe(
  { 0: whole, groups = {} }: RegExpExecArray,
  name: string,
): Pick<Use, 'sayOf'> & { readonly key: string } {
  const { variable, folder, inner = '', owner = '', file = '' } = groups;
  if (variable !== undefined) {
    return { key: variable, sayOf: (count) => say('host-variable/argument', { variable, count }) };
  }
  if (folder !== undefined) {
    const repair = findOwnPath(folder, inner, name);
    return { key: folder, sayOf: (count) => say('host-variable/folder', { variable: folder, count, repair }) };
  }
  const place = whole.slice(0, whole.length - file.length);
  const repair = owner === name ? { path: file } : {};
  return { key: place, sayOf: (count) => say('host-variable/place', { place, owner, count, repair }) };
}

/** A file of a plugin that is no file of the skill does not come with it. */
function findOwnPath(folder: string, inner: string, name: string): { readonly path?: string } {
  const own = `skills/${name}/`;
  if (!/PLUGIN/.test(folder)) return { path: inner };
  return inner.startsWith(own) ? { path: inner.slice(own.length) } : {};
}
