import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { afterEach, describe, expect, it } from 'vitest';
import { createInstance } from '../../src/mcp/instance.ts';
import { attachRun } from '../../src/run/attachrun.ts';
import { pinGrants } from '../../src/run/pinning.ts';
import { readRunPolicy } from '../../src/run/policyfile.ts';
import { createRunTool } from '../../src/run/runtool.ts';
import { makeCatalog } from '../mcp/catalog.ts';
import { ERAS, type Era } from '../mcp/connect.ts';
import { fence, toPolicyText } from './grants.ts';

// biome-ignore lint/suspicious/noTemplateCurlyInString: the braces are for bash
const SCRIPT = 'echo "got $*"; echo "$API_KEY"; sleep "${2:-0}"; printf "\\033[2J"\n';
const CATALOG = makeCatalog([{ path: 'demo', files: { 'scripts/run': SCRIPT, 'scripts/other': 'echo other' } }]);
const MORE = { args: '[a-z0-9]+', env: ['API_KEY'] };
const CALL = { skill: 'demo', script: 'scripts/run', args: ['abc'] };
const open: { close(): Promise<void> }[] = [];

afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

type Answer = { action: 'accept' | 'decline'; content?: { run: boolean } };

/** A client with a form, which gives this answer, or one without. */
async function connect(era: Era, answer?: Answer, elicitation: { url?: Record<string, never> } = {}) {
  if (fence === undefined) throw new Error('there is no fence');
  const forms: string[] = [];
  const tool = createRunTool({
    catalog: CATALOG,
    grants: pinGrants(readRunPolicy(toPolicyText(CATALOG, 'demo', 'scripts/run', MORE)), CATALOG),
    fence,
    env: { API_KEY: 'value-of-the-key' },
    signal: new AbortController().signal,
    name: 'skill_run',
  });
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  const createServer = () => {
    const server = createInstance({ name: 'test', version: '0' }, CATALOG, { tools: 'always' });
    attachRun(server, { tool, notes: ['Scripts: a note.'], listName: 'skill_list' });
    return server;
  };
  const handle = serveStdio(createServer, { transport: serverSide });
  const client = new Client(
    { name: 'client', version: '0' },
    {
      versionNegotiation: { mode: era === '2026-07-28' ? { pin: era } : 'legacy' },
      capabilities: answer === undefined ? {} : { elicitation },
    },
  );
  if (answer !== undefined) {
    client.setRequestHandler('elicitation/create', ({ params }) => {
      forms.push(params.message);
      return answer;
    });
  }
  await client.connect(clientSide);
  open.push(client, handle);
  const call = async (args: object) => {
    const result = await client.callTool({ name: 'skill_run', arguments: args as Record<string, unknown> });
    const texts = (result.content as { text: string }[]).map(({ text }) => text);
    return { texts, isError: result.isError === true };
  };
  return { client, call, forms };
}

const toToken = ([text = '']: readonly string[]) => /confirmToken "([^"]+)"/.exec(text)?.[1] ?? '';

describe.skipIf(fence === undefined).each(ERAS)('skill_run on %s', (era) => {
  it('is listed beside the other tools as one that can destroy', async () => {
    const { client } = await connect(era);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).sort()).toEqual(['skill_file', 'skill_list', 'skill_load', 'skill_run']);
    expect(tools.find(({ name }) => name === 'skill_run')?.annotations).toEqual({
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
      openWorldHint: true,
    });
  });

  it('asks the user of a client with a form, and runs what was shown', async () => {
    const { call, forms } = await connect(era, { action: 'accept', content: { run: true } });
    const { texts, isError } = await call(CALL);
    expect([isError, forms.length, texts[0]]).toEqual([false, 1, 'exit status 0']);
    expect(texts[1]).toContain('\ngot abc\n[value of API_KEY]\n\\u{1b}[2J\n');
    expect(forms[0]).toContain('command: /bin/bash /skill/scripts/run abc\n');
    expect(forms[0]).toContain('variables: API_KEY\nnetwork: no\ntime limit: 60 s\nthe whole script:\n| echo "got $*"');
    expect(forms[0]).not.toContain('value-of-the-key');
  });

  it.each<Answer>([{ action: 'decline' }, { action: 'accept', content: { run: false } }])(
    'runs nothing where the user answers %j',
    async (answer) => {
      const { call } = await connect(era, answer);
      expect((await call(CALL)).texts).toEqual(['The user did not confirm: the script was not run.']);
    },
  );

  it('gives a client without a form a token, which is good once and for these arguments', async () => {
    const { call } = await connect(era);
    const asked = await call(CALL);
    expect(asked.texts[0]).toContain('The script was not run yet.');
    const confirmToken = toToken(asked.texts);
    const other = await call({ ...CALL, args: ['abd'], confirmToken });
    expect(other).toEqual({
      texts: [
        'the confirmToken was not taken: it is not for exactly this run in this session; call again without one to get another',
      ],
      isError: true,
    });
    expect((await call({ ...CALL, confirmToken })).texts[0]).toBe('exit status 0');
    expect((await call({ ...CALL, confirmToken })).texts[0]).toContain('it has been used');
    const another = await connect(era);
    const fresh = toToken((await another.call(CALL)).texts);
    expect((await call({ ...CALL, confirmToken: fresh })).texts[0]).toContain('not for exactly this run');
  });

  it('takes no token where the client has a form, and gives a token where its form is a URL alone', async () => {
    const { call } = await connect(era, { action: 'decline' });
    const plain = await connect(era, { action: 'decline' }, { url: {} });
    const confirmToken = toToken((await plain.call(CALL)).texts);
    expect(confirmToken).not.toBe('');
    expect((await call({ ...CALL, confirmToken })).texts).toEqual([
      'The user did not confirm: the script was not run.',
    ]);
  });

  it('runs one script at a time', async () => {
    const { call } = await connect(era);
    const long = { ...CALL, args: ['abc', '1'] };
    const [first, second] = [toToken((await call(long)).texts), toToken((await call(CALL)).texts)];
    const running = call({ ...long, confirmToken: first });
    const refused = await call({ ...CALL, confirmToken: second });
    expect(refused.texts).toEqual(['another script is running: call again when it has ended']);
    expect((await running).texts[0]).toBe('exit status 0');
    expect((await call({ ...CALL, confirmToken: second })).texts[0]).toBe('exit status 0');
  });

  it('refuses what is not granted', async () => {
    const { call, client } = await connect(era);
    const granted = 'granted: scripts/run of demo';
    expect((await call({ ...CALL, script: 'scripts/other' })).texts).toEqual([
      `"scripts/other" of "demo" is not granted; ${granted}`,
    ]);
    expect((await call({ ...CALL, script: '../demo/scripts/run' })).isError).toBe(true);
    expect((await call({ ...CALL, args: ['--x'] })).texts).toEqual(['the policy does not allow argument 1']);
    expect((await call({ ...CALL, env: { A: '1' } })).texts[0]).toContain('there is no argument "env"');
    await expect(client.callTool({ name: 'skill_runs', arguments: {} })).rejects.toThrow(
      'there is no tool "skill_runs"',
    );
  });

  it('has its notes after the list of skills', async () => {
    const { client } = await connect(era);
    const { content } = await client.callTool({ name: 'skill_list', arguments: {} });
    expect((content as { text: string }[]).at(-1)?.text).toBe('Scripts: a note.');
  });
});
