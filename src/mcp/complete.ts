import type { Skill, SkillCatalog } from '../catalog/catalog.ts';
import { SKILL_FILE } from '../catalog/manifest.ts';
import { quote } from './lookup.ts';
import { type Answer, InvalidParams, type Params, TEMPLATE } from './methods.ts';
import { type Prompts, SINGLE, SKILL_ARGUMENT } from './prompts.ts';

/** Values of one completion, at the most (MCP, "Completion Results"). */
const MOST = 100;

const NOTHING = { completion: { values: [], total: 0, hasMore: false } };

/** UTF-16 units of `skill://`. */
const SCHEME = 'skill://'.length;

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
  const isOurPrompt = ({ type, name }: Params) =>
    type === 'ref/prompt' && typeof name === 'string' && prompts?.names.has(name) === true;
  const isOurTemplate = ({ type, uri }: Params) => type === 'ref/resource' && uri === TEMPLATE;
  return {
    claims: ({ ref }) => isOurPrompt(toParams(ref)) || isOurTemplate(toParams(ref)),
    answer({ ref, argument }) {
      const [target, { name, value }] = [toParams(ref), toParams(argument)];
      if (typeof name !== 'string' || typeof value !== 'string') {
        throw new InvalidParams('the parameter "argument" must have a name and a value, both strings');
      }
      if (isOurTemplate(target)) {
        if (name !== 'path') return NOTHING;
        return complete(listFiles(published), value);
      }
      if (isOurPrompt(target)) {
        if (target['name'] !== SINGLE || prompts?.isSingle !== true || name !== SKILL_ARGUMENT) return NOTHING;
        return complete(
          prompts.skills.map(({ uri }) => uri),
          value,
          `/${SKILL_FILE}`,
        );
      }
      if (prompts === undefined && target['type'] === 'ref/prompt') return NOTHING;
      throw new InvalidParams(`there is nothing to complete for ${quote(String(target['name'] ?? target['uri']))}`);
    },
  };
}

function toParams(value: unknown): Params {
  return typeof value === 'object' && value !== null ? (value as Params) : {};
}

function* listFiles(skills: readonly Skill[]): Generator<string> {
  for (const { resources } of skills) for (const { uri } of resources) yield uri;
}

/**
 * The values that hold what was typed: URIs without their scheme, and without `ending`. Nothing is kept for all of them, since a catalog
 * may have hundreds of thousands.
 */
function complete(uris: Iterable<string>, typed: string, ending = ''): { completion: object } {
  const part = typed.toLowerCase();
  const values: string[] = [];
  let total = 0;
  for (const uri of uris) {
    const at = uri.toLowerCase().indexOf(part, SCHEME);
    const end = uri.length - ending.length;
    if (at === -1 || at + part.length > end) continue;
    total += 1;
    if (values.length < MOST) values.push(uri.slice(SCHEME, end));
  }
  return { completion: { values, total, hasMore: total > MOST } };
}
