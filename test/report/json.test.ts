import { expect, it } from 'vitest';
import { toProblem } from '../../src/problems.ts';
import { formatProblems } from '../../src/report/format.ts';
import { formatJson } from '../../src/report/json.ts';

const problem = toProblem({
  code: 'name-mismatch',
  path: 'b/SKILL.md',
  line: 2,
  column: 7,
  length: 3,
  message: 'wrong',
  hint: 'write b',
  skill: 'skill://b/SKILL.md',
});
const warning = toProblem({ code: 'hidden-skipped', path: 'a', message: 'skipped' });
const skillA = { uri: 'skill://a/SKILL.md', path: 'a', name: 'a', files: 3, bytes: 1234, digest: 'sha256:00' };
const skillB = { uri: 'skill://b/SKILL.md', path: 'b', name: null, files: 1, bytes: 10, digest: null };
const skills = [
  { ...skillB, published: false },
  { ...skillA, published: true },
];

it('prints the object that others rely on, key by key', () => {
  const text = formatJson({ roots: [{ path: 'skills', prefix: '' }], skills, problems: [problem, warning, problem] });
  expect(text).toBe(`{
  "version": 1,
  "ok": false,
  "roots": [
    {
      "path": "skills",
      "prefix": ""
    }
  ],
  "skills": [
    {
      "uri": "skill://a/SKILL.md",
      "path": "a",
      "name": "a",
      "files": 3,
      "bytes": 1234,
      "digest": "sha256:00",
      "published": true
    },
    {
      "uri": "skill://b/SKILL.md",
      "path": "b",
      "name": null,
      "files": 1,
      "bytes": 10,
      "digest": null,
      "published": false
    }
  ],
  "problems": [
    {
      "code": "hidden-skipped",
      "severity": "warning",
      "path": "a",
      "message": "skipped"
    },
    {
      "code": "name-mismatch",
      "severity": "error",
      "path": "b/SKILL.md",
      "line": 2,
      "column": 7,
      "length": 3,
      "message": "wrong",
      "hint": "write b",
      "skill": "skill://b/SKILL.md"
    }
  ],
  "summary": {
    "skills": 2,
    "published": 1,
    "errors": 1,
    "warnings": 1
  }
}
`);
});

it('is ok where only warnings are left', () => {
  expect(JSON.parse(formatProblems([warning], { format: 'json' }))).toEqual({
    version: 1,
    ok: true,
    roots: [],
    skills: [],
    problems: [warning],
    summary: { skills: 0, published: 0, errors: 0, warnings: 1 },
  });
});

it('counts what max leaves out', () => {
  const { problems, summary } = JSON.parse(
    formatJson({ roots: [], skills: [], problems: [problem, warning] }, { max: 1 }),
  );
  expect({ problems, summary }).toEqual({
    problems: [problem],
    summary: { skills: 0, published: 0, errors: 1, warnings: 1 },
  });
});

it('escapes hidden characters without changing a value', () => {
  const message = 'a\u001b[31m\u009b\u202e\u{e0061}\ud800\u2028é値👩';
  const text = formatProblems([{ ...problem, message }], { format: 'json' });
  expect(text).toContain(String.raw`"a\u001b[31m\u009b\u202e\udb40\udc61\ud800\u2028é値👩"`);
  expect(JSON.parse(text).problems[0].message).toBe(message);
});

it('holds no command to a GitHub workflow that logs it', () => {
  const message = '##[add-mask]x';
  const text = formatProblems([{ ...problem, message }], { format: 'json' });
  expect(text).toContain(String.raw`"##\u005badd-mask]x"`);
  expect(JSON.parse(text).problems[0].message).toBe(message);
});
