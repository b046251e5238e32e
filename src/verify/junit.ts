// A report as JUnit XML, which CI systems show as tests.
import { escapeText } from '../text/escape.ts';
import { CHECKS, type CheckGroup, type Fault } from './checks.ts';
import { type PrintOptions, severityOf, toPlace } from './print.ts';
import type { VerifyReport } from './verification.ts';

/** A suite for the server and one for each skill, each with a test case for each group of checks. */
export function formatJunit({ uris, problems, groups }: VerifyReport, { isStrict, target }: PrintOptions): string {
  const names = [...new Set([...uris, ...problems.flatMap(({ skill }) => skill ?? [])])].sort();
  const suites = [
    toSuite(
      'server',
      groups.server,
      problems.filter(({ skill }) => skill === undefined),
    ),
    ...names.map((name) =>
      toSuite(
        name,
        groups.skill,
        problems.filter(({ skill }) => skill === name),
      ),
    ),
  ];
  const count = (of: (suite: Suite) => number) => suites.reduce((sum, suite) => sum + of(suite), 0);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name=${quote(`mcp-server-skills verify ${target}`)} tests="${count(({ tests }) => tests)}" failures="${count(({ failures }) => failures)}">`,
    ...suites.flatMap(({ lines }) => lines),
    '</testsuites>',
    '',
  ].join('\n');

  function toSuite(name: string, groups: readonly CheckGroup[], faults: readonly Fault[]): Suite {
    const found = new Set<CheckGroup>([...groups, ...faults.map(({ code }) => CHECKS[code].group)]);
    const cases = [...found].map((group) =>
      toCase(
        name,
        group,
        faults.filter(({ code }) => CHECKS[code].group === group),
      ),
    );
    const failures = cases.filter(({ isFailed }) => isFailed).length;
    return {
      tests: cases.length,
      failures,
      lines: [
        `  <testsuite name=${quote(name)} tests="${cases.length}" failures="${failures}">`,
        ...cases.flatMap(({ lines }) => lines),
        '  </testsuite>',
      ],
    };
  }

  function toCase(suite: string, group: CheckGroup, faults: readonly Fault[]): { isFailed: boolean; lines: string[] } {
    const errors = faults.filter((fault) => severityOf(fault, isStrict) === 'error');
    const others = faults.filter((fault) => severityOf(fault, isStrict) !== 'error');
    const describe = (fault: Fault) => {
      const hint = fault.hint === undefined ? '' : ` (${fault.hint})`;
      return `${toPlace(fault, 'server')}: ${fault.message}${hint} [${fault.code}]`;
    };
    const head = `    <testcase classname=${quote(suite)} name="${group}"`;
    if (faults.length === 0) return { isFailed: false, lines: [`${head}/>`] };
    const failure = `      <failure message=${quote(errors[0]?.message ?? '')} type="${errors[0]?.code}">`;
    return {
      isFailed: errors.length > 0,
      lines: [
        `${head}>`,
        ...(errors.length === 0 ? [] : [`${failure}${escapeXml(errors.map(describe).join('\n'))}</failure>`]),
        ...(others.length === 0
          ? []
          : [`      <system-out>${escapeXml(others.map(describe).join('\n'))}</system-out>`]),
        '    </testcase>',
      ],
    };
  }
}

interface Suite {
  readonly tests: number;
  readonly failures: number;
  readonly lines: readonly string[];
}

function quote(text: string): string {
  return `"${escapeXml(text).replaceAll('\n', ' ')}"`;
}

/** Text as XML 1.0 holds it: what it cannot hold was escaped for the terminal before. */
function escapeXml(text: string): string {
  return text
    .split('\n')
    .map(escapeText)
    .join('\n')
    .replace(/[\ufffe\uffff]/g, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
