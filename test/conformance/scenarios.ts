/** Runs of the suite: every scenario at the latest revision that has it, then those of one revision each. */
export const RUNS = [[], ['--spec-version', '2025-11-25'], ['--spec-version', '2026-07-28']] as const;

/**
 * Checks that pass with the skills alone, in each of the {@link RUNS}; undefined where a run does not have the scenario, or asks
 * what cannot apply. A run that skips a scenario exits with 0 all the same, so the counts are what tells.
 */
export const APPLICABLE: Readonly<Record<string, readonly (number | undefined)[]>> = {
  caching: [8, undefined, 8],
  'dns-rebinding-protection': [2, 2, 2],
  'http-header-validation': [14, undefined, 14],
  'input-required-result-unsupported-methods': [2, undefined, 2],
  'input-required-result-validate-input': [3, undefined, 3],
  ping: [2, 2, undefined],
  'prompts-list': [2, 2, 2],
  'resources-list': [2, 2, 2],
  'sep-2164-resource-not-found': [4, undefined, 4],
  'sep-2640-skills-directory': [7, undefined, undefined],
  'sep-2640-skills-enumeration': [32, undefined, undefined],
  'sep-2640-skills-manifest': [6, undefined, undefined],
  'server-initialize': [2, 2, undefined],
  // before 2026-07-28 it wants a session
  'server-sse-multiple-streams': [undefined, undefined, 1],
  'tools-list': [3, 3, 4],
};

/** Scenarios that apply in part: checks that pass, and the ids of those that cannot. */
export const PARTIAL: Readonly<
  Record<string, { passed: number; failed: readonly string[]; skipped: readonly string[] }>
> = {
  // four checks call diagnostic tools of the suite's own server; the lists of a pinned catalog never change
  'server-stateless': {
    passed: 24,
    failed: [
      'sep-2575-server-rejects-undeclared-capability',
      'sep-2575-missing-capability-http-400',
      'sep-2575-http-server-no-independent-requests-on-stream',
      'sep-2575-server-no-log-without-loglevel',
    ],
    skipped: [
      'sep-2575-server-sends-prompts-list-changed-on-subscription',
      'sep-2575-server-sends-tools-list-changed-on-subscription',
    ],
  },
};

/**
 * Scenarios that call tools, prompts or resources of the suite's own server by name: checks that pass where a host has them and
 * publishes skills as well.
 */
export const OF_A_HOST: Readonly<Record<string, number>> = {
  'completion-complete': 2,
  'json-schema-2020-12': 8,
  'prompts-get-embedded-resource': 2,
  'prompts-get-simple': 2,
  'prompts-get-with-args': 2,
  'prompts-get-with-image': 2,
  'resources-read-binary': 2,
  'resources-read-text': 2,
  'resources-templates-read': 2,
  'tools-call-audio': 2,
  'tools-call-embedded-resource': 2,
  'tools-call-error': 2,
  'tools-call-image': 2,
  'tools-call-mixed-content': 2,
  'tools-call-simple-text': 2,
  'tools-call-with-progress': 2,
};

const ASKS = 'a tool or prompt that asks the client something: reading a pinned file needs no answer';
const TASKS = 'the Tasks extension, which is not declared: every answer is ready at once';
const SESSIONS = 'sessions and streams over HTTP: each request is answered on its own, in one body';

/** Scenarios that cannot apply, and what each needs that this server does not have. */
export const INAPPLICABLE: Readonly<Record<string, string>> = {
  'elicitation-sep1034-defaults': ASKS,
  'elicitation-sep1330-enums': ASKS,
  'http-custom-header-server-validation': 'a tool whose arguments are mirrored in headers (x-mcp-header)',
  'input-required-result-basic-elicitation': ASKS,
  'input-required-result-basic-list-roots': ASKS,
  'input-required-result-basic-sampling': ASKS,
  'input-required-result-capability-check': ASKS,
  'input-required-result-ignore-extra-params': ASKS,
  'input-required-result-missing-input-response': ASKS,
  'input-required-result-multi-round': ASKS,
  'input-required-result-multiple-input-requests': ASKS,
  'input-required-result-non-tool-request': ASKS,
  'input-required-result-request-state': ASKS,
  'input-required-result-result-type': ASKS,
  'input-required-result-tampered-state': ASKS,
  'logging-set-level': 'the logging capability, which is not declared and deprecated since 2026-07-28',
  'resources-subscribe':
    'subscriptions to resources, which are not declared: files are pinned when the catalog is loaded',
  'resources-unsubscribe':
    'subscriptions to resources, which are not declared: files are pinned when the catalog is loaded',
  'server-session-lifecycle': SESSIONS,
  'server-sse-polling': SESSIONS,
  'tasks-capability-negotiation': TASKS,
  'tasks-dispatch-and-envelope': TASKS,
  'tasks-lifecycle': TASKS,
  'tasks-mrtr-composition': TASKS,
  'tasks-mrtr-input': TASKS,
  'tasks-request-headers': TASKS,
  'tasks-request-state-removal': TASKS,
  'tasks-required-task-error': TASKS,
  'tasks-status-notifications': TASKS,
  'tasks-wire-fields': TASKS,
  'tools-call-elicitation': ASKS,
  'tools-call-sampling': ASKS,
  'tools-call-with-logging': 'the logging capability, which is not declared and deprecated since 2026-07-28',
};
