import { describe, expect, test } from 'vitest';
import { type ExecutionRequest, type ServerSkillOptions, SkillRegistry } from '../../src/client/index.ts';
import { Server } from './server.ts';

const SKILL = { path: 'refunds', fields: { 'allowed-tools': 'Bash run_code *' }, files: { 'a.md': 'a\n' } };

async function open(options: ServerSkillOptions = {}): Promise<{ server: Server; registry: SkillRegistry }> {
  const server = new Server(SKILL, 'on-call');
  const registry = new SkillRegistry();
  registry.addLocal({ name: 'own', description: 'Ours', read: () => 'Ours\n' });
  await registry.addServer(server, 'hf', options);
  return { server, registry };
}

/** Approves as it is told to, and keeps what it was asked. */
function createApprove(answer: (request: ExecutionRequest) => unknown = () => true) {
  const asked: ExecutionRequest[] = [];
  const approve = (request: ExecutionRequest) => {
    asked.push(request);
    return answer(request) as boolean;
  };
  return { asked, approve };
}

const ALLOWED = { allowed: true };
const refused = (name: string, why: string) => ({
  allowed: false,
  reason: `the tool "run_code" runs code while the skill "${name}" of a server is active, and ${why}`,
});

test('a tool that runs code is refused while a served skill is active, whatever its allowed-tools say', async () => {
  const { registry } = await open();
  expect(await registry.mayExecute('run_code', 'c')).toEqual(ALLOWED);
  await registry.activate('own', 'c');
  expect(await registry.mayExecute('run_code', 'c')).toEqual(ALLOWED);
  const activation = await registry.activate('hf:refunds', 'c');
  expect(activation).toMatchObject({ frontmatter: { 'allowed-tools': 'Bash run_code *' } });
  expect(await registry.mayExecute('run_code', 'c')).toEqual(
    refused('hf:refunds', 'this host approves nothing for its server'),
  );
  // in that conversation alone, and while it is active
  expect(await registry.mayExecute('run_code', 'd')).toEqual(ALLOWED);
  registry.deactivate('hf:refunds', 'c');
  expect(await registry.mayExecute('run_code', 'c')).toEqual(ALLOWED);
});

test('a skill that retired is in the conversation all the same', async () => {
  const { server, registry } = await open();
  await registry.activate('hf:refunds', 'c');
  server.publish('on-call');
  await registry.addServer(server, 'hf');
  expect(await registry.mayExecute('run_code', 'c')).toMatchObject({ allowed: false });
  registry.removeServer('hf');
  expect(await registry.mayExecute('run_code', 'c')).toMatchObject({ allowed: false });
  registry.forget('c');
  expect(await registry.mayExecute('run_code', 'c')).toEqual(ALLOWED);
});

describe('which tools run code', () => {
  test.each<readonly [string[], string[], string[]]>([
    [['run_*'], ['run_code', 'run_'], ['running', 'xrun_code', 'RUN_code']],
    [
      ['bash', 'deploy_?'],
      ['bash', 'deploy_1'],
      ['bash2', 'deploy_12', 'deploy_'],
    ],
    [
      ['a.b', '(x)+', '[z]'],
      ['a.b', '(x)+', '[z]'],
      ['axb', 'x', 'z'],
    ],
    [['*'], ['anything', '', 'a\nb'], []],
    [[], [], ['run_code']],
  ])('%j', async (executionTools, yes, no) => {
    const { registry } = await open({ executionTools });
    await registry.activate('hf:refunds', 'c');
    for (const tool of yes) expect([tool, (await registry.mayExecute(tool, 'c')).allowed]).toEqual([tool, false]);
    for (const tool of no) expect([tool, (await registry.mayExecute(tool, 'c')).allowed]).toEqual([tool, true]);
  });

  test('what is said for one server holds for the skills of all', async () => {
    const { registry } = await open({ executionTools: ['run_*'] });
    await registry.addServer(new Server('more'), 'other', { executionTools: ['deploy'] });
    await registry.activate('other:more', 'c');
    expect(await registry.mayExecute('run_code', 'c')).toMatchObject({ allowed: false });
    expect(await registry.mayExecute('read', 'c')).toEqual(ALLOWED);
  });
});

describe('the approval of the host', () => {
  test('is asked for every active served skill, with what is asked for', async () => {
    const { asked, approve } = createApprove(({ name }) => name === 'hf:refunds');
    const { registry } = await open({ approve });
    for (const name of ['own', 'hf:refunds', 'hf:on-call']) await registry.activate(name, 'c');
    expect(await registry.mayExecute('run_code', 'c')).toEqual(refused('hf:on-call', 'that was not approved'));
    const toRequest = (path: string) => ({
      name: `hf:${path}`,
      label: 'hf',
      uri: `skill://${path}/SKILL.md`,
      fingerprint: registry.list().find(({ name }) => name === `hf:${path}`)?.fingerprint,
      tool: 'run_code',
      conversation: 'c',
    });
    expect(asked).toEqual([toRequest('refunds'), toRequest('on-call')]);
    registry.deactivate('hf:on-call', 'c');
    expect(await registry.mayExecute('run_code', 'c')).toEqual(ALLOWED);
  });

  test.each<readonly [string, () => unknown]>([
    ['false', () => false],
    ['1', () => 1],
    ['a text', () => 'true'],
    ['an object', () => ({})],
    ['nothing', () => undefined],
    ['a promise of no', async () => false],
    ['a failure', () => Promise.reject(new Error('no'))],
    [
      'a throw',
      () => {
        throw new Error('no');
      },
    ],
  ])('is exactly true: %s refuses, and is asked again', async (_, answer) => {
    const { asked, approve } = createApprove(answer);
    const { registry } = await open({ approve });
    await registry.activate('hf:refunds', 'c');
    for (let time = 1; time <= 2; time++) {
      expect(await registry.mayExecute('run_code', 'c')).toEqual(refused('hf:refunds', 'that was not approved'));
      expect(asked.length).toBe(time);
    }
  });

  test('holds for the conversation and the fingerprint', async () => {
    const { asked, approve } = createApprove(async () => true);
    const { server, registry } = await open({ approve });
    await registry.activate('hf:refunds', 'c');
    const ask = async (context: string) => [await registry.mayExecute('run_code', context), asked.length];
    expect([await ask('c'), await ask('c')]).toEqual([
      [ALLOWED, 1],
      [ALLOWED, 1],
    ]);
    // two calls at once are one question
    await registry.activate('hf:refunds', 'd');
    expect(await Promise.all([ask('d'), ask('d')])).toEqual([
      [ALLOWED, 2],
      [ALLOWED, 2],
    ]);
    server.publish({ ...SKILL, body: 'Changed.\n' });
    await registry.addServer(server, 'hf', { approve });
    // what is active is what was approved, until it is loaded again
    expect(await ask('c')).toEqual([ALLOWED, 2]);
    await registry.activate('hf:refunds', 'c');
    expect(await ask('c')).toEqual([ALLOWED, 3]);
    registry.forget('c');
    await registry.activate('hf:refunds', 'c');
    expect(await ask('c')).toEqual([ALLOWED, 4]);
  });

  test('is asked every time for a dynamic skill', async () => {
    const { asked, approve } = createApprove();
    const { server, registry } = await open();
    server.entry('refunds').resources = 'dynamic';
    await registry.addServer(server, 'hf', { allowDynamic: true, approve });
    await registry.activate('hf:refunds', 'c');
    for (let time = 1; time <= 2; time++) {
      expect([await registry.mayExecute('run_code', 'c'), asked.length]).toEqual([ALLOWED, time]);
    }
    expect('fingerprint' in (asked[0] ?? {})).toBe(false);
  });

  test('of one server says nothing for another', async () => {
    const { registry } = await open({ approve: () => true });
    await registry.addServer(new Server('more'), 'other');
    for (const name of ['hf:refunds', 'other:more']) await registry.activate(name, 'c');
    expect(await registry.mayExecute('run_code', 'c')).toEqual(
      refused('other:more', 'this host approves nothing for its server'),
    );
  });
});
