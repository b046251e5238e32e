import { expect, test } from 'vitest';
import { loadSkills } from '../../src/load.ts';
import { measureSkill } from '../../src/mcp/methods.ts';
import { EXAMPLE } from '../command.ts';
import { makeTree, skillMd } from '../tree.ts';

test('an entry is measured for its page as JSON has it, to the byte', async () => {
  const made = makeTree({
    'one/SKILL.md': skillMd('one'),
    'two/SKILL.md': '---\nname: two\ndescription: "Zwölf \\"Boxkämpfer\\" \\t 拳闘 🥊"\nlist: [1, null, {a: b}]\n---\n',
    'two/empty.txt': '',
    'two/deep/data.bin': Buffer.alloc(123_456),
  });
  const { skills } = await loadSkills([EXAMPLE, made], { invalid: 'fail' });
  expect(skills.length).toBeGreaterThan(3);
  for (const skill of skills) {
    expect([skill.uri, measureSkill(skill)]).toEqual([skill.uri, Buffer.byteLength(JSON.stringify(skill))]);
  }
});
