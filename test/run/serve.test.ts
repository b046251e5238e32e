import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeTree, skillMd } from '../tree.ts';
import { fence } from './grants.ts';

const BIN = join(import.meta.dirname, '../../bin/mcp-server-skills.js');
const SHA = `sha256:${'0'.repeat(64)}`;

function serve(cwd: string, args: readonly string[]) {
  const requests = [
    {
      method: 'initialize',
      id: 1,
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '0' } },
    },
    { method: 'notifications/initialized' },
    { method: 'tools/list', id: 2 },
    { method: 'tools/call', id: 3, params: { name: 'skill_list', arguments: {} } },
  ];
  const input = requests.map((request) => `${JSON.stringify({ jsonrpc: '2.0', ...request })}\n`).join('');
  const { status, stdout, stderr } = spawnSync(process.execPath, [BIN, ...args], { cwd, input, encoding: 'utf8' });
  return { status, stdout, stderr };
}

const makeSkill = (script = 'echo hello\n') =>
  makeTree({
    'skills/demo/SKILL.md': skillMd('demo'),
    'skills/demo/run.sh': script,
    'old.yaml': `version: 1\nscripts:\n  - skill: skill://demo/SKILL.md\n    script: run.sh\n    digest: ${SHA}\n    fingerprint: ${SHA}\n    interpreter: /bin/bash\n`,
    'bad.yaml': 'version: 1\nscripts: 3\n',
  });

const APPROVE = 'approve again: mcp-server-skills run-policy add demo run.sh';

it('has no skill_run without --run, whatever a skill holds', () => {
  const { stdout } = serve(makeSkill(), ['serve', 'skills']);
  expect(stdout).not.toContain('skill_run');
});

it('says which entries a changed skill disables, in the list of skills and on stderr', () => {
  const { stdout, stderr } = serve(makeSkill(), ['serve', 'skills', '--run', 'old.yaml']);
  expect(stdout).not.toContain('skill_run');
  const why = `is disabled: the script has changed; ${APPROVE}`;
  expect(stdout).toContain('scripts cannot be run: the policy grants no script as it is now');
  expect(stdout).toContain(why);
  expect(stderr).toContain(`the script "run.sh" of "demo" ${why}`);
});

it('refuses --http, --wrap and a policy that is wrong', () => {
  const folder = makeSkill();
  expect(serve(folder, ['serve', 'skills', '--run', 'old.yaml', '--http', '0', '--no-auth'])).toEqual({
    status: 2,
    stdout: '',
    stderr: 'mcp-server-skills: --run is for stdio: leave out --run or --http\n',
  });
  const wrapped = serve(folder, ['serve', 'skills', '--run', 'old.yaml', '--wrap', '--', 'true']);
  expect([wrapped.status, wrapped.stdout]).toEqual([2, '']);
  const bad = serve(folder, ['serve', 'skills', '--run', 'bad.yaml']);
  expect([bad.status, bad.stderr]).toEqual([2, 'mcp-server-skills: bad.yaml:2:10: "scripts" is not a list\n']);
});

it.skipIf(fence === undefined)('lists skill_run once an entry is added, and not when the skill changes after', () => {
  const folder = makeSkill();
  const added = spawnSync(process.execPath, [BIN, 'run-policy', 'add', 'demo', 'run.sh', 'skills'], {
    cwd: folder,
    encoding: 'utf8',
  });
  expect([added.status, added.stderr]).toEqual([0, '']);
  expect(serve(folder, ['serve', 'skills', '--run', 'run-policy.yaml']).stdout).toContain('"name":"skill_run"');
  writeFileSync(join(folder, 'skills/demo/run.sh'), 'echo other\n');
  expect(serve(folder, ['serve', 'skills', '--run', 'run-policy.yaml']).stdout).not.toContain('"name":"skill_run"');
});
