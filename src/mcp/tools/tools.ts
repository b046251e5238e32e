import { type Skill, type SkillCatalog, toSkillPath } from '../../catalog/catalog.ts';
import { type Audience, isForModel } from '../audience.ts';
import { findSkill, quote, toAdvice } from '../lookup.ts';
import { type Answer, InvalidParams, type Params, type Result, readCursor } from '../methods.ts';
import type { ToolNames } from '../naming.ts';
import { findNearest } from '../nearest.ts';
import { presentSkill } from '../presentation.ts';
import { isRefused } from '../refused.ts';
import { describeTools } from './definitions.ts';
import { readFiles } from './files.ts';
import { readNumber, readText, readTexts, refuseOthers, WrongInput } from './input.ts';
import { createListing, type ListingOptions } from './listing.ts';
import { type Room, toRoom } from './room.ts';

/** When the tools are listed. `auto`: unless the client declared the Skills extension itself. */
export type ToolsMode = 'auto' | 'always' | 'never';

/** The methods for hosts that know skills as tools. */
export interface Tools {
  /** `tools/list` */
  readonly listTools: Answer;
  /** `tools/call` */
  readonly callTool: (...args: Parameters<Answer>) => Promise<Result>;
}

/** How the tools are made. */
export interface ToolOptions extends ListingOptions {
  readonly mode: ToolsMode;
  readonly ttlMs: number;
  readonly cacheScope: 'private' | 'public';
}

/** Makes the tools for a catalog. Cheap; what costs is made at the first call that needs it. */
export function createTools(catalog: SkillCatalog, audience: Audience, options: ToolOptions): Tools {
  const { mode, names, ttlMs } = options;
  // what one client is shown, another is not
  const cacheScope = mode === 'auto' ? 'private' : options.cacheScope;
  const readSkill = (args: Params) => findArgument(catalog, audience, names, args);
  const calls: Readonly<Record<string, (args: Params, room: Room) => Result | Promise<Result>>> = {
    [names.list]: createListing(catalog, audience, options),
    [names.load]: (args, room) => {
      refuseOthers(args, ['skill']);
      const skill = readSkill(args);
      if (!isForModel(skill)) throw new WrongInput(explainReserved(skill));
      const { head, content } = presentSkill(catalog, skill, { names, means: 'tool', room });
      return { content: [head, content].map((text) => ({ type: 'text', text })) };
    },
    [names.file]: (args, room) => {
      refuseOthers(args, ['skill', 'paths', 'offset', 'length']);
      const [paths, offset, length] = [
        readTexts(args, 'paths'),
        readNumber(args, 'offset'),
        readNumber(args, 'length'),
      ];
      return readFiles(catalog, readSkill(args), { paths, offset, length, names, room });
    },
  };
  let tools: readonly object[] | undefined;
  return {
    listTools(params, { isModern, knowsSkills }) {
      if (readCursor(params) !== undefined) throw new InvalidParams('unknown cursor: all tools are on the first page');
      tools ??= describeTools(names, audience);
      const shown = mode === 'auto' && knowsSkills ? [] : tools;
      return isModern ? { tools: shown, ttlMs, cacheScope } : { tools: shown };
    },
    async callTool({ name, arguments: given }, { client }) {
      // some hosts send null for what a model left out
      const args = given ?? {};
      const call = typeof name === 'string' && Object.hasOwn(calls, name) ? calls[name] : undefined;
      if (call === undefined) {
        throw new InvalidParams(
          `there is no tool ${quote(String(name))}${toAdvice(findNearest(String(name), Object.values(names)))}`,
        );
      }
      try {
        if (!isParams(args)) throw new WrongInput('the arguments must be an object');
        return await call(args, toRoom(client));
      } catch (error) {
        if (!(error instanceof WrongInput)) throw error;
        return { content: [{ type: 'text', text: error.message }], isError: true };
      }
    },
  };
}

function isParams(value: unknown): value is Params {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function findArgument(catalog: SkillCatalog, { findable }: Audience, names: ToolNames, args: Params): Skill {
  const text = readText(args, 'skill').trim();
  const found = findSkill(catalog, text, findable);
  if ('skill' in found) return found.skill;
  if (isRefused(catalog, text)) {
    throw new WrongInput(`the skill ${quote(text)} is not published because of errors; ${names.list} says why`);
  }
  throw new WrongInput(found.error + (found.advice || `; ${names.list} shows what there is`));
}

function explainReserved({ uri }: Skill): string {
  return (
    `the skill ${quote(toSkillPath(uri))} is for users to start (its author wrote "disable-model-invocation: true"): ` +
    'go on without it, or ask the user to start it'
  );
}
