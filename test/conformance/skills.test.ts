import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadSkills } from '../../src/load.ts';
import { createInstance } from '../../src/mcp/instance.ts';
import { makeTree, skillMd } from '../tree.ts';
import { runScenario } from './conformance.ts';

let http: Server;
let url: string;

beforeAll(async () => {
  const names = Array.from({ length: 7 }, (_, i) => `skill-${i}`);
  const root = makeTree({
    ...Object.fromEntries(names.map((name) => [`${name}/SKILL.md`, skillMd(name)])),
    'group/nested/SKILL.md': skillMd('nested'),
    'group/nested/references/deep/guide.md': '# Guide\n',
    'group/nested/assets/logo.bin': new Uint8Array([0xff, 0, 0xfe]),
  });
  const catalog = await loadSkills(root);
  const info = { name: 'conformance', version: '1.0.0' };
  const handler = createMcpHandler(() => createInstance(info, catalog, { pageSize: 3 }));
  // the two packages name the same thing in types that do not quite fit under exactOptionalPropertyTypes
  const answer = toNodeHandler(handler) as RequestListener;
  http = createServer(answer).listen(0, '127.0.0.1');
  await new Promise((resolve) => http.once('listening', resolve));
  url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
});

afterAll(() => http.close());

describe('the skills scenarios of the official conformance suite', () => {
  const scenarios = {
    'sep-2640-skills-enumeration': 32,
    'sep-2640-skills-manifest': 6,
    'sep-2640-skills-directory': 7,
  };
  for (const [scenario, passed] of Object.entries(scenarios)) {
    test(scenario, async () => {
      expect(await runScenario(url, scenario)).toEqual({ passed, failed: [], skipped: [] });
    });
  }
});
