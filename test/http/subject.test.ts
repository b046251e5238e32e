import { expect, test } from 'vitest';
import { publishCatalog } from '../../src/http/publication.ts';
import { createInstance } from '../../src/mcp/instance.ts';
import { makeCatalog } from '../mcp/catalog.ts';
import { post, start, toCall, toModernCall } from './harness.ts';

const catalog = makeCatalog([
  { path: 'billing/refund', files: { 'references/policy.md': '# Policy\n' } },
  { path: 'deploy' },
  { path: 'team/deploy' },
]);

function serve(log: 'json' | 'text') {
  const info = { name: 'test', version: '0.0.0' };
  const create = () => createInstance(info, catalog, { tools: 'always', prompts: true });
  return start({ log, metrics: true }, { publish: publishCatalog(catalog, create) });
}

const load = (skill: string) => toCall('tools/call', { name: 'skill_load', arguments: { skill } });
const paths = ['references/policy.md', './x\u001b[2J\u202e'];
const file = { name: 'skill_file', arguments: { skill: 'refund', paths } };
const read = { uri: 'skill://billing/refund/references/policy.md' };

test('says which skill and which files were asked for', async () => {
  const server = await serve('json');
  for (const body of [
    load('refund'),
    load('no such skill'),
    toCall('tools/call', file),
    toCall('resources/read', read),
    toCall('prompts/get', { name: 'team_deploy' }),
  ]) {
    await (await post(server.url, body)).text();
  }
  await (await fetch(server.url, toModernCall('resources/read', read))).text();
  await server.close();
  const said = server.entries().map(({ method, name, skill, files, uri }) => ({ method, name, skill, files, uri }));
  const ofRead = { method: 'resources/read', skill: 'billing/refund', uri: read.uri };
  expect(said).toEqual([
    { method: 'tools/call', name: 'skill_load', skill: 'billing/refund' },
    { method: 'tools/call', name: 'skill_load', skill: 'no such skill' },
    { method: 'tools/call', name: 'skill_file', skill: 'billing/refund', files: paths },
    ofRead,
    { method: 'prompts/get', name: 'team_deploy', skill: 'team/deploy' },
    ofRead,
  ]);
  expect(server.log().trimEnd()).toMatch(/^[ -~\n]*$/);
});

test('says it to people on one line, with nothing that a client made up', async () => {
  const server = await serve('text');
  await (await post(server.url, toCall('tools/call', file))).text();
  await (await post(server.url, load('forged\n2026-01-01 200 GET /'))).text();
  await server.close();
  expect(server.log().trimEnd().split('\n')).toEqual([
    expect.stringContaining(
      ' 200 POST /mcp tools/call skill_file billing/refund references/policy.md ./x\ufffd[2J\ufffd ',
    ),
    expect.stringContaining(' 200 POST /mcp tools/call skill_load forged\ufffd2026-01-01 200 GET / '),
  ]);
});

test('counts what is asked of each skill that is published, and of no other', async () => {
  const server = await serve('json');
  const batch = [{ uri: 'skill://deploy/SKILL.md' }, read, { uri: 'skill://none/SKILL.md' }].map((params, id) =>
    JSON.parse(toCall('resources/read', params, id)),
  );
  for (const body of [
    load('refund'),
    load('skill://billing/refund/SKILL.md'),
    // the path of one, though another has it as its name
    load('deploy'),
    load('made-up-1'),
    load('made-up-2'),
    toCall('resources/read', read),
    toCall('resources/read', { uri: 'skill://billing/refund/none.md' }),
    toCall('resources/read', { uri: 'file://billing/refund/SKILL.md' }),
    toCall('skills/get', { uri: 'skill://team/deploy/SKILL.md' }),
    toCall('made/up', { uri: 'skill://team/deploy/SKILL.md' }),
  ]) {
    await (await post(server.url, body)).text();
  }
  await (await post(server.url, JSON.stringify(batch), { 'mcp-protocol-version': '2025-03-26' })).text();
  const metrics = await (await fetch(new URL('/metrics', server.url))).text();
  await server.close();
  const lines = metrics.split('\n').filter((line) => line.startsWith('mcp_skills_skill_requests_total'));
  expect(lines).toEqual([
    'mcp_skills_skill_requests_total{skill="billing/refund",method="resources/read"} 2',
    'mcp_skills_skill_requests_total{skill="billing/refund",method="tools/call"} 2',
    'mcp_skills_skill_requests_total{skill="deploy",method="resources/read"} 1',
    'mcp_skills_skill_requests_total{skill="deploy",method="tools/call"} 1',
    'mcp_skills_skill_requests_total{skill="team/deploy",method="skills/get"} 1',
  ]);
});
