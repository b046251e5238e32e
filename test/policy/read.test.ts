import { expect, test } from 'vitest';
import { PolicyError } from '../../src/policy/fault.ts';
import { readPolicy } from '../../src/policy/readpolicy.ts';

const WHOLE = `version: 1
default: none            # for callers that no rule names
groups:
  finance: { tokens: [alice, ci], scopes: [skills:finance], claims: { groups: [fin-*] } }
rules:
  - allow: ["**"]
    to: ["*", anonymous]
    except: ["internal/**"]
  - deny: [billing/payouts]
    to: [finance, token:bob, scope:a:b, "claim:team=x=y"]
`;

test('reads a policy, and JSON as well', () => {
  const policy = readPolicy(WHOLE);
  expect(policy).toEqual({
    fallback: 'none',
    place: { line: 6, column: 3 },
    rules: [
      {
        effect: 'allow',
        patterns: [{ glob: '**', line: 6, column: 13 }],
        except: [{ glob: 'internal/**', line: 8, column: 14 }],
        to: [{ kind: 'everyone' }, { kind: 'anonymous' }],
        line: 6,
      },
      {
        effect: 'deny',
        patterns: [{ glob: 'billing/payouts', line: 9, column: 12 }],
        except: [],
        to: [
          { kind: 'token', name: 'alice' },
          { kind: 'token', name: 'ci' },
          { kind: 'scope', name: 'skills:finance' },
          { kind: 'claim', name: 'groups', pattern: 'fin-*' },
          { kind: 'token', name: 'bob' },
          { kind: 'scope', name: 'a:b' },
          { kind: 'claim', name: 'team', pattern: 'x=y' },
        ],
        line: 9,
      },
    ],
  });
  const json = '{"version":1,"default":"all","rules":[{"allow":["a"],"to":["*"]}]}';
  expect(readPolicy(json)).toMatchObject({ fallback: 'all', rules: [{ line: 1, to: [{ kind: 'everyone' }] }] });
});

const START = 'version: 1\ndefault: none\n';

test.each([
  ['', '1:1: the policy is not a mapping'],
  ['- a', '1:1: the policy is not a mapping'],
  ['default: none\nrules: []', '1:1: the policy has no "version"'],
  ['version: "1"\ndefault: none\nrules: []', '1:10: the "version" is not 1'],
  ['version: 1\nrules: []', '1:1: the policy has no "default"'],
  [
    'version: 1\ndefault: deny\nrules: []',
    '2:10: the "default" is not "none" or "all": it is for callers that no rule names',
  ],
  [START, '1:1: the policy has no "rules"'],
  [`${START}rules: {}`, '3:8: "rules" is not a list'],
  [`${START}roles: []`, '3:8: the policy has no member "roles": it has version, default, groups, rules'],
  [`${START}rules:\n  - to: ["*"]`, '4:5: item 1 of "rules" has neither "allow" nor "deny"'],
  [
    `${START}rules:\n  - allow: [a]\n    deny: [b]\n    to: ["*"]`,
    '5:11: item 1 of "rules" has both "allow" and "deny": make two rules of it',
  ],
  [`${START}rules:\n  - allow: [a]`, '4:5: item 1 of "rules" has no "to"'],
  [`${START}rules:\n  - allow: a\n    to: ["*"]`, '4:12: "allow" is not a list'],
  [`${START}rules:\n  - allow: []\n    to: ["*"]`, '4:12: "allow" is empty'],
  [`${START}rules:\n  - allow: [2]\n    to: ["*"]`, '4:13: item 1 of "allow" is not a string: write "2"'],
  [`${START}rules:\n  - allow: [""]\n    to: ["*"]`, '4:13: item 1 of "allow" is empty'],
  [
    `${START}rules:\n  - allow: [skill://a/SKILL.md]\n    to: ["*"]`,
    '4:13: "skill://a/SKILL.md" is a URI: write the path of the skill, "a"',
  ],
  [`${START}rules:\n  - allow: [a/]\n    to: ["*"]`, '4:13: "a/" begins or ends with a slash: write "a"'],
  [
    `${START}rules:\n  - allow: [a]\n    to: [alice]`,
    '5:10: "alice" is not a group, token:NAME, scope:NAME, claim:NAME=VALUE, anonymous or *; there are no groups',
  ],
  [`${START}groups: { a: {} }\nrules: []`, '3:14: the group "a" has no member'],
  [
    `${START}groups: { "a b": {} }\nrules: []`,
    '3:18: "a b" is not a name for a group: use letters, digits, "_", "." and "-"',
  ],
  [
    `${START}groups: { a: { token: [x] } }\nrules: []`,
    '3:23: "a" has no member "token": it has tokens, scopes, claims',
  ],
  [`${START}rules: &r []\nothers: *r`, '4:9: "others" is an alias: write the value itself'],
  [
    `${START}rules: [`,
    '3:9: not YAML: flow sequence in block collection must be sufficiently indented and end with a ]',
  ],
  [`${START}version: 1\nrules: []`, '3:1: not YAML: map keys must be unique'],
])('refuses %j with its place', (text, message) => {
  let thrown: unknown;
  try {
    readPolicy(text);
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toBeInstanceOf(PolicyError);
  const { line, column, message: said } = thrown as PolicyError;
  expect(`${line}:${column}: ${said}`).toBe(message);
});
