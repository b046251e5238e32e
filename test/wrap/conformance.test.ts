import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BIN } from '../command.ts';
import { runSuite, type Verdict } from '../conformance/conformance.ts';
import { OF_A_HOST } from '../conformance/scenarios.ts';
import { makeTree, skillMd } from '../tree.ts';
import { type Bridge, startBridge } from './bridge.ts';

const bridges: Bridge[] = [];
let alone: ReadonlyMap<string, Verdict>;
let wrapped: ReadonlyMap<string, Verdict>;

beforeAll(async () => {
  const names = Array.from({ length: 7 }, (_, index) => `skill-${index}`);
  const root = makeTree({
    ...Object.fromEntries(names.map((name) => [`${name}/SKILL.md`, skillMd(name)])),
    'group/nested/SKILL.md': skillMd('nested'),
    'group/nested/references/deep/guide.md': '# Guide\n',
    'group/nested/assets/logo.bin': new Uint8Array([0xff, 0, 0xfe]),
  });
  const server = join(makeTree({}), 'reference.mjs');
  await build({
    entryPoints: [fileURLToPath(new URL('reference.ts', import.meta.url))],
    ...{ outfile: server, bundle: true, platform: 'node', format: 'esm', logLevel: 'error' },
  });
  const wrap = [BIN, root, '--page-size', '3', '--wrap', '--', process.execPath, server];
  for (const args of [[server], wrap]) bridges.push(await startBridge(process.execPath, args));
  const run = ({ url }: Bridge) => runSuite(url, ['--suite', 'all']);
  const [plain, beside] = bridges as [Bridge, Bridge];
  [alone, wrapped] = await Promise.all([run(plain), run(beside)]);
}, 600_000);

afterAll(() => {
  for (const bridge of bridges) bridge.close();
});

/** Checks of what a tool or prompt asks its client for, in both eras, and of what the skills must not get in the way of. */
const ASKING: Readonly<Record<string, number>> = {
  caching: 8,
  'input-required-result-basic-elicitation': 3,
  'input-required-result-basic-list-roots': 3,
  'input-required-result-basic-sampling': 3,
  'input-required-result-ignore-extra-params': 2,
  'input-required-result-missing-input-response': 2,
  'input-required-result-multi-round': 4,
  'input-required-result-multiple-input-requests': 3,
  'input-required-result-non-tool-request': 3,
  'input-required-result-request-state': 3,
  'input-required-result-result-type': 2,
  'server-initialize': 3,
  'tools-call-elicitation': 2,
  'tools-call-sampling': 2,
};

const SKILLS: Readonly<Record<string, number>> = {
  'sep-2640-skills-directory': 7,
  'sep-2640-skills-enumeration': 32,
  'sep-2640-skills-manifest': 6,
};

const toPassed = (counts: Readonly<Record<string, number>>) =>
  Object.entries(counts).map(([scenario, passed]) => [scenario, { passed, failed: [], skipped: [] }]);

/** Without the messages of checks that fail: one of them says which extensions there are. */
function toIds(verdicts: ReadonlyMap<string, Verdict>): (readonly [string, Verdict])[] {
  const cut = (checks: readonly string[]) => checks.map((check) => check.split(':')[0] ?? '');
  return [...verdicts].map(([scenario, { passed, failed, skipped }]) => [
    scenario,
    { passed, failed: cut(failed), skipped: cut(skipped) },
  ]);
}

test('a wrapped server does in every scenario of the suite what it does alone, and has skills', () => {
  const others = toIds(alone).filter(([scenario]) => !Object.hasOwn(SKILLS, scenario));
  expect(toIds(wrapped)).toEqual(expect.arrayContaining([...others, ...toPassed(SKILLS)]));
  expect(wrapped.size).toBe(alone.size);
  expect(others).toEqual(expect.arrayContaining([...toPassed(OF_A_HOST), ...toPassed(ASKING)]));
});
