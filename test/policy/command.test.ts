import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../command.ts';
import { makeTree, skillMd } from '../tree.ts';

const POLICY = `version: 1
default: none
rules:
  - allow: ["**", "gone/*"]
    to: ["*"]
    except: ["internal/**"]
  - deny: [open]
    to: ["token:ci"]
`;
const ROOT = makeTree({
  'skills/internal/hr/SKILL.md': skillMd('hr'),
  'skills/open/SKILL.md': skillMd('open'),
  'skills/other/SKILL.md': skillMd('other'),
  'policy.yaml': POLICY,
  'bad.yaml': 'version: 1\ndefault: none\nrules:\n  - allow: [a]\n    to: [b]\n',
});

const explain = (...args: string[]) => run(['policy', 'explain', ...args, './skills'], { cwd: ROOT });

test('prints what a caller sees, and why', async () => {
  expect(await explain('--policy', 'policy.yaml', '--as', 'token:ci', '--as', 'scope:x')).toEqual({
    status: 0,
    stdout: [
      'token:ci with scope:x sees 1 of 3 skills',
      '- internal/hr: no rule allows it',
      '- open: denied by the rule at policy.yaml:7',
      '+ other: allowed by the rule at policy.yaml:4',
      '',
    ].join('\n'),
    stderr: 'policy.yaml:4:19: warning: "gone/*" matches no skill\n',
  });
});

test('a pattern that matches nothing is an error under --strict', async () => {
  const { status, stderr } = await explain('--policy', 'policy.yaml', '--strict');
  expect([status, stderr]).toEqual([1, 'policy.yaml:4:19: error: "gone/*" matches no skill\n']);
});

test.each([
  [
    ['--policy', 'bad.yaml'],
    2,
    'bad.yaml:5:10: "b" is not a group, token:NAME, scope:NAME, claim:NAME=VALUE, anonymous or *; there are no groups',
  ],
  [['--policy', 'none.yaml'], 2, '"none.yaml" cannot be read: ENOENT'],
  [
    ['--policy', 'policy.yaml', '--as', 'ci'],
    2,
    '--as takes token:NAME, scope:NAME, claim:NAME=VALUE or anonymous, not "ci"',
  ],
  [
    ['--policy', 'policy.yaml', '--as', 'token:a', '--as', 'token:b'],
    2,
    'a caller has one token: give --as token:NAME once',
  ],
  [
    ['--policy', 'policy.yaml', '--as', 'token:a', '--as', 'anonymous'],
    2,
    'an anonymous caller has no token, scope or claim',
  ],
])('refuses %j', async (args, status, message) => {
  expect(await explain(...args)).toEqual({ status, stdout: '', stderr: `mcp-server-skills: ${message}\n` });
});

test('needs a policy', async () => {
  const { status, stderr } = await run(['policy', 'explain', join(ROOT, 'skills')]);
  expect([status, stderr.split('\n')[0]]).toEqual([2, "error: required option '--policy <file>' not specified"]);
});
