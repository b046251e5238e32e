import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { EXTENSION } from '../../src/mcp/methods.ts';
import { BIN, EXAMPLE } from '../command.ts';
import { makeTree } from '../tree.ts';
import { toRequest } from './wire.ts';

/** Requests, one after another; each waits for its answer. */
type Script = readonly (readonly [method: string, params: object])[];

const call = (name: string, args: object = {}) => ['tools/call', { name, arguments: args }] as const;

/** What each of the official servers is asked, and what it lists. */
const SERVERS: Readonly<
  Record<
    string,
    { readonly script: (folder: string) => Script; readonly args?: boolean; readonly sends?: readonly string[] }
  >
> = {
  filesystem: {
    args: true,
    script: (folder) => [
      call('list_directory', { path: folder }),
      call('read_text_file', { path: join(folder, 'a.txt') }),
      call('read_text_file', { path: '/etc/hostname' }),
      call('write_file', { path: join(folder, 'b.txt'), content: '"\u2028' }),
      call('no_such_tool'),
      ['prompts/list', {}],
      ['made/up', {}],
    ],
  },
  everything: {
    sends: ['elicitation/create', 'notifications/progress', 'roots/list', 'sampling/createMessage'],
    script: () => [
      call('echo', { message: 'ü \u2028 \\' }),
      call('get-sum', { a: 1, b: 2.5 }),
      call('get-tiny-image'),
      call('get-structured-content', { location: 'Chicago' }),
      call('get-resource-links', { count: 2 }),
      [
        'tools/call',
        {
          name: 'trigger-long-running-operation',
          arguments: { duration: 0.2, steps: 4 },
          _meta: { progressToken: 'p' },
        },
      ],
      call('trigger-sampling-request', { prompt: 'hi', maxTokens: 5 }),
      call('trigger-elicitation-request'),
      call('get-roots-list'),
      ['resources/read', { uri: 'demo://resource/static/document/features.md' }],
      ['resources/read', { uri: 'demo://resource/none' }],
      ['prompts/get', { name: 'args-prompt', arguments: { city: 'Ulm' } }],
      [
        'completion/complete',
        { ref: { type: 'ref/prompt', name: 'completable-prompt' }, argument: { name: 'department', value: 'E' } },
      ],
      ['logging/setLevel', { level: 'error' }],
      ['resources/subscribe', { uri: 'demo://resource/static/document/features.md' }],
      ['ping', {}],
    ],
  },
  memory: {
    script: () => [
      call('create_entities', { entities: [{ name: 'a', entityType: 't', observations: ['o'] }] }),
      call('read_graph'),
      call('search_nodes', { query: 'a' }),
      ['resources/read', { uri: 'memory://knowledge-graph' }],
    ],
  },
  'sequential-thinking': {
    script: () => [
      call('sequentialthinking', { thought: 'one', nextThoughtNeeded: true, thoughtNumber: 1, totalThoughts: 2 }),
      call('sequentialthinking', { thought: 'two', nextThoughtNeeded: false, thoughtNumber: 2, totalThoughts: 2 }),
    ],
  },
};

const LISTINGS = {
  'tools/list': 'tools',
  'prompts/list': 'prompts',
  'resources/list': 'resources',
  'resources/templates/list': 'resourceTemplates',
};

/** What a server may ask its client. */
const REPLIES: Readonly<Record<string, object>> = {
  'roots/list': { roots: [{ uri: 'file:///project', name: 'project' }] },
  'sampling/createMessage': { model: 'm', role: 'assistant', content: { type: 'text', text: 'sampled' } },
  'elicitation/create': { action: 'accept', content: { name: 'Ada', check: true } },
};

interface Talk {
  readonly status: unknown;
  /** The answers as they came, by method and place. */
  readonly answers: readonly string[];
  /** What else came: requests and notifications. */
  readonly others: readonly string[];
}

/** Calls back for each line: only a line feed ends one, and not what else Unicode and readline take for its end. */
function readLines(stream: Readable, take: (line: string) => void): void {
  let rest = '';
  stream.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    lines.forEach(take);
  });
}

/** Asks a server, as a client that answers what it is asked. */
async function talk(args: readonly string[], script: Script, env: Record<string, string>): Promise<Talk> {
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'ignore'], env: { ...process.env, ...env } });
  const answers: string[] = [];
  const others: string[] = [];
  const send = (message: object) => child.stdin.write(`${JSON.stringify(message)}\n`);
  const waiting = new Map<unknown, () => void>();
  readLines(child.stdout, (line) => {
    const { id, method } = JSON.parse(line);
    if (method === undefined) {
      answers.push(line);
      waiting.get(id)?.();
      return;
    }
    others.push(line);
    if (id !== undefined) send({ jsonrpc: '2.0', id, result: REPLIES[method] });
  });
  const ask = (id: number, method: string, params: object) =>
    new Promise<void>((resolve) => {
      waiting.set(id, resolve);
      send(toRequest(id, method, params));
    });
  const capabilities = { roots: { listChanged: true }, sampling: {}, elicitation: {} };
  const clientInfo = { name: 'test', version: '0' };
  await ask(0, 'initialize', { protocolVersion: '2025-11-25', capabilities, clientInfo });
  send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  const listings = Object.keys(LISTINGS).map((method) => [method, {}] as const);
  // some register tools when they know their client
  await ask(-1, 'ping', {});
  for (const [index, [method, params]] of [...script, ...listings].entries()) await ask(index + 1, method, params);
  const ended = once(child, 'exit');
  child.stdin.end();
  child.kill('SIGTERM');
  const [status, signal] = await ended;
  return { status: signal ?? status, answers, others };
}

function toServer(name: string): string {
  const manifest = createRequire(import.meta.url).resolve(`@modelcontextprotocol/server-${name}/package.json`);
  return join(dirname(manifest), 'dist', 'index.js');
}

test.each(Object.entries(SERVERS))(
  'the official %s server says the same wrapped, but for what is added',
  async (name, plan) => {
    const prepare = () => {
      const folder = makeTree({ 'data/a.txt': 'text\n' });
      const data = join(folder, 'data');
      return {
        data,
        args: [toServer(name), ...(plan.args === true ? [data] : [])],
        env: { MEMORY_FILE_PATH: join(folder, 'memory.jsonl') },
      };
    };
    const [alone, beside] = [prepare(), prepare()];
    const plain = await talk(alone.args, plan.script(alone.data), alone.env);
    const command = [BIN, EXAMPLE, '--wrap', '--', process.execPath, ...beside.args];
    const wrapped = await talk(command, plan.script(beside.data), beside.env);
    const toSame = (line: string) => line.replaceAll(beside.data, alone.data);

    const [opening, ...rest] = plain.answers;
    const [openingBeside, ...restBeside] = wrapped.answers.map(toSame);
    expect(removeOurs(JSON.parse(openingBeside ?? '').result)).toEqual(removeOurs(JSON.parse(opening ?? '').result));
    const count = plan.script('').length + 1;
    expect(restBeside.slice(0, count)).toEqual(rest.slice(0, count));
    expect(wrapped.others.map(toSame)).toEqual(plain.others);
    const sent = plain.others.map((line) => JSON.parse(line).method as string);
    expect(sent).toEqual(expect.arrayContaining([...(plan.sends ?? [])]));

    const ours = Object.entries(LISTINGS).map(([method, field], index) => {
      const [theirs = '', both = ''] = [rest[count + index], restBeside[count + index]];
      const { result } = JSON.parse(theirs);
      const { result: joined, ...around } = JSON.parse(both);
      const items: unknown[] = result?.[field] ?? [];
      const listed: Record<string, string>[] = joined?.[field] ?? [];
      // the server's items come first, as it wrote them; what it refuses as unknown is ours alone, or refused as without us
      if (result !== undefined) {
        const cut = { result: { ...joined, [field]: listed.slice(0, items.length) }, ...around };
        expect(JSON.stringify(cut)).toBe(theirs);
      } else if (joined === undefined) expect(both).toBe(theirs);
      return [
        method,
        listed
          .slice(items.length)
          .map((item: Record<string, string>) => item['uriTemplate'] ?? item['uri'] ?? item['name']),
      ];
    });
    expect(Object.fromEntries(ours)).toEqual({
      'tools/list': ['skill_list', 'skill_load', 'skill_file'],
      'prompts/list': [],
      'resources/list': ['skill://commit-messages/SKILL.md', 'skill://documents/pdf-forms/SKILL.md'],
      'resources/templates/list': ['skill://{+path}'],
    });
  },
);

/** What a server says of itself without what is added: the extension, the capabilities that it needs, and our instructions. */
function removeOurs({
  capabilities,
  instructions = '',
  ...rest
}: {
  capabilities: Record<string, object>;
  instructions?: string;
}): object {
  const { extensions = {}, resources, completions, ...others } = capabilities;
  const { [EXTENSION]: _, ...foreign } = extensions as Record<string, object>;
  const [theirs] = instructions.split(/(?:^|\n\n)Skills to load with skill_load/);
  const known = (value: object | undefined) =>
    value === undefined || Object.keys(value).length === 0 ? undefined : value;
  return {
    ...rest,
    instructions: theirs,
    capabilities: { ...others, extensions: foreign, resources: known(resources), completions: known(completions) },
  };
}
