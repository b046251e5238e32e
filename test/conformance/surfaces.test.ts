import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { localhostHostValidation, localhostOriginValidation, toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { afterAll, expect, it } from 'vitest';
import { loadSkills } from '../../src/catalog/load.ts';
import { publishSkills } from '../../src/mcp/server.ts';
import { createInstance } from '../../src/serve/instance.ts';
import { EXAMPLE } from '../command.ts';
import { runSuite, type Verdict } from './conformance.ts';
import { createReference } from './reference.ts';
import { APPLICABLE, INAPPLICABLE, OF_A_HOST, PARTIAL, RUNS } from './scenarios.ts';

const OPTIONS = { tools: 'auto', prompts: true, instructions: true } as const;
const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) server.close();
});

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
const alone = await listen(() => createInstance({ name: 'conformance', version: '1.0.0' }, catalog, OPTIONS));
const beside = await listen(() => {
  const server = createReference();
  publishSkills(server, catalog, OPTIONS);
  return server;
});

it.each(RUNS.map((options, run) => ({ options, run })))(
  'passes what applies with $options',
  async ({ options, run }) => {
    const verdicts = await runSuite(alone, ['--suite', 'all', ...options]);
    const applicable = Object.entries(APPLICABLE).flatMap(([scenario, counts]) => {
      const passed = counts[run];
      return passed === undefined ? [] : [[scenario, { passed, failed: [], skipped: [] }] as const];
    });
    const isApplicable = ([scenario]: readonly [string, Verdict]) => scenario in APPLICABLE;
    expect(Object.fromEntries([...verdicts].filter(isApplicable))).toEqual(Object.fromEntries(applicable));
    for (const [scenario, expected] of Object.entries(PARTIAL)) {
      const verdict = verdicts.get(scenario);
      if (verdict === undefined) continue;
      const toIds = (checks: readonly string[]) => checks.map((check) => check.split(':')[0]);
      expect({ ...verdict, failed: toIds(verdict.failed), skipped: toIds(verdict.skipped) }).toEqual(expected);
    }
  },
);

it('knows of every scenario why it does not apply, and none that does not apply is green', async () => {
  const verdicts = await runSuite(alone, ['--suite', 'all']);
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
