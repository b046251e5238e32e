import schema from '@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json' with { type: 'json' };
import type { Ajv } from 'ajv';
import Draft04 from 'ajv-draft-04';
import formats from 'ajv-formats';
import { expect, test } from 'vitest';
import { formatJunit } from '../../src/verify/junit.ts';
import { formatReport, formatReportJson } from '../../src/verify/print.ts';
import { formatResults } from '../../src/verify/results.ts';
import type { VerifyReport } from '../../src/verify/verification.ts';

const ajv = new (Draft04 as unknown as typeof Ajv)({ strict: false, allErrors: true, unicodeRegExp: false });
(formats as unknown as (target: Ajv) => void)(ajv);
const validate = ajv.compile(schema);

/** What is looked at in a log. */
interface Run {
  readonly results: readonly {
    readonly ruleId: string;
    readonly level: string;
    readonly locations: readonly {
      readonly physicalLocation: { readonly artifactLocation: { readonly uri: string } };
    }[];
  }[];
  readonly tool: { readonly driver: { readonly rules: readonly { readonly id: string; readonly helpUri: string }[] } };
}

const SKILL = 'skill://alpha/SKILL.md';
const REPORT: VerifyReport = {
  server: { name: 'a\u001b[31mb', version: '1' },
  eras: [
    { era: 'modern', revision: '2026-07-28' },
    { era: 'legacy', revision: '2025-11-25' },
  ],
  skills: 1,
  uris: [SKILL],
  served: [],
  listed: [SKILL],
  files: 2,
  bytes: 1234,
  requests: 20,
  groups: { server: ['declaration', 'listing'], skill: ['entry', 'read', 'directory'] },
  problems: [
    { code: 'page-large', message: 'page 1 of skills/list has 2,000,000 bytes', hint: 'list fewer', eras: ['modern'] },
    { code: 'dynamic', message: 'generated', skill: SKILL, eras: ['modern', 'legacy'] },
    {
      code: 'digest-differs',
      message: 'the digest <is> "other\u202e"',
      skill: SKILL,
      file: 'skill://alpha/a b/[x](y).md',
      eras: ['modern', 'legacy'],
    },
  ],
};
const OPTIONS = { target: 'http://a.example/mcp', isStrict: false };

test('a report for people says where, what and in which revision, with nothing that moves the cursor', () => {
  expect(formatReport(REPORT, OPTIONS)).toBe(`http://a.example/mcp: a\\u{1b}[31mb 1

server: warning: page 1 of skills/list has 2,000,000 bytes (on 2026-07-28) [page-large]
  = hint: list fewer
skill://alpha/SKILL.md: warning: generated [dynamic]
skill://alpha/SKILL.md#a b/[x](y).md: error: the digest <is> "other\\u{202e}" [digest-differs]

1 skill, 2 files and 1,234 bytes verified on 2026-07-28 and 2025-11-25 with 20 requests; 1 error, 2 warnings
`);
});

test('a report with more problems than are printed says how many are left, and why a revision is not spoken', () => {
  const eras = [REPORT.eras[1], { era: 'modern', refused: 'no\u0007' }] as VerifyReport['eras'];
  expect(
    formatReport({ ...REPORT, eras }, { ...OPTIONS, isStrict: true, max: 1 }),
  ).toBe(`http://a.example/mcp: a\\u{1b}[31mb 1
2026-07-28 is not spoken: no\\u{7}

server: error: page 1 of skills/list has 2,000,000 bytes [page-large]
  = hint: list fewer
and 2 more problems

1 skill, 2 files and 1,234 bytes verified on 2025-11-25 with 20 requests; 3 errors, 0 warnings
`);
});

test('a report as JSON has every problem with its severity and eras', () => {
  expect(JSON.parse(formatReportJson(REPORT, OPTIONS))).toEqual({
    version: 1,
    ok: false,
    target: 'http://a.example/mcp',
    server: { name: 'a\u001b[31mb', version: '1' },
    eras: [
      { era: 'modern', revision: '2026-07-28', refused: null },
      { era: 'legacy', revision: '2025-11-25', refused: null },
    ],
    skills: 1,
    files: 2,
    bytes: 1234,
    requests: 20,
    problems: [
      { ...REPORT.problems[0], severity: 'warning' },
      { ...REPORT.problems[1], severity: 'warning' },
      { ...REPORT.problems[2], severity: 'error' },
    ],
  });
});

test('a report as SARIF is valid, and names each place by the URI of the skill and the file', () => {
  const text = formatResults(REPORT, OPTIONS, '1.2.3');
  const log = JSON.parse(text);
  validate(log);
  expect(validate.errors).toBeNull();
  const [sarif]: [Run] = log.runs;
  expect(
    sarif.results.map(({ ruleId, level, locations }) => [
      ruleId,
      level,
      locations[0]?.physicalLocation.artifactLocation.uri,
    ]),
  ).toEqual([
    ['page-large', 'warning', 'http://a.example/mcp'],
    ['dynamic', 'warning', 'skill://alpha/SKILL.md'],
    ['digest-differs', 'error', 'skill://alpha/SKILL.md#a%20b/%5Bx%5D(y).md'],
  ]);
  expect(sarif.tool.driver.rules.map(({ id, helpUri }) => [id, helpUri])).toEqual([
    ['digest-differs', 'https://www.npmjs.com/package/mcp-server-skills#digest-differs'],
    ['dynamic', 'https://www.npmjs.com/package/mcp-server-skills#dynamic'],
    ['page-large', 'https://www.npmjs.com/package/mcp-server-skills#page-large'],
  ]);
  expect(text).not.toContain('\u202e');
});

test('a report as JUnit has a suite for the server and for each skill, and a case for each group of checks', () => {
  expect(formatJunit(REPORT, OPTIONS)).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="mcp-server-skills verify http://a.example/mcp" tests="5" failures="1">
  <testsuite name="server" tests="2" failures="0">
    <testcase classname="server" name="declaration"/>
    <testcase classname="server" name="listing">
      <system-out>server: page 1 of skills/list has 2,000,000 bytes (list fewer) [page-large]</system-out>
    </testcase>
  </testsuite>
  <testsuite name="skill://alpha/SKILL.md" tests="3" failures="1">
    <testcase classname="skill://alpha/SKILL.md" name="entry">
      <system-out>skill://alpha/SKILL.md: generated [dynamic]</system-out>
    </testcase>
    <testcase classname="skill://alpha/SKILL.md" name="read">
      <failure message="the digest &lt;is&gt; &quot;other\\u{202e}&quot;" type="digest-differs">skill://alpha/SKILL.md#a b/[x](y).md: the digest &lt;is&gt; &quot;other\\u{202e}&quot; [digest-differs]</failure>
    </testcase>
    <testcase classname="skill://alpha/SKILL.md" name="directory"/>
  </testsuite>
</testsuites>
`);
});
