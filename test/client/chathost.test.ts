import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { BIN, collect, start } from '../command.ts';
import { KEY, type Prompt, type Turn } from '../hosts/model.ts';
import { type Stub, startStub } from '../hosts/stub.ts';
import { makeTree, skillMd } from '../tree.ts';

const CHAT = fileURLToPath(new URL('../../examples/chat-host/chat.js', import.meta.url));
const CODE = 'console.log(6 * 7)';
const children: ChildProcess[] = [];
const stubs: Stub[] = [];

afterEach(async () => {
  for (const child of children.splice(0)) child.kill();
  for (const stub of stubs.splice(0)) await stub.close();
});

/** A model that makes these calls one after another, and then says what it got for the last. */
function createModel(calls: readonly (readonly [tool: string, args: Record<string, string>])[]) {
  const prompts: Prompt[] = [];
  const model = (prompt: Prompt): Turn => {
    prompts.push(prompt);
    const [name, args = {}] = calls[prompt.answers.length] ?? [];
    const tool = prompt.tools.find((each) => each.name === name);
    if (tool === undefined) return { text: `I got \u001b[2J${prompt.answers.at(-1)?.text}` };
    return { call: { id: `call_${prompt.answers.length}`, tool, args } };
  };
  return { prompts, model };
}

/** A folder of the host's own skills and two servers: one that is started, one over HTTP. */
async function makeConfig(): Promise<string> {
  const root = makeTree({
    'own/plain-words/SKILL.md': skillMd('plain-words', 'How we answer.'),
    'team/refunds/SKILL.md': skillMd('refunds', 'What a customer gets back.', 'Refund in full.\n'),
    'web/on-call/SKILL.md': skillMd('on-call', 'Who to wake.'),
  });
  const server = start([join(root, 'web'), '--http', '0']);
  children.push(server);
  let told = '';
  for await (const chunk of server.stderr ?? []) {
    told += chunk;
    if (/\/mcp/.test(told)) break;
  }
  const [url] = /http:\/\/\S+\/mcp/.exec(told) ?? [];
  const servers = {
    team: { command: process.execPath, args: [BIN, 'team'] },
    web: { url },
    gone: { url: 'http://127.0.0.1:9/mcp' },
  };
  const config = JSON.stringify({ skills: 'own', servers });
  return join(makeTree({ 'config.json': config, ...copyOf(root) }), 'config.json');
}

/** The folders that the configuration names are beside it. */
function copyOf(root: string): Record<string, { link: string }> {
  return { own: { link: join(root, 'own') }, team: { link: join(root, 'team') } };
}

interface Chat {
  readonly output: { readonly stdout: string; readonly stderr: string };
  /** Waits for words, and then answers with a line. */
  readonly reply: (after: string, line: string) => Promise<void>;
  readonly ended: Promise<number | null>;
}

async function openChat(model: (prompt: Prompt) => Turn): Promise<Chat> {
  const stub = await startStub(model);
  stubs.push(stub);
  const args = [CHAT, '--config', await makeConfig(), '--url', `${stub.url}/v1/`, '--model', 'stub'];
  const child = spawn(process.execPath, args, { env: { ...process.env, OPENAI_API_KEY: KEY } });
  children.push(child);
  const output = collect(child);
  let seen = 0;
  const reply = async (after: string, line: string) => {
    await expect.poll(() => output.stdout.indexOf(after, seen)).toBeGreaterThan(-1);
    seen = output.stdout.indexOf(after, seen) + after.length;
    child.stdin?.write(`${line}\n`);
  };
  return { output, reply, ended: new Promise((resolve) => child.once('close', resolve)) };
}

describe('the example of a host', () => {
  test('shows where each skill comes from, and tells the model', async () => {
    const { prompts, model } = createModel([['activate_skill', { name: 'plain-words' }]]);
    const { output, reply, ended } = await openChat(model);
    await reply('/quit.\n', '/skills');
    await reply('on-call (server "web")', 'Hello');
    await reply('I got', '/quit');
    expect([await ended, output.stderr]).toEqual([0, '']);
    const skills = [
      '  plain-words (your own): How we answer.',
      '  team:refunds (server "team"): What a customer gets back.',
      '  web:on-call (server "web"): Who to wake.',
    ];
    // what is not a terminal shows a prompt before the answer to a line
    expect(output.stdout.match(/ {2}\S+ \((?:your own|server ".*")\): .*/g)).toEqual([...skills, ...skills]);
    expect(output.stdout).toMatch(/^gone: /m);
    expect(output.stdout).toContain('[activate_skill] {"name":"plain-words"}\nskills in use: plain-words (your own)\n');
    // what a model says does nothing to the terminal
    expect(output.stdout).toContain('I got \\u{1b}[2JThe skill "plain-words":');
    expect(prompts[0]?.text).toContain('- team:refunds (server team): "What a customer gets back."');
    expect(prompts[0]?.tools.map(({ name }) => name)).toEqual(['activate_skill', 'read_skill_file', 'run_code']);
  });

  test.each([
    ['runs code that the person has seen and agreed to', 'y', 'y', 'exit status 0\n42\n'],
    ['runs no code that the person does not agree to', 'y', '', 'The person refused to run this code.'],
    [
      'runs no code while a skill of a server is in use that the person does not approve',
      'n',
      undefined,
      'Refused: the tool "run_code" runs code while the skill "team:refunds" of a server is active, and that was not approved.',
    ],
  ])('%s', async (_, approval, agreement, answer) => {
    const { prompts, model } = createModel([
      ['activate_skill', { name: 'team:refunds' }],
      ['run_code', { code: CODE }],
    ]);
    const { output, reply, ended } = await openChat(model);
    await reply('/quit.\n', 'What do I get back?');
    await reply('Let code run while it is used? [y/N] ', approval);
    if (agreement !== undefined) await reply('Run this code on your machine? [y/N] ', agreement);
    await reply('I got', '/quit');
    expect([await ended, output.stderr]).toEqual([0, '']);
    expect(output.stdout).toMatch(
      /The skill team:refunds comes from the server "team" \(sha256:[0-9a-f]{12}\)\. Let code run/,
    );
    expect(prompts.at(-1)?.answers.at(-1)?.text).toBe(answer);
    expect(output.stdout.includes(`${CODE}\n`)).toBe(agreement !== undefined);
  });

  test('asks nothing more before code runs while no skill of a server is in use', async () => {
    const { prompts, model } = createModel([['run_code', { code: CODE }]]);
    const { output, reply } = await openChat(model);
    await reply('/quit.\n', 'What is 6 times 7?');
    await reply('Run this code on your machine? [y/N] ', 'yes');
    await reply('I got', '/quit');
    expect(output.stdout).not.toContain('Let code run');
    expect(prompts.at(-1)?.answers.at(-1)?.text).toBe('exit status 0\n42\n');
  });

  test('goes on where the model cannot be asked', async () => {
    const { output, reply, ended } = await openChat(() => {
      throw new Error('no');
    });
    await reply('/quit.\n', 'Hello');
    await reply('The model could not be asked: ', '/quit');
    expect([await ended, output.stderr]).toEqual([0, '']);
  });
});
