import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { localhostHostValidation, localhostOriginValidation, toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { afterAll, expect, it } from 'vitest';
import { serveHttp } from '../../src/http/listen.ts';
import { publishCatalog } from '../../src/http/publication.ts';
import { loadSkills } from '../../src/load.ts';
import { createInstance } from '../../src/mcp/instance.ts';
import { publishSkills } from '../../src/mcp/server.ts';
import { EXAMPLE } from '../command.ts';
import { runScenario, runSuite, type Verdict } from './conformance.ts';
import { createReference } from './reference.ts';
import { APPLICABLE, INAPPLICABLE, OF_A_HOST, PARTIAL, RUNS } from './scenarios.ts';

const OPTIONS = { tools: 'auto', prompts: true, instructions: true } as const;
const servers: { close(): unknown }[] = [];
afterAll(() => Promise.all(servers.map((server) => server.close())));

async function listen(createMcp: Parameters<typeof createMcpHandler>[0]): Promise<string> {
  const [isHost, isOrigin] = [localhostHostValidation(), localhostOriginValidation()];
  const answer = toNodeHandler(createMcpHandler(createMcp)) as RequestListener;
  const server = createServer((request, response) => {
    if (isHost(request, response) && isOrigin(request, response)) answer(request, response);
  }).listen(0, '127.0.0.1');
  servers.push(server);
  await new Promise((resolve) => server.once('listening', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

const catalog = await loadSkills(EXAMPLE);
const command = await serveHttp({
  publish: publishCatalog(catalog, () => createInstance({ name: 'conformance', version: '1.0.0' }, catalog, OPTIONS)),
  port: 0,
  log: 'off',
  stderr: process.stderr,
});
servers.push(command);
const beside = await listen(() => {
  const server = createReference();
  publishSkills(server, catalog, OPTIONS);
  return server;
});

it.each(RUNS.map((options, run) => ({ options, run })))(
  'passes what applies with $options',
  async ({ options, run }) => {
    const verdicts = await runSuite(command.url, ['--suite', 'all', ...options]);
    const applicable = Object.entries(APPLICABLE).flatMap(([scenario, counts]) => {
      const passed = counts[run];
      return passed === undefined ? [] : [[scenario, { passed, failed: [], skipped: [] }] as const];
    });
    const isApplicable = ([scenario]: readonly [string, Verdict]) => APPLICABLE[scenario]?.[run] !== undefined;
    expect(Object.fromEntries([...verdicts].filter(isApplicable))).toEqual(Object.fromEntries(applicable));
    for (const [scenario, expected] of Object.entries(PARTIAL)) {
      const verdict = verdicts.get(scenario);
      if (verdict === undefined) continue;
      const toIds = (checks: readonly string[]) => checks.map((check) => check.split(':')[0]);
      expect({ ...verdict, failed: toIds(verdict.failed), skipped: toIds(verdict.skipped) }).toEqual(expected);
    }
  },
);

// without --force the suite leaves these out on this revision, and exits with 0
it.each([
  ['sep-2640-skills-enumeration', 30, 2],
  ['sep-2640-skills-manifest', 6, 0],
  ['sep-2640-skills-directory', 7, 0],
])('%s passes %i checks on 2025-11-25 too', async (scenario, count, skipped) => {
  const verdict = await runScenario(command.url, scenario, ['--spec-version', '2025-11-25', '--force']);
  expect([verdict.passed, verdict.failed, verdict.skipped.length]).toEqual([count, [], skipped]);
});

it('knows of every scenario why it does not apply, and none that does not apply is green', async () => {
  const verdicts = await runSuite(command.url, ['--suite', 'all']);
  const known = [APPLICABLE, PARTIAL, OF_A_HOST, INAPPLICABLE].flatMap((table) => Object.keys(table));
  expect([...verdicts.keys()].sort()).toEqual(known.sort());
  for (const scenario of [...Object.keys(OF_A_HOST), ...Object.keys(INAPPLICABLE)]) {
    const { passed = 0, failed = [], skipped = [] } = verdicts.get(scenario) ?? {};
    expect({ scenario, isGreen: passed > 0 && failed.length + skipped.length === 0 }).toEqual({
      scenario,
      isGreen: false,
    });
  }
});

it.each(RUNS.map((options) => ({ options })))('leaves what a host has as it is with $options', async ({ options }) => {
  const verdicts = await runSuite(beside, ['--suite', 'all', ...options]);
  const ran = [...verdicts].filter(([scenario]) => scenario in OF_A_HOST);
  expect(ran).toHaveLength(Object.keys(OF_A_HOST).length);
  for (const [scenario, verdict] of ran) {
    expect({ scenario, ...verdict }).toEqual({ scenario, passed: OF_A_HOST[scenario], failed: [], skipped: [] });
  }
  for (const scenario of ['tools-list', 'prompts-list', 'resources-list', 'caching', 'sep-2640-skills-enumeration']) {
    expect({ scenario, failed: verdicts.get(scenario)?.failed ?? [] }).toEqual({ scenario, failed: [] });
  }
});
