import type { Skill, SkillCatalog } from '../catalog/catalog.ts';
import { TOOLS } from './definitions.ts';
import { findSkill, quote, toAdvice } from './find.ts';
import { readNumber, readText, readTexts, refuseOthers, WrongInput } from './input.ts';
import { createListing } from './listing.ts';
import { type Answer, InvalidParams, type Params, type Result, readCursor } from './methods.ts';
import { findNearest } from './nearest.ts';
import { presentSkill, toPreface } from './present.ts';
import { readFiles } from './slots.ts';

/** When the tools are listed. `auto`: unless the client declared the Skills extension itself. */
export type ToolsMode = 'auto' | 'always' | 'never';

/** The methods for hosts that know skills as tools. */
export interface Tools {
  /** `tools/list` */
  readonly listTools: Answer;
  /** `tools/call` */
  readonly callTool: (...args: Parameters<Answer>) => Promise<Result>;
}

/** The names of the tools. */
export const TOOL_NAMES: ReadonlySet<string> = new Set(TOOLS.map(({ name }) => name));

/** Makes the tools for a catalog. Cheap; what costs is made at the first call that needs it. */
export function createTools(
  catalog: SkillCatalog,
  options: { mode: ToolsMode; ttlMs: number; cacheScope: 'private' | 'public'; pageSize: number },
): Tools {
  const { mode, ttlMs, pageSize } = options;
  // what one client is shown, another is not
  const cacheScope = mode === 'auto' ? 'private' : options.cacheScope;
  const calls: Readonly<Record<string, (args: Params) => Result | Promise<Result>>> = {
    skill_list: createListing(catalog, pageSize),
    skill_load: (args) => {
      refuseOthers(args, ['skill']);
      const loaded = presentSkill(catalog, readSkill(catalog, args), 'tool');
      const content = [toPreface(loaded), loaded.content].map((text) => ({ type: 'text', text }));
      return { content, structuredContent: loaded };
    },
    skill_file: (args) => {
      refuseOthers(args, ['skill', 'paths', 'offset', 'length']);
      const [paths, offset, length] = [
        readTexts(args, 'paths'),
        readNumber(args, 'offset'),
        readNumber(args, 'length'),
      ];
      return readFiles(catalog, readSkill(catalog, args), { paths, offset, length });
    },
  };
  return {
    listTools(params, { isModern, knowsSkills }) {
      if (readCursor(params) !== undefined) throw new InvalidParams('unknown cursor: all tools are on the first page');
      const tools = mode === 'auto' && knowsSkills ? [] : TOOLS;
      return isModern ? { tools, ttlMs, cacheScope } : { tools };
    },
    async callTool({ name, arguments: given }) {
      // some hosts send null for what a model left out
      const args = given ?? {};
      const call = typeof name === 'string' && Object.hasOwn(calls, name) ? calls[name] : undefined;
      if (call === undefined) {
        throw new InvalidParams(
          `there is no tool ${quote(String(name))}${toAdvice(findNearest(String(name), TOOL_NAMES))}`,
        );
      }
      try {
        if (!isParams(args)) throw new WrongInput('the arguments must be an object');
        return await call(args);
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

function readSkill(catalog: SkillCatalog, args: Params): Skill {
  const found = findSkill(catalog, readText(args, 'skill').trim());
  if ('skill' in found) return found.skill;
  throw new WrongInput(found.error + (found.advice || '; skill_list shows what there is'));
}
