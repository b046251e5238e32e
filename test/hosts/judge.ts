import { stripVTControlCharacters } from 'node:util';
import type { Prompt } from './model.ts';
import type { Run } from './run.ts';
import type { Heard } from './script.ts';
import { ADDED, countRules, FIGURES, IMAGE_DATA, NAMES, PASSAGE, SCRIPT_TEXT, type Sized, toMark } from './skills.ts';

/** The revision that the two sides speak, or why there is none. */
export function judgeRevision({ wire }: Pick<Run, 'wire'>): string {
  const lines = wire.map(parse);
  const call = lines.findLast(({ from, message }) => from === 'host' && message.method === 'tools/call');
  const meta = call?.message.params?._meta?.['io.modelcontextprotocol/protocolVersion'];
  if (typeof meta === 'string') return meta;
  const answered = lines.findLast(({ message }) => typeof message.result?.protocolVersion === 'string');
  return answered?.message.result?.protocolVersion ?? (wire.length === 0 ? 'never started' : 'no answer');
}

/** Where the first request names the skills, and how many of them. */
export function judgeNames({ script: { prompts, heard }, wire }: Pick<Run, 'script' | 'wire'>, names = NAMES): string {
  const [first] = prompts;
  if (first === undefined) return 'nothing asked';
  const found = [
    ...toCount('instructions', first.text, names).map((place) => place + toCut(first, wire)),
    ...toCount('descriptions', first.tools.map(({ description }) => description).join('\n'), names),
  ];
  if (found.length > 0) return found.join(' and ');
  const searched = heard.filter(({ purpose }) => purpose === 'search').map(({ text }) => text);
  return ['**none**', ...toCount('after its tool search', searched.join('\n'), names)].join('; ');
}

function toCount(place: string, text: string, names: readonly string[]): string[] {
  // a listing of the folders, which some hosts show, is not what the server says
  const count = names.filter((name) => new RegExp(`(?<![\\w/-])${name}(?![\\w/-])`).test(text)).length;
  if (count === 0) return [];
  return [count === names.length ? place : `${place} (${count} of ${names.length})`];
}

/** How much of the instructions the first request has, where it has only their beginning. */
function toCut({ text, tools }: Prompt, wire: readonly string[]): string {
  const instructions = wire.map((line) => parse(line).message.result?.instructions).find((each) => each !== undefined);
  if (instructions === undefined) return '';
  // some hosts indent them
  const [shown = '', whole = ''] = [
    [text, ...tools.map(({ description }) => description)].join('\n'),
    instructions,
  ].map((each) => each.replace(/\s+/g, ' ').trim());
  let length = 0;
  while (length < whole.length && shown.includes(whole.slice(0, length + 1))) length += 1;
  if (length === whole.length) return '';
  // less is chance
  return length < 40 ? '' : `, the first ${length} characters`;
}

/** What arrived of a list. */
export function judgeList({ script: { heard } }: Pick<Run, 'script'>): string {
  const [first, second] = heard.filter(({ purpose }) => purpose === 'list');
  if (first === undefined) return 'never asked';
  const count = (text: string) => NAMES.filter((name) => text.includes(name)).length;
  if (second !== undefined) return `failed once, then ${count(second.text)} of ${NAMES.length}`;
  const whole = count(first.text) === NAMES.length ? 'whole' : `${count(first.text)} of ${NAMES.length}`;
  return whole + toCopies(first.text, `for every question about ${FIGURES.replace('-', ' ')}.`);
}

/** What arrived of a SKILL.md: its numbered rules, counted over all parts. */
export function judgeLoad({ script: { heard } }: Pick<Run, 'script'>, skill: Sized): string {
  const parts = heard.filter((each) => each.purpose === 'load' && each.skill === skill);
  if (parts.length === 0) return 'never asked';
  const text = parts.map((part) => part.text).join('\n');
  const rules = countRules(skill);
  const marks = Array.from({ length: rules }, (_, index) => toMark(index + 1));
  const arrived = marks.filter((mark) => text.includes(mark));
  const whole = arrived.length === rules ? 'whole' : `**${arrived.length} of ${rules} rules**`;
  const cut = parts.length === 1 ? '' : `, ${parts.length} parts`;
  return whole + cut + toCopies(text, ...arrived) + toForm(text, PASSAGE);
}

/** What arrived of a script. */
export function judgeScript({ script: { heard } }: Pick<Run, 'script'>): string {
  const answer = heard.find(({ purpose }) => purpose === 'script');
  if (answer === undefined) return 'never asked';
  const { text } = answer;
  const isThere = text.includes(SCRIPT_TEXT.trimEnd()) || text.includes(toJson(SCRIPT_TEXT.trimEnd()));
  return (
    (isThere ? 'whole' : '**not whole**') + toCopies(text, '# Counts the lines') + toForm(text, SCRIPT_TEXT.trimEnd())
  );
}

/** How an image arrived. */
export function judgeImage({ script: { heard } }: Pick<Run, 'script'>): string {
  const answer = heard.find(({ purpose }) => purpose === 'image');
  if (answer === undefined) return 'never asked';
  if (answer.images.length > 0) return 'image';
  return answer.text.includes(IMAGE_DATA) ? '**base64 as text**' : '**not at all**';
}

/** What a start after an edit shows: the skill that was added, and whether the first call works. */
export function judgeEdit(run: Run): string {
  const { heard } = run.script;
  const lists = heard.filter(({ purpose }) => purpose === 'list');
  const worked = lists.findIndex(({ text }) => text.includes(ADDED));
  const call = ['first call works', '**first call fails**, second works'][worked] ?? '**calls fail**';
  const shown = judgeNames(run, [ADDED]);
  return `${/instr|descr/.test(shown) ? 'named' : '**not named**'}; ${call}`;
}

/** What the host prints that sounds like trouble, each line once. */
export function listWarnings({ stdout, stderr }: Run): string[] {
  const lines = stripVTControlCharacters(`${stdout}\n${stderr}`).split('\n');
  return [
    ...new Set(
      lines.map((line) => line.trim()).filter((line) => /warn|error|fail|trunc|too large|changed/i.test(line)),
    ),
  ];
}

/** How often a passage arrived, the one of several that came most often, where it is not once. */
function toCopies(text: string, ...passages: readonly string[]): string {
  const copies = Math.max(0, ...passages.map((passage) => text.split(passage).length - 1));
  if (copies < 2) return '';
  return `, **${copies === 2 ? 'twice' : `${copies} times`}**`;
}

/** Whether a passage arrived as it is, or as the inside of JSON. */
function toForm(text: string, passage: string): string {
  if (text.includes(passage)) return '';
  return text.includes(toJson(passage)) ? ', **as JSON**' : '';
}

function toJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

interface Message {
  readonly method?: string;
  readonly params?: { readonly _meta?: Readonly<Record<string, unknown>> };
  readonly result?: { readonly protocolVersion?: string; readonly instructions?: string };
}

function parse(line: string): { from: string; message: Message } {
  const [, from = '', json = ''] = /^(\w+) (.*)$/.exec(line) ?? [];
  try {
    return { from, message: JSON.parse(json) as Message };
  } catch {
    return { from, message: {} };
  }
}

/** Everything that the model was given for the calls of a run, for a person to read. */
export function showHeard(heard: readonly Heard[]): string {
  return heard
    .map(({ purpose, skill = '', text, images }) => `=== ${purpose} ${skill} (${images.length} images)\n${text}\n`)
    .join('\n');
}
