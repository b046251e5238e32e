import schema from '@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json' with { type: 'json' };
import type { Ajv } from 'ajv';
import Draft04 from 'ajv-draft-04';
import formats from 'ajv-formats';
import { expect, it } from 'vitest';
import { say } from '../../src/messages/say.ts';
import { CODES, type Problem, type ProblemCode, toProblem } from '../../src/problems.ts';
import { formatProblems } from '../../src/report/format.ts';
import { formatSarif, type SarifOptions } from '../../src/report/sarif.ts';

const ajv = new (Draft04 as unknown as typeof Ajv)({ strict: false, allErrors: true, unicodeRegExp: false });
(formats as unknown as (target: Ajv) => void)(ajv);
const validate = ajv.compile(schema);

/** The log of problems, after the published schema has accepted it. */
function toLog(problems: readonly Problem[], options: SarifOptions = {}) {
  const log = JSON.parse(formatSarif(problems, options));
  validate(log);
  expect(validate.errors).toBeNull();
  return log;
}

const toLocations = (problems: readonly Problem[], base: string) =>
  toLog(problems, { base }).runs[0].results.map(
    (result: { locations: { physicalLocation: unknown }[] }) => result.locations[0]?.physicalLocation,
  );

it('prints one run with rules and results', () => {
  const problems = [
    toProblem({
      code: 'name-mismatch',
      path: 'b/SKILL.md',
      line: 2,
      column: 7,
      length: 3,
      message: 'name "foo" is not the folder\'s name "b"',
      hint: 'write\nname: b',
      skill: 'skill://b/SKILL.md',
    }),
    toProblem({ code: 'hidden-skipped', path: 'a', message: 'skipped', skill: 'skill://x/a/SKILL.md' }),
  ];
  expect(toLog(problems, { base: './skills', version: '1.2.3' })).toEqual({
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'mcp-server-skills',
            semanticVersion: '1.2.3',
            informationUri: 'https://www.npmjs.com/package/mcp-server-skills',
            rules: [
              {
                id: 'hidden-skipped',
                shortDescription: { text: 'Files left out because their names begin with a dot.' },
                fullDescription: { text: 'Files left out because their names begin with a dot.' },
                help: {
                  text: 'Files left out because their names begin with a dot. More: mcp-server-skills check --explain hidden-skipped',
                  markdown:
                    'Files left out because their names begin with a dot. More: `mcp-server-skills check --explain hidden-skipped`',
                },
                helpUri: 'https://www.npmjs.com/package/mcp-server-skills#hidden-skipped',
                defaultConfiguration: { level: 'warning' },
                properties: { precision: 'very-high', 'problem.severity': 'warning', tags: ['agent-skills'] },
              },
              {
                id: 'name-mismatch',
                shortDescription: { text: "The name is not the folder's name." },
                fullDescription: { text: "The name is not the folder's name." },
                help: {
                  text: "The name is not the folder's name. More: mcp-server-skills check --explain name-mismatch",
                  markdown:
                    "The name is not the folder's name. More: `mcp-server-skills check --explain name-mismatch`",
                },
                helpUri: 'https://www.npmjs.com/package/mcp-server-skills#name-mismatch',
                defaultConfiguration: { level: 'error' },
                properties: { precision: 'very-high', 'problem.severity': 'error', tags: ['agent-skills'] },
              },
            ],
          },
        },
        columnKind: 'utf16CodeUnits',
        results: [
          {
            ruleId: 'hidden-skipped',
            ruleIndex: 0,
            level: 'warning',
            message: { text: 'skipped' },
            locations: [
              { physicalLocation: { artifactLocation: { uri: 'skills/a/SKILL.md' }, region: { startLine: 1 } } },
            ],
            partialFingerprints: { 'skillProblem/v2': expect.stringMatching(/^[0-9a-f]{32}:1$/) },
          },
          {
            ruleId: 'name-mismatch',
            ruleIndex: 1,
            level: 'error',
            message: { text: 'name "foo" is not the folder\'s name "b"\nhint: write\nname: b' },
            locations: [
              {
                physicalLocation: {
                  artifactLocation: { uri: 'skills/b/SKILL.md' },
                  region: { startLine: 2, startColumn: 7, endColumn: 10 },
                },
              },
            ],
            partialFingerprints: { 'skillProblem/v2': expect.stringMatching(/^[0-9a-f]{32}:1$/) },
          },
        ],
      },
    ],
  });
});

it('validates with every code, and with none', () => {
  const codes = Object.keys(CODES) as ProblemCode[];
  const log = toLog(codes.map((code, at) => toProblem({ code, path: '.', line: at + 1, column: 1, message: code })));
  expect(log.runs[0].results).toHaveLength(codes.length);
  expect(log.runs[0].tool.driver.rules).toHaveLength(codes.length);
  expect(toLog([]).runs[0].results).toEqual([]);
});

it('escapes paths as relative URIs', () => {
  const path = 'my notes/100%/説.md/a:b?#[x]\\\ud800';
  expect(toLocations([toProblem({ code: 'path-characters', path, message: 'm' })], 'x/./y z/')).toEqual([
    {
      artifactLocation: { uri: 'x/y%20z/my%20notes/100%25/%E8%AA%AC.md/a%3Ab%3F%23%5Bx%5D%5C%EF%BF%BD' },
      region: { startLine: 1 },
    },
  ]);
});

it.each([
  ['skills', 'skills'],
  ['', '.'],
  ['../other', '../other'],
  ['/srv/skills', 'file:///srv/skills'],
  ['C:/my skills', 'file:///C:/my%20skills'],
])('points at the root %j', (base, uri) => {
  expect(toLocations([toProblem({ code: 'root-empty', path: '.', message: 'empty' })], base)).toEqual([
    { artifactLocation: { uri }, region: { startLine: 1 } },
  ]);
});

it('shows an empty place and one without a length', () => {
  const at = { code: 'name-missing', path: 'a/SKILL.md', line: 4, column: 9, message: 'none' } as const;
  expect(toLocations([toProblem(at), toProblem({ ...at, length: 0, hint: 'x' })], '')).toEqual([
    { artifactLocation: { uri: 'a/SKILL.md' }, region: { startLine: 4, startColumn: 9 } },
    { artifactLocation: { uri: 'a/SKILL.md' }, region: { startLine: 4, startColumn: 9, endColumn: 9 } },
  ]);
});

it('lets nothing in a message be hidden, a placeholder or a link', () => {
  const message = 'value "\u202e\u001b[0m {0} {a} [click](https://x.example) [b]"';
  const log = toLog([toProblem({ code: 'hidden-text', path: 'a/SKILL.md', message })]);
  expect(log.runs[0].results[0].message.text).toBe(
    String.raw`value "\u{202e}\u{1b}[0m {{0}} {a} \[click](https://x.example) [b]"`,
  );
});

it('tells strings with numbers in them apart', () => {
  const toPrint = (target: string) => {
    const problem = toProblem({ ...say('broken-link/outside', { target }), path: 'a/SKILL.md' });
    return toLog([problem]).runs[0].results[0].partialFingerprints['skillProblem/v2'];
  };
  expect(toPrint('guide-1.md')).not.toBe(toPrint('guide-2.md'));
});

it('gives a problem the same fingerprint when its line, a count, its wording or its hint changes, and twins two', () => {
  const toPrints = (lines: number[], changed: Partial<Problem> = {}) =>
    toLog(
      lines.map((line) => {
        const said = say('duplicate-key', { key: 'a2', first: 1, second: line });
        return toProblem({ ...said, path: 'a/SKILL.md', line, ...changed });
      }),
    ).runs[0].results.map(
      (result: { partialFingerprints: Record<string, string> }) => result.partialFingerprints['skillProblem/v2'],
    );
  const [first, second] = toPrints([3, 9]);
  expect(toPrints([30, 90])).toEqual([first, second]);
  expect(toPrints([3, 9], { message: 'other words', hint: 'another hint' })).toEqual([first, second]);
  expect(second).toBe(first.replace(/:1$/, ':2'));
});

it('takes help from the caller, severity from the problem, and stops at max', () => {
  const strict = { ...toProblem({ code: 'number-shape', path: 'a', message: 'm' }), severity: 'error' as const };
  const options = { max: 1, helpOf: (code: ProblemCode) => `# ${code}` };
  const { results, tool } = toLog([strict, toProblem({ code: 'symlink', path: 'b', message: 'm' })], options).runs[0];
  expect(results.map((result: { level: string }) => result.level)).toEqual(['error']);
  expect(tool.driver.rules.map((rule: { help: unknown }) => rule.help)).toEqual([
    { text: '# number-shape', markdown: '# number-shape' },
  ]);
});

it('is what formatProblems prints', () => {
  const problem = toProblem({ code: 'symlink', path: 'b', message: 'm' });
  expect(formatProblems([problem], { format: 'sarif', version: '1.0.0' })).toBe(
    formatSarif([problem], { version: '1.0.0' }),
  );
});
