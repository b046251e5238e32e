import { expect, test } from 'vitest';
import { judgeSkillFile } from '../../src/judge/skill.ts';
import { editSkillFile } from '../../src/repair/edit.ts';
import { applyEdits } from '../../src/yaml/edits.ts';
import { sameMeaning } from './seen.ts';

/** A seeded generator (mulberry32), so that a failure can be repeated. */
function toRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const WORDS =
  'yes no on off Yes NO y n true TRUE null Null ~ 2026-10-12 2026-10-12T10:00:00Z 12:30 1:2:3 0755 0o17 0x1F 0b1 1_000 1.10 1e3 +1 .5 5. .inf -.inf .NaN 12345678901234567890 -0 = << 1,000 :sym ?x - text a#b "q" \'s\' "\\u00e9" "\\ud83d\\ude00" "a\\/b" é 中文 🚀'.split(
    ' ',
  );
const TOOLS = [
  '[Read, Grep]',
  '["Bash(git:*)", Read]',
  '\n  - Read\n  - Grep',
  '\n- Read',
  '[Read] # only',
  'Read Grep',
];
const BLOCKS = ['|\n  one\n  two', '>\n  one\n  two\n', '|+\n  one\n\n', '>-\n  yes', '|-\n  text'];

function makeSkillMd(random: () => number): string {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const maybe = (chance: number, text: string): string => (random() < chance ? text : '');
  const plain = () => pick(WORDS);
  const value = () => (random() < 0.7 ? plain() : `${plain()} ${plain()}`);
  const fields: (() => string)[] = [
    () => `key-${Math.floor(random() * 1e6)}: ${value()}${maybe(0.2, '  # why')}`,
    () => `# ${value()}`,
    () => `list-${Math.floor(random() * 1e6)}:\n  - ${value()}\n  - ${value()}`,
    () => `flow-${Math.floor(random() * 1e6)}: [${plain()}, ${plain()}]`,
    () => `${plain()}: ${value()}`,
  ];
  const lines = [
    `name: ${pick(['a', '"a"', 'b', 'yes', 'A B', '123'])}${maybe(0.2, ' # the name')}`,
    `description: ${maybe(0.3, value()) || 'Does what it says.'}`,
    ...Array.from({ length: Math.floor(random() * 4) }, () => pick(fields)()),
    ...(random() < 0.5 ? [`metadata:\n  k1: ${value()}\n  k2: ${value()}${maybe(0.3, ' # meta')}`] : []),
    ...(random() < 0.4 ? [`allowed-tools: ${pick(TOOLS)}`.replace(': \n', ':\n')] : []),
    ...(random() < 0.5 ? [`last: ${pick(BLOCKS)}`] : []),
  ];
  const fence = () => `${maybe(0.05, ' ')}---${maybe(0.15, pick([' ', '\t', '   ']))}`;
  const text = `${maybe(0.15, '\ufeff')}${fence()}\n${lines.join('\n')}\n---${maybe(0.15, '  ')}\n\n# Body\n\nyes: 0755  \n`;
  return random() < 0.3 ? text.replaceAll('\n', '\r\n') : text;
}

const skill = { uri: 'skill://a/SKILL.md', path: 'a', name: 'a', skillFile: 'SKILL.md', problems: [] };
const isSafe = ({ side }: { side?: string }) => side === undefined;

test('what the author sees stays the value, and a second run finds nothing to do', () => {
  let repaired = 0;
  for (let seed = 1; seed <= 1200; seed++) {
    const before = makeSkillMd(toRandom(seed));
    const edited = editSkillFile(skill, before, isSafe);
    expect([seed, before, edited === undefined]).toEqual([seed, before, false]);
    if (edited === undefined || edited.text === before) continue;
    repaired++;
    const again = editSkillFile(skill, edited.text, isSafe);
    expect([seed, again?.text, again?.repaired]).toEqual([seed, edited.text, []]);
    const left = judgeSkillFile(skill, Buffer.from(edited.text)).repairs.filter(isSafe);
    expect([seed, left]).toEqual([seed, []]);
    expect([seed, before, edited.text, sameMeaning(before, edited.text)]).toEqual([seed, before, edited.text, true]);
  }
  expect(repaired).toBeGreaterThan(900);
});

test('every byte outside of the edits stays, and --fix=name touches nothing but the name', () => {
  for (let seed = 1; seed <= 600; seed++) {
    const before = makeSkillMd(toRandom(seed));
    const { repairs } = judgeSkillFile(skill, Buffer.from(before));
    for (const { edits = [] } of repairs) {
      const after = applyEdits(before, edits);
      let from = 0;
      let at = 0;
      for (const edit of [...edits].sort((a, b) => a.start - b.start)) {
        const kept = before.slice(from, edit.start);
        expect([seed, after.slice(at, at + kept.length)]).toEqual([seed, kept]);
        at += kept.length;
        expect([seed, after.slice(at, at + edit.text.length)]).toEqual([seed, edit.text]);
        at += edit.text.length;
        from = edit.end;
      }
      expect([seed, after.slice(at)]).toEqual([seed, before.slice(from)]);
    }
    const named = editSkillFile(skill, before, ({ side }) => side === 'name');
    const others = (text: string) => text.replace(/^name: .*$/m, '');
    expect([seed, others(named?.text ?? '')]).toEqual([seed, others(before)]);
  }
});
