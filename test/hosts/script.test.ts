import { expect, test } from 'vitest';
import { judgeImage, judgeList, judgeLoad, judgeNames, judgeScript } from './judge.ts';
import type { OfferedTool, Prompt, Turn } from './model.ts';
import { createScript, type Heard, list, load } from './script.ts';
import { IMAGE_DATA, NAMES, PASSAGE, SCRIPT_TEXT, toMark } from './skills.ts';

/** Where the rules begin, in a passage with rules. */
const CUT = PASSAGE.length + 1;
const OURS = ['skill_list', 'skill_load', 'skill_file'].map((name) => toTool(`skills-${name}`));

test('asks once more where a list fails', () => {
  const script = createScript(list());
  const turns = [[], ['the catalog changed'], ['the catalog changed', 'bookbinding and others']].map((answers) =>
    show(script.model(toPrompt(OURS, answers))),
  );
  expect(turns).toEqual(['skills-skill_list {}', 'skills-skill_list {}', 'That is all.']);
  expect(judgeList({ script })).toBe('failed once, then 1 of 4');
});

test('reads on from the offset that an answer says', () => {
  const script = createScript(load('harbour-rules'));
  const more = 'Go on with skill_file, paths ["SKILL.md"] and offset 17000: bytes 0 to 17000 are here.';
  const turns = [[], [more], [more, '{"nextOffset":34000}'], [more, '{"nextOffset":34000}', 'the end']].map((answers) =>
    show(script.model(toPrompt(OURS, answers))),
  );
  const read = (offset: number) =>
    `skills-skill_file ${JSON.stringify({ skill: 'harbour-rules', paths: ['SKILL.md'], offset })}`;
  expect(turns).toEqual(['skills-skill_load {"skill":"harbour-rules"}', read(17000), read(34000), 'That is all.']);
});

test('searches for tools that are not offered yet, by the names that the host says', () => {
  const script = createScript(list());
  const search = toTool('ToolSearch');
  const text = 'deferred: mcp__skills__skill_load, mcp__skills__skill_list';
  const found = 'select:mcp__skills__skill_load,mcp__skills__skill_list';
  expect(show(script.model(toPrompt([search], [], text)))).toBe(`ToolSearch ${JSON.stringify({ query: found })}`);
  const next = script.model(toPrompt([search, ...OURS], ['found'], text));
  expect(show(next)).toBe('skills-skill_list {}');
});

test('calls what it found through the tool that some hosts have for that', () => {
  const script = createScript(list());
  const tools = [toTool('tool_search'), toTool('tool_call')];
  const text = 'deferred: mcp__skills__skill_list';
  script.model(toPrompt(tools, [], text));
  const turn = script.model(toPrompt(tools, ['found'], text));
  expect(show(turn)).toBe('tool_call {"name":"mcp__skills__skill_list","arguments":{}}');
});

test('says the same again where a host asks again without an answer', () => {
  const script = createScript(list());
  const prompt = toPrompt(OURS, []);
  expect(script.model(prompt)).toEqual(script.model(prompt));
});

test('stops where the host has no such tool', () => {
  expect(createScript(list()).model(toPrompt([toTool('bash')], []))).toEqual({ text: 'That is all.' });
});

test('says where the names of the skills are, and how much of the instructions', () => {
  const instructions = `This server publishes skills for particular kinds of task. ${NAMES.join(', ')}`;
  const wire = [`server ${JSON.stringify({ result: { instructions } })}`];
  const judge = (text: string, description: string) => {
    const script = createScript(list());
    script.model(toPrompt([{ name: 'skill_list', description }], [], text));
    return judgeNames({ script, wire });
  };
  expect(judge(instructions.replaceAll(' ', '\n  '), '')).toBe('instructions');
  expect(judge('bookbinding/', NAMES.join(', '))).toBe('descriptions');
  expect(judge(instructions.slice(0, instructions.indexOf(',')), '')).toBe(
    'instructions (1 of 4), the first 70 characters',
  );
  expect(judge('', '')).toBe('**none**');
  expect(judge('bookbinding', NAMES.join(', '))).toBe('instructions (1 of 4) and descriptions');
});

test.each([
  ['whole', (text: string) => [text]],
  ['whole, 2 parts', (text: string) => [text.slice(0, CUT), text.slice(CUT)]],
  ['whole, **as JSON**', (text: string) => [JSON.stringify(text)]],
  ['whole, **twice**', (text: string) => [text + JSON.stringify(text)]],
  ['whole, 2 parts, **twice**', (text: string) => [text, text.slice(CUT + 17)]],
  ['**19 of 20 rules**', (text: string) => [text.replace(toMark(7), '…')]],
])('says of a SKILL.md that it came %s', (cell, give) => {
  const rules = Array.from({ length: 20 }, (_, index) => toMark(index + 1)).join('\n');
  const heard = give(`${PASSAGE}\n${rules}`).map(
    (text): Heard => ({ purpose: 'load', skill: 'bookbinding', text, images: [] }),
  );
  expect(judgeLoad(toRun(heard), 'bookbinding')).toBe(cell);
});

test.each([
  ['image', '', [IMAGE_DATA]],
  ['**base64 as text**', IMAGE_DATA, []],
  ['**not at all**', 'an image', []],
])('says of an image that it came as: %s', (cell, text, images) => {
  expect(judgeImage(toRun([{ purpose: 'image', text, images }]))).toBe(cell);
});

test.each([
  ['whole', SCRIPT_TEXT],
  ['whole, **as JSON**', JSON.stringify(SCRIPT_TEXT)],
  ['**not whole**', SCRIPT_TEXT.slice(0, 30)],
])('says of a script that it came %s', (cell, text) => {
  expect(judgeScript(toRun([{ purpose: 'script', text, images: [] }]))).toBe(cell);
});

function toTool(name: string): OfferedTool {
  return { name, description: '' };
}

/** A request of a host that has these answers to the calls so far, in their order. */
function toPrompt(tools: readonly OfferedTool[], answers: readonly string[], text = ''): Prompt {
  const toId = (index: number) => `call_${String(index + 1).padStart(4, '0')}`;
  return { text, tools, answers: answers.map((each, index) => ({ id: toId(index), text: each })), images: [] };
}

function show(turn: Turn): string {
  return 'text' in turn ? turn.text : `${turn.call.tool.name} ${JSON.stringify(turn.call.args)}`;
}

function toRun(heard: readonly Heard[]): Parameters<typeof judgeImage>[0] {
  return { script: { heard, prompts: [], model: () => ({ text: '' }) } };
}
