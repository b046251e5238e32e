import { type Skill, type SkillCatalog, toSkillPath } from '../catalog/catalog.ts';
import { type Audience, isForUser } from './audience.ts';
import { findSkill, quote, toAdvice } from './lookup.ts';
import { type Answer, InvalidParams, type Params, type Result, readCursor, takePage, toListing } from './methods.ts';
import type { ToolNames } from './naming.ts';
import { findNearest } from './nearest.ts';
import { createPages, type PageLimits } from './pages.ts';
import { type Means, presentSkill } from './presentation.ts';

/** The methods for hosts that offer skills to their users as prompts. */
export interface Prompts {
  /** `prompts/list` */
  readonly listPrompts: Answer;
  /** `prompts/get` */
  readonly getPrompt: Answer;
  /** Whether a cursor of `prompts/list` names a prompt that is listed here. */
  readonly namesPrompt: (cursor: string) => boolean;
  /** All that `prompts/list` shows, as one text. */
  readonly describe: () => string;
  readonly names: ReadonlySet<string>;
  /** Whether there is one prompt for all skills, with the skill as an argument. */
  readonly isSingle: boolean;
  /** The skills that are listed for users. */
  readonly skills: readonly Skill[];
}

/** How prompts are made of skills. */
export interface PromptOptions {
  /** Above so many skills there is a single prompt for all. */
  readonly maxPrompts: number;
  readonly means: Means;
  readonly toolNames: ToolNames;
  readonly limits: PageLimits;
  /** Adds what 2026-07-28 wants of a listing. */
  readonly toCacheable: (result: Result, isModern: boolean) => Result;
}

/** The prompt that stands for all skills. */
export const SINGLE = 'skill';

/** The argument of {@link SINGLE} that names the skill. */
export const SKILL_ARGUMENT = 'name';

const TASK = { name: 'task', description: 'What to do with the skill', required: false };

/** Makes the prompts for a catalog. Cheap; what costs is made at the first request that needs it. */
export function createPrompts(catalog: SkillCatalog, audience: Audience, options: PromptOptions): Prompts {
  const { maxPrompts, means, toolNames, limits, toCacheable } = options;
  const shown = audience.listed.filter(isForUser);
  const isSingle = shown.length > maxPrompts;
  // what is not listed is still given to whoever knows its name
  const skills = new Map(
    isSingle ? [] : catalog.skills.filter(isForUser).map((skill) => [toPromptName(skill.uri), skill]),
  );
  const names = isSingle ? new Set([SINGLE]) : new Set(skills.keys());
  const list = () => (isSingle ? [toSinglePrompt(shown.length)] : toPrompts(shown));
  let listed: readonly object[] | undefined;
  let described: string | undefined;
  const toPages = () => {
    listed ??= list();
    return createPages(listed, limits, {
      kind: 'prompts/list',
      // in the order of the skills, which is not that of the prompts' names
      toKey: (_, at) => (isSingle ? SINGLE : (shown[at]?.uri ?? '')),
    });
  };
  /** Somebody who asks for a skill by its path, or as if each had a prompt, is told how it is asked for here. */
  const explainMiss = (name: string): string => {
    const own = name.replaceAll('/', '_');
    if (names.has(own)) return toAdvice([own]);
    return isSingle
      ? `: the one prompt is ${quote(SINGLE)}, and its argument "${SKILL_ARGUMENT}" names the skill`
      : toAdvice(
          findNearest(
            name,
            shown.map(({ uri }) => toPromptName(uri)),
          ),
        );
  };
  return {
    names,
    isSingle,
    skills: shown,
    listPrompts(params, { isModern }) {
      return toCacheable(toListing('prompts', takePage(toPages().page(readCursor(params)), params)), isModern);
    },
    namesPrompt: (cursor) => toPages().names(cursor),
    describe() {
      described ??= JSON.stringify(list());
      return described;
    },
    getPrompt({ name, arguments: given }) {
      const args = given ?? {};
      if (typeof name !== 'string') throw new InvalidParams('the parameter "name" is missing or is not a string');
      if (!names.has(name)) throw new InvalidParams(`there is no prompt ${quote(name)}${explainMiss(name)}`, { name });
      if (typeof args !== 'object' || Array.isArray(args)) throw new InvalidParams('the arguments are not an object');
      const texts = args as Params;
      const skill = skills.get(name) ?? findNamed(catalog, shown, texts);
      const { head, content } = presentSkill(catalog, skill, { names: toolNames, means, room: undefined });
      const task = toTask(readArgument(texts, TASK.name)?.trim() ?? '');
      return {
        description: skill.frontmatter.description,
        // one message, because some hosts take the first alone
        messages: [{ role: 'user', content: { type: 'text', text: task + head + content } }],
      };
    },
  };
}

/**
 * What the user wrote after a command. It comes before the skill: after it, the skill could hold the same words. Some hosts split
 * at blanks and pass on the first word alone, so one word is not given for the whole.
 */
function toTask(task: string): string {
  if (task === '') return '';
  if (/\s/.test(task)) return `The user's task: ${task}\n\n`;
  return (
    `The user started this skill with ${JSON.stringify(task)}, which may be only the first word of the task: ` +
    'where the conversation shows more of it, go by that.\n\n'
  );
}

/**
 * The name of a skill's prompt: its path, with `_` for `/`. Hosts make commands of prompt names and take letters, digits, `-` and
 * `_` unchanged; no segment of a path holds a `_`, so two skills never get one name.
 */
function toPromptName(uri: string): string {
  return toSkillPath(uri).replaceAll('/', '_');
}

function toPrompts(skills: readonly Skill[]): object[] {
  const uses = new Map<string, number>();
  for (const { frontmatter } of skills) uses.set(frontmatter.name, (uses.get(frontmatter.name) ?? 0) + 1);
  return skills.map(({ uri, frontmatter }) => ({
    name: toPromptName(uri),
    // where skills share a name, hosts that show titles would show one line twice
    title: (uses.get(frontmatter.name) ?? 0) > 1 ? toSkillPath(uri) : frontmatter.name,
    description: frontmatter.description,
    arguments: [TASK],
  }));
}

function toSinglePrompt(count: number): object {
  return {
    name: SINGLE,
    title: 'Skill',
    description: `Loads one of the ${count} skills of this server`,
    arguments: [{ name: SKILL_ARGUMENT, description: 'The path of the skill, or its name', required: true }, TASK],
  };
}

function findNamed(catalog: SkillCatalog, shown: readonly Skill[], args: Params): Skill {
  const name = readArgument(args, SKILL_ARGUMENT) ?? '';
  if (name === '') throw new InvalidParams(`the argument "${SKILL_ARGUMENT}" is missing: it names the skill`);
  const found = findSkill(catalog, name.trim(), shown);
  if ('error' in found) throw new InvalidParams(found.error + found.advice, { name });
  if (isForUser(found.skill)) return found.skill;
  throw new InvalidParams(
    `the skill ${quote(toSkillPath(found.skill.uri))} has no prompt: its author wrote "user-invocable: false"`,
    { name },
  );
}

function readArgument(args: Params, name: string): string | undefined {
  // some hosts send null for what a user left out
  const value = args[name] ?? undefined;
  if (value !== undefined && typeof value !== 'string')
    throw new InvalidParams(`the argument "${name}" is not a string`);
  return value;
}
