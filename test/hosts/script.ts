import type { Call, OfferedTool, Prompt, Turn } from './model.ts';
import { FIGURES, IMAGE, NAMES, SCRIPT, SIZES } from './skills.ts';

/** What the person asks: it names neither a skill nor a tool. */
export const QUESTION = 'Which house rules are there? Read every one of them, whole, and the figures too.';

/** What a call was for. */
type Purpose = 'search' | 'list' | 'load' | 'script' | 'image' | 'other';

/** What the model was given for a call. */
export interface Heard {
  readonly purpose: Purpose;
  /** The skill that was asked for. */
  readonly skill?: string;
  readonly text: string;
  /** The images that came with it, in base64. */
  readonly images: readonly string[];
}

export interface Script {
  readonly model: (prompt: Prompt) => Turn;
  /** The requests of the conversation itself: hosts also ask for titles and the like, without tools. */
  readonly prompts: readonly Prompt[];
  readonly heard: readonly Heard[];
}

/** A call, whatever the host calls the tool. */
interface Wanted {
  readonly purpose: Purpose;
  readonly skill?: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** The calls of a model one after another, each with the answer that came; then its last words. */
export type Play = Generator<Wanted, string, string>;

const LAST_WORDS = 'That is all.';

/** More parts than any SKILL.md here has: a model gives up as well. */
const MOST_PARTS = 40;

/** What a model with patience does: lists, loads each skill and reads on until it has all, then reads a script and an image. */
export function* readAll(): Play {
  yield* list();
  for (const skill of Object.keys(SIZES)) yield* load(skill);
  yield { purpose: 'script', skill: FIGURES, tool: 'skill_file', args: { skill: FIGURES, paths: [SCRIPT] } };
  yield { purpose: 'image', skill: FIGURES, tool: 'skill_file', args: { skill: FIGURES, paths: [IMAGE] } };
  return LAST_WORDS;
}

/** Lists, and asks again once where that failed. */
export function* list(): Play {
  const wanted: Wanted = { purpose: 'list', tool: 'skill_list', args: {} };
  const text = yield wanted;
  if (!NAMES.some((name) => text.includes(name))) yield wanted;
  return LAST_WORDS;
}

/** Loads a skill, and reads on until it has all of it. */
export function* load(skill: string): Play {
  let text = yield { purpose: 'load', skill, tool: 'skill_load', args: { skill } };
  let offset = 0;
  for (let part = 1; part < MOST_PARTS; part += 1) {
    const next = findNext(text);
    if (next === undefined || next <= offset) break;
    offset = next;
    text = yield { purpose: 'load', skill, tool: 'skill_file', args: { skill, paths: ['SKILL.md'], offset } };
  }
  return LAST_WORDS;
}

/** Loads a skill, and then does what it is for with tools of the server that is wrapped. */
export function* useWrapped(skill: string, calls: readonly (readonly [tool: string, args: Wanted['args']])[]): Play {
  yield* load(skill);
  for (const [tool, args] of calls) yield { purpose: 'other', tool, args };
  return LAST_WORDS;
}

/** The offset that an answer says to go on with. */
function findNext(text: string): number | undefined {
  const [, named, structured] = /go on with[^\n]{0,300}? offset (\d+)|"nextOffset":\s*(\d+)/i.exec(text) ?? [];
  const next = named ?? structured;
  return next === undefined ? undefined : Number(next);
}

/** A model that makes the calls of a play, whatever the host calls the tools, and keeps what it is given. */
export function createScript(play: Play): Script {
  const prompts: Prompt[] = [];
  const heard: Heard[] = [];
  const images = new Set<string>();
  let step = play.next();
  let pending: { readonly call: Call; readonly purpose: Purpose } | undefined;
  let calls = 0;
  /** The tool that was searched for last. */
  let searched: string | undefined;

  /** Takes the answer to the call that is under way. A host that asks again without one has lost it. */
  function take(prompt: Prompt): boolean {
    if (pending === undefined) return true;
    const { call, purpose } = pending;
    // a host may give each block as an answer of its own
    const answers = prompt.answers.filter(({ id }) => id === call.id);
    if (answers.length === 0) return false;
    const text = answers.map((answer) => answer.text).join('\n');
    const fresh = prompt.images.filter((image) => !images.has(image));
    for (const image of fresh) images.add(image);
    const skill = step.done ? undefined : step.value.skill;
    heard.push({ purpose, ...(skill === undefined ? {} : { skill }), text, images: fresh });
    pending = undefined;
    if (purpose !== 'search') step = play.next(text);
    return true;
  }

  function next(prompt: Prompt): Call | undefined {
    if (step.done) return undefined;
    const { tool: name, args, purpose } = step.value;
    const { tools } = prompt;
    const call = (tool: OfferedTool, given: Call['args'], what = purpose) => {
      calls += 1;
      pending = { call: { id: `call_${String(calls).padStart(4, '0')}`, tool, args: given }, purpose: what };
      return pending.call;
    };
    const tool = tools.find((each) => isNamed(each.name, name));
    if (tool !== undefined) return call(tool, args);
    const search = tools.find(isSearch);
    if (search === undefined) return undefined;
    if (searched !== name && (isOurs(name) ? !heard.some((each) => each.purpose === 'search') : true)) {
      searched = name;
      return call(search, { query: toQuery(prompt, name) }, 'search');
    }
    // some hosts offer what was found through a tool that calls it
    const bridge = tools.find((each) => each.name === 'tool_call');
    const found = findNames(prompt, name).find((each) => isNamed(each, name));
    return bridge === undefined || found === undefined ? undefined : call(bridge, { name: found, arguments: args });
  }

  return {
    prompts,
    heard,
    model(prompt) {
      if (prompt.tools.length === 0) return { text: 'House rules' };
      prompts.push(prompt);
      const call = take(prompt) ? next(prompt) : pending?.call;
      if (call !== undefined) return { call };
      return { text: step.done ? step.value : LAST_WORDS };
    },
  };
}

/** Whether a host's name for a tool is this one behind a prefix. */
function isNamed(name: string, tool: string): boolean {
  return name === tool || (name.endsWith(tool) && /[^a-z]/i.test(name.at(-tool.length - 1) ?? ''));
}

function isSearch({ name, isSearch: marked }: OfferedTool): boolean {
  return marked === true || /^tool_?search$/i.test(name);
}

/** By name where the host has said the names of the tools, else by words. */
function toQuery(prompt: Prompt, tool: string): string {
  const names = findNames(prompt, tool);
  if (names.length > 0) return `select:${names.join(',')}`;
  return isOurs(tool) ? 'skill list load file' : tool.replaceAll('_', ' ');
}

/** The names of our tools, or of another one, that a host says anywhere, as it calls them. */
function findNames({ text, tools }: Prompt, tool: string): string[] {
  const shown = [text, ...tools.map(({ description }) => description)].join('\n');
  const name = isOurs(tool) ? 'skill_(?:list|load|file)' : tool;
  return [...new Set(shown.match(new RegExp(`\\w[\\w-]*${name}\\b`, 'g')))];
}

function isOurs(tool: string): boolean {
  return /^skill_(?:list|load|file)$/.test(tool);
}
