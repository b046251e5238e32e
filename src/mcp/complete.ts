import { type SkillCatalog, toSkillPath } from '../catalog/catalog.ts';
import { quote } from './find.ts';
import { type Answer, InvalidParams, type Params, TEMPLATE } from './methods.ts';
import { type Prompts, SINGLE, SKILL_ARGUMENT } from './prompts.ts';

/** Values of one completion, at the most (MCP, "Completion Results"). */
const MOST = 100;

/** `completion/complete`, for the prompts of a catalog and its resource template. */
export interface Completion {
  /** Whether a request is about something of ours. */
  readonly claims: (params: Params) => boolean;
  readonly answer: Answer;
}

/**
 * Makes the completion of skill paths and file paths. What was typed may stand anywhere in a path, in any case; the values are in the
 * order of the catalog.
 *
 * @param catalog - undefined where every surface is switched off, and `prompts` where they are: hosts that ask all the same get nothing
 *   instead of an error, since the template is listed all the same
 */
export function createCompletion(
  catalog: Pick<SkillCatalog, 'skills'> | undefined,
  prompts: Prompts | undefined,
): Completion {
  const published = catalog?.skills ?? [];
  let skills: readonly string[] | undefined;
  let files: readonly string[] | undefined;
  const isOurPrompt = ({ type, name }: Params) =>
    type === 'ref/prompt' && typeof name === 'string' && prompts?.names.has(name) === true;
  const isOurTemplate = ({ type, uri }: Params) => type === 'ref/resource' && uri === TEMPLATE;
  return {
    claims: ({ ref }) => isOurPrompt(toParams(ref)) || isOurTemplate(toParams(ref)),
    answer({ ref, argument }) {
      const [target, { name, value }] = [toParams(ref), toParams(argument)];
      if (typeof name !== 'string' || typeof value !== 'string') {
        throw new InvalidParams('the parameter "argument" must have a name and a value, both texts');
      }
      if (isOurTemplate(target)) {
        if (name !== 'path') return toCompletion([]);
        files ??= published.flatMap(({ resources }) => resources.map(({ uri }) => uri.slice('skill://'.length)));
        return toCompletion(filter(files, value));
      }
      if (isOurPrompt(target)) {
        if (target['name'] !== SINGLE || prompts?.isSingle !== true || name !== SKILL_ARGUMENT) return toCompletion([]);
        skills ??= prompts.skills.map(({ uri }) => toSkillPath(uri));
        return toCompletion(filter(skills, value));
      }
      if (prompts === undefined && target['type'] === 'ref/prompt') return toCompletion([]);
      throw new InvalidParams(`there is nothing to complete for ${quote(String(target['name'] ?? target['uri']))}`);
    },
  };
}

function toParams(value: unknown): Params {
  return typeof value === 'object' && value !== null ? (value as Params) : {};
}

function filter(values: readonly string[], typed: string): string[] {
  const part = typed.toLowerCase();
  return values.filter((value) => value.toLowerCase().includes(part));
}

function toCompletion(found: readonly string[]): { completion: object } {
  return { completion: { values: found.slice(0, MOST), total: found.length, hasMore: found.length > MOST } };
}
