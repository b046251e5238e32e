import { once } from 'node:events';
import { expect, test } from 'vitest';
import { EXTENSION } from '../../src/mcp/methods.ts';
import { makeCatalog, makeMany } from '../mcp/catalog.ts';
import { createWire, MODERN, open, parse, publish, toRefusal, toRequest, toResult } from './wire.ts';

const CATALOG = makeCatalog([{ path: 'alpha', files: { 'notes.md': 'alpha notes\n' } }, { path: 'group/beta' }]);
const ALPHA = 'skill://alpha/SKILL.md';
const OURS = ['skill_list', 'skill_load', 'skill_file'];

/** Methods that are never ours, with the spellings of a client that is not this package. */
const FOREIGN = [
  '{"jsonrpc":"2.0","id":1,"method":"ping"}',
  '{ "jsonrpc" : "2.0", "id" : 0, "method" : "tools/call", "params" : { "name" : "echo", "arguments" : { "n" : 12345678901234567890.10 } } }',
  '{"jsonrpc":"2.0","id":"\\u0061","method":"tools\\/call","params":{"name":"skill_listing"}}',
  '{"jsonrpc":"2.0","id":-7,"method":"resources/read","params":{"uri":"file:///a"}}',
  '{"jsonrpc":"2.0","id":2,"method":"resources/subscribe","params":{"uri":"file:///a"}}',
  '{"jsonrpc":"2.0","id":3,"method":"logging/setLevel","params":{"level":"debug"}}',
  '{"jsonrpc":"2.0","id":4,"method":"tasks/get","params":{"taskId":"x"}}',
  '{"jsonrpc":"2.0","id":5,"method":"tasks/result","params":{"taskId":"x"}}',
  '{"jsonrpc":"2.0","id":6,"method":"made/up","params":[1,2,{"a":1e400}]}',
  '{"jsonrpc":"2.0","id":7,"method":"__proto__"}',
  '{"jsonrpc":"2.0","id":8,"method":"toString","params":{}}',
  '{"jsonrpc":"2.0","method":"notifications/initialized"}',
  '{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}',
  '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":0.50}}',
  '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}',
  '{"jsonrpc":"2.0","id":1,"result":{"roots":[]}}',
  '{"jsonrpc":"2.0","id":"e","result":{"action":"accept","content":{"name":"x"}}}',
  '{"jsonrpc":"2.0","id":2,"error":{"code":-1,"message":"user said no"}}',
  '{"jsonrpc":"2.0","id":10,"method":"tools/call","params":{"name":"ask","inputResponses":{"a":{"action":"accept"}},"requestState":"s"}}',
  '[{"jsonrpc":"2.0","id":11,"method":"ping"}]',
  'not JSON at all',
  '',
];

/** What a server sends that is no response to a request that is changed. */
const ANSWERS = [
  '{"jsonrpc":"2.0","id":1,"result":{}}',
  '{ "jsonrpc":"2.0", "id":0, "result":{ "content":[ ], "structuredContent":{"n":12345678901234567890.10}} }',
  '{"jsonrpc":"2.0","id":"open","method":"sampling/createMessage","params":{"messages":[],"maxTokens":10}}',
  '{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"message":"name?"}}',
  '{"jsonrpc":"2.0","id":2,"method":"roots/list"}',
  '{"jsonrpc":"2.0","id":10,"result":{"resultType":"input_required","inputRequests":{"a":{"method":"elicitation/create","params":{}}},"requestState":"s"}}',
  '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"\\u2028"}}',
  '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1.00}}',
  '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}',
  '{"jsonrpc":"2.0","method":"notifications/tasks/status","params":{"taskId":"x","status":"working"}}',
  '{"jsonrpc":"2.0","method":"notifications/made/up"}',
  '{"jsonrpc":"2.0","id":6,"error":{"code":-32601,"message":"no"}}',
  '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"parse error"}}',
  '[{"jsonrpc":"2.0","id":11,"result":{}}]',
];

test.each(['\n', '\r\n'])('passes on what is not ours as the bytes that came, in both directions (%j)', async (end) => {
  const wire = createWire(CATALOG);
  await open(wire, { tools: {}, resources: {} });
  for (const line of FOREIGN) expect(await wire.client(line + end)).toEqual({ client: '', wrapped: line + end });
  for (const line of ANSWERS) expect(await wire.wrapped(line + end)).toEqual({ client: line + end, wrapped: '' });
  expect(wire.stray()).toBe('');
});

test('passes on bytes that are no UTF-8, and a line that comes byte by byte', async () => {
  const { streams } = createWire(CATALOG);
  const start = Buffer.from('{"jsonrpc":"2.0","id":1,"method":"x","params":{"a":"ü');
  const line = Buffer.concat([start, Buffer.from([0xff, 0xc3]), Buffer.from('"}}\n')]);
  for (const byte of line) streams.input.write(Buffer.from([byte]));
  await once(streams.stdin, 'readable');
  expect(streams.stdin.read()).toEqual(line);
});

test('adds capabilities and instructions to what the server says of itself, and changes nothing else', async () => {
  const wire = createWire(CATALOG);
  const request =
    '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"a","version":"0"}}}\n';
  expect(await wire.client(request)).toEqual({ client: '', wrapped: request });
  const { client } = await wire.wrapped(
    '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{"listChanged":true},"tasks":{"n":12345678901234567890},"extensions":{"x":{}}},"instructions":"Be kind.","serverInfo":{"name":"wrapped","version":"1.0"}}}\n',
  );
  const instructions = JSON.parse(client).result.instructions as string;
  expect(instructions).toMatch(
    /^Be kind\.\n\nSkills to load with skill_load before a task that one fits: alpha, group\/beta\.\n/,
  );
  expect(client).toBe(
    `{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{"listChanged":true},"tasks":{"n":12345678901234567890},"extensions":{"x":{},"${EXTENSION}":{"directoryRead":true}},"resources":{},"completions":{}},"instructions":${JSON.stringify(instructions)},"serverInfo":{"name":"wrapped","version":"1.0"}}}\n`,
  );
});

test('keeps the instructions of both below 2,048 UTF-16 units, and those of the server whole', async () => {
  const many = makeMany(300, 'Does something that takes a sentence to say.');
  for (const length of [0, 1000, 1600, 2040, 5000]) {
    const wire = createWire(many);
    await wire.client(toRequest(1, 'initialize', {}));
    const theirs = 'x'.repeat(length);
    const { client } = await wire.wrapped(toResult(1, { capabilities: {}, instructions: theirs }));
    const { instructions } = JSON.parse(client).result;
    expect(instructions.startsWith(theirs)).toBe(true);
    expect(instructions.length).toBeLessThanOrEqual(Math.max(length, 2048));
    expect(instructions.length > length).toBe(length < 1500);
  }
});

test('a refused handshake stays as it is: the client tries the older one', async () => {
  const wire = createWire(CATALOG);
  await wire.client(toRequest(1, 'server/discover', MODERN));
  const refusal = '{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Method not found"}}\n';
  expect((await wire.wrapped(refusal)).client).toBe(refusal);
  expect((await open(wire, {}))['result']).toMatchObject({ capabilities: { extensions: { [EXTENSION]: {} } } });
});

test('answers on 2026-07-28 as the wrapped server would: complete, with hints, and in its name', async () => {
  const wire = createWire(CATALOG);
  const serverInfo = { name: 'wrapped', version: '1' };
  await wire.client(toRequest(1, 'server/discover', MODERN));
  await wire.wrapped(
    toResult(1, { capabilities: { tools: {} }, _meta: { 'io.modelcontextprotocol/serverInfo': serverInfo } }),
  );
  const { client } = await wire.client(toRequest(2, 'skills/get', { uri: ALPHA, ...MODERN }));
  expect(parse(client)).toEqual([
    {
      ...{ jsonrpc: '2.0', id: 2 },
      result: {
        skill: CATALOG.get(ALPHA),
        ttlMs: 300_000,
        cacheScope: 'private',
        resultType: 'complete',
        _meta: { 'io.modelcontextprotocol/serverInfo': serverInfo },
      },
    },
  ]);
  // of one that lists nothing of the kind, too
  const listed = await wire.client(toRequest(3, 'resources/list', MODERN));
  expect(parse(listed.client)[0]).toMatchObject({ id: 3, result: { resultType: 'complete', ttlMs: 300_000 } });
});

test('says nothing of 2026-07-28 on a connection of an older revision', async () => {
  const wire = createWire(CATALOG);
  await open(wire, {});
  const { client } = await wire.client(toRequest(2, 'skills/get', { uri: ALPHA, ...MODERN }));
  expect(parse(client)).toEqual([{ jsonrpc: '2.0', id: 2, result: { skill: CATALOG.get(ALPHA) } }]);
});

test('lists what the server has first, page by page, and ours from its last page on', async () => {
  const wire = createWire(makeMany(5), { tools: 'always', pageSize: 3 });
  await open(wire, { tools: {}, resources: {} });
  const page = (id: number, params: object) => wire.client(toRequest(id, 'resources/list', params));
  expect((await page(1, {})).wrapped).not.toBe('');
  const first = '{"jsonrpc":"2.0","id":1,"result":{"resources":[{"uri":"a:1","n":1.0}],"nextCursor":"next"}}\n';
  expect((await wire.wrapped(first)).client).toBe(first);
  expect(parse((await page(2, { cursor: 'next' })).wrapped)).toEqual([
    toRequest(2, 'resources/list', { cursor: 'next' }),
  ]);
  const last = (await wire.wrapped('{"jsonrpc":"2.0","id":2,"result":{"resources":[{"uri":"a:2","n":1.0}]}}\n')).client;
  expect(last).toMatch(/^\{"jsonrpc":"2\.0","id":2,"result":\{"resources":\[\{"uri":"a:2","n":1\.0\},\{"uri":"skill:/);
  const { resources, nextCursor } = JSON.parse(last).result;
  const uris = (items: { uri: string }[]) => items.map(({ uri }) => uri);
  const skill = (index: number) => `skill://skill-000${index}/SKILL.md`;
  expect(uris(resources)).toEqual(['a:2', skill(0), skill(1), skill(2)]);
  const { client, wrapped } = await page(3, { cursor: nextCursor });
  expect([wrapped, uris(JSON.parse(client).result.resources), JSON.parse(client).result.nextCursor]).toEqual([
    '',
    [skill(3), skill(4)],
    undefined,
  ]);
});

test('does not ask a server for what it did not declare', async () => {
  const wire = createWire(CATALOG, { tools: 'always', prompts: true });
  await open(wire, {});
  const listings = ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list', 'skills/list'];
  for (const [id, method] of listings.entries()) {
    const { client, wrapped } = await wire.client(toRequest(id, method));
    expect([method, wrapped, Object.keys(JSON.parse(client))]).toEqual([method, '', ['jsonrpc', 'id', 'result']]);
  }
  expect((await wire.client(toRequest(9, 'tools/list', { cursor: 'x' }))).client).toContain('"code":-32602');
});

test('adds nothing where nothing is to be added, and then changes no byte', async () => {
  const wire = createWire(CATALOG, { tools: 'auto' });
  await open(wire, { tools: {}, prompts: {} }, { capabilities: { extensions: { [EXTENSION]: {} } } });
  for (const [id, method, field] of [
    [1, 'tools/list', 'tools'],
    [2, 'prompts/list', 'prompts'],
  ] as const) {
    await wire.client(toRequest(id, method));
    const answer = `{"jsonrpc":"2.0", "id":${id}, "result":{"${field}":[ {"name":"a"} ]}}\n`;
    expect((await wire.wrapped(answer)).client).toBe(answer);
  }
});

test('a listing that the server refuses is ours alone where it says that it has none, and refused otherwise', async () => {
  const wire = createWire(CATALOG, { tools: 'always' });
  await open(wire, { tools: {}, resources: {} });
  await wire.client(toRequest(1, 'tools/list'), toRequest(2, 'resources/list'));
  const { client } = await wire.wrapped(toRefusal(1, -32601), toRefusal(2, -32603));
  const [tools, resources] = parse(client) as [{ result: { tools: { name: string }[] } }, object];
  expect(tools.result.tools.map(({ name }) => name)).toEqual(OURS);
  expect(resources).toEqual(toRefusal(2, -32603));
});

test('a cursor that looks like ours goes back to the server that gave it', async () => {
  const inner = createWire(makeMany(3), { pageSize: 1 });
  await open(inner, {});
  const cursor = JSON.parse((await inner.client(toRequest(1, 'resources/list'))).client).result.nextCursor;
  const wire = createWire(CATALOG);
  await open(wire, { resources: {} });
  await wire.client(toRequest(1, 'resources/list'));
  const { client } = await wire.wrapped(toResult(1, { resources: [], nextCursor: cursor }));
  const marked = JSON.parse(client).result.nextCursor;
  expect(marked).not.toBe(cursor);
  const { wrapped } = await wire.client(toRequest(2, 'resources/list', { cursor: marked }));
  expect(parse(wrapped)).toEqual([toRequest(2, 'resources/list', { cursor })]);
});

test('answers what is ours, and asks the server for the rest', async () => {
  const wire = createWire(CATALOG, { tools: 'always', prompts: true, legacyIndex: true });
  await open(wire, { tools: {}, resources: { subscribe: true }, prompts: {}, completions: {} });
  const own = [
    toRequest(1, 'tools/call', { name: 'skill_load', arguments: { skill: 'alpha' } }),
    toRequest(2, 'tools/call', { name: 'skill_list', arguments: { query: 'alpha' } }),
    toRequest(3, 'resources/read', { uri: 'skill://alpha/notes.md' }),
    toRequest(4, 'resources/read', { uri: 'skill://index.json' }),
    toRequest(5, 'prompts/get', { name: 'group_beta' }),
    toRequest(6, 'completion/complete', {
      ref: { type: 'ref/resource', uri: 'skill://{+path}' },
      argument: { name: 'path', value: 'a' },
    }),
    toRequest(7, 'resources/directory/read', { uri: 'skill://group' }),
    toRequest(8, 'resources/subscribe', { uri: ALPHA }),
    toRequest(9, 'skills/get', { uri: 'skill://none/SKILL.md' }),
  ];
  for (const request of own) {
    const first = await wire.client(request);
    await wire.relay.settle();
    const client = first.client + (await wire.client()).client;
    const { wrapped } = first;
    const answers = parse(client).map(({ id, error }) => ({ id, isRefused: error !== undefined }));
    const { id } = request as { id: number };
    expect([wrapped, answers]).toEqual(['', [{ id, isRefused: id === 9 }]]);
  }
  const theirs = [
    toRequest(11, 'tools/call', { name: 'echo' }),
    toRequest(12, 'resources/read', { uri: 'skill://other/file.md' }),
    toRequest(13, 'prompts/get', { name: 'gamma' }),
    toRequest(14, 'completion/complete', {
      ref: { type: 'ref/prompt', name: 'p' },
      argument: { name: 'x', value: '' },
    }),
    toRequest(15, 'resources/subscribe', { uri: 'a:1' }),
  ];
  for (const request of theirs) {
    expect(await wire.client(request)).toEqual({ client: '', wrapped: `${JSON.stringify(request)}\n` });
  }
});

test('names that the server has stay its own, and the user is told once', async () => {
  const catalog = makeCatalog([{ path: 'alpha' }, { path: 'beta' }, { path: 'group/gamma' }]);
  const wire = createWire(catalog, { tools: 'always', prompts: true });
  await open(wire, { tools: {}, prompts: {}, resources: {} });
  for (const id of [1, 2]) {
    await wire.client(toRequest(`t${id}`, 'tools/list'), toRequest(`p${id}`, 'prompts/list'));
    await wire.client(toRequest(`r${id}`, 'resources/list'), toRequest(`x${id}`, 'resources/templates/list'));
    const { client } = await wire.wrapped(
      toResult(`t${id}`, { tools: [{ name: 'skill_list' }, { name: 'echo' }] }),
      toResult(`p${id}`, { prompts: [{ name: 'alpha' }] }),
      toResult(`r${id}`, { resources: [{ uri: 'skill://group/gamma/SKILL.md' }] }),
      toResult(`x${id}`, { resourceTemplates: [{ uriTemplate: 'skill://{+path}' }] }),
    );
    const [tools, prompts, resources, templates] = parse(client).map(
      ({ result }) => Object.values(result as object)[0],
    );
    const names = (items: { name?: string; uri?: string; uriTemplate?: string }[]) =>
      items.map(({ name, uri, uriTemplate }) => uriTemplate ?? uri ?? name);
    expect(names(tools)).toEqual(['skill_list', 'echo', 'skill_load', 'skill_file']);
    // the prompt of a skill that is left out goes with it
    expect(names(prompts)).toEqual(id === 1 ? ['alpha', 'beta', 'group_gamma'] : ['alpha', 'beta']);
    expect(names(resources)).toEqual(['skill://group/gamma/SKILL.md', ALPHA, 'skill://beta/SKILL.md']);
    expect(names(templates)).toEqual(['skill://{+path}']);
  }
  const theirs = [
    toRequest(21, 'tools/call', { name: 'skill_list' }),
    toRequest(22, 'prompts/get', { name: 'alpha' }),
    toRequest(23, 'resources/read', { uri: 'skill://group/gamma/SKILL.md' }),
    toRequest(24, 'completion/complete', {
      ref: { type: 'ref/resource', uri: 'skill://{+path}' },
      argument: { name: 'path', value: 'a' },
    }),
  ];
  for (const request of theirs.slice(0, 3)) {
    expect(await wire.client(request)).toEqual({ client: '', wrapped: `${JSON.stringify(request)}\n` });
  }
  // it declared no completions
  expect((await wire.client(theirs[3] as object)).wrapped).toBe('');
  // a host would read bytes that the entry does not describe
  const { client } = await wire.client(toRequest(25, 'skills/list'));
  expect(JSON.parse(client).result.skills.map(({ uri }: { uri: string }) => uri)).toEqual([
    ALPHA,
    'skill://beta/SKILL.md',
  ]);
  expect(wire.notes).toEqual([
    'the wrapped server has a tool "skill_list" of its own: it keeps the name, and ours is left out; --tool-prefix gives the tools for skills other names',
    'the wrapped server has a prompt "alpha" of its own: it keeps the name, and ours is left out',
    'the wrapped server has a resource "skill://group/gamma/SKILL.md" of its own: it keeps the name, and ours is left out, with the skill that it is of; a root with a prefix (prefix=folder) has other URIs',
    'the wrapped server has a resource template "skill://{+path}" of its own: it keeps the name, and ours is left out',
  ]);
});

test('of a server that publishes skills itself, the entries are joined; a skill that is there twice is ours', async () => {
  const wire = createWire(CATALOG);
  await open(wire, { resources: {}, extensions: { [EXTENSION]: {} } });
  const theirs = { uri: ALPHA, frontmatter: { name: 'alpha', description: 'theirs' }, resources: [] };
  const other = { uri: 'skill://other/SKILL.md', frontmatter: { name: 'other', description: 'o' }, resources: [] };
  await wire.client(toRequest(1, 'skills/list'), toRequest(2, 'resources/list'));
  const { client } = await wire.wrapped(
    toResult(1, { skills: [theirs, other] }),
    toResult(2, {
      resources: [
        { uri: ALPHA, name: 'theirs' },
        { uri: other.uri, name: 'other' },
      ],
    }),
  );
  const [skills, resources] = parse(client) as [{ result: { skills: unknown } }, { result: { resources: object[] } }];
  expect(skills.result.skills).toEqual([other, ...CATALOG.skills]);
  expect(resources.result.resources).toMatchObject([
    { name: 'other' },
    { uri: ALPHA, name: 'alpha' },
    { name: 'beta' },
  ]);
  expect(JSON.parse((await wire.client(toRequest(3, 'skills/get', { uri: ALPHA }))).client).result.skill).toEqual(
    CATALOG.get(ALPHA),
  );
  const asked = [
    toRequest(4, 'skills/get', { uri: other.uri }),
    toRequest(5, 'resources/read', { uri: other.uri }),
    toRequest(6, 'resources/directory/read', { uri: 'skill://other' }),
  ];
  for (const request of asked) expect((await wire.client(request)).wrapped).toBe(`${JSON.stringify(request)}\n`);
  // a group that both have
  await wire.client(toRequest(7, 'resources/directory/read', { uri: 'skill://group' }));
  const group = await wire.wrapped(toResult(7, { resources: [{ uri: 'skill://group/delta', name: 'delta' }] }));
  expect(JSON.parse(group.client).result.resources.map(({ name }: { name: string }) => name)).toEqual([
    'delta',
    'beta',
  ]);
  await wire.client(toRequest(8, 'resources/directory/read', { uri: 'skill://alpha' }));
  const folder = await wire.wrapped(toRefusal(8, -32602));
  expect(JSON.parse(folder.client).result.resources).toHaveLength(2);
  expect(wire.notes).toEqual([
    'the wrapped server also has a skill at "skill://alpha/SKILL.md": ours is served, and that one is left out',
  ]);
});

test('a response is changed by the request that it answers, whatever else has that id', async () => {
  const wire = createWire(CATALOG, { tools: 'always' });
  await open(wire, { tools: {} });
  await wire.client(toRequest(1, 'tools/list'));
  const asks = '{"jsonrpc":"2.0","id":1,"method":"roots/list"}\n';
  expect((await wire.wrapped(asks)).client).toBe(asks);
  const other = '{"jsonrpc":"2.0","id":"1","result":{"tools":[]}}\n';
  expect((await wire.wrapped(other)).client).toBe(other);
  expect(JSON.parse((await wire.wrapped(toResult(1, { tools: [] }))).client).result.tools).toHaveLength(3);
});

test('a cancelled request is passed on where the server has it, and is ours where it does not', async () => {
  const wire = createWire(CATALOG, { tools: 'always' });
  await open(wire, { tools: {} });
  const cancel = (requestId: number) => ({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } });
  await wire.client(toRequest(1, 'tools/list'));
  expect((await wire.client(cancel(1))).wrapped).toBe(`${JSON.stringify(cancel(1))}\n`);
  // the search is loaded in the background: the request is under way when it is cancelled
  const call = toRequest(2, 'tools/call', { name: 'skill_list', arguments: { query: 'alpha' } });
  expect(await wire.client(call, cancel(2))).toEqual({ client: '', wrapped: '' });
  await wire.relay.settle();
  expect((await wire.client()).client).toBe('');
});

test('what comes before the skills are read is passed on at once, or waits; nothing is lost', async () => {
  const wire = createWire(undefined);
  const initialize = toRequest(1, 'initialize', {});
  const ping = toRequest(2, 'ping');
  const echo = toRequest(3, 'tools/call', { name: 'echo' });
  const tools = toRequest(4, 'tools/list');
  const own = toRequest(5, 'skills/get', { uri: ALPHA });
  const cancelled = toRequest(6, 'skills/list');
  const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 6 } };
  const { wrapped } = await wire.client(initialize, tools, own, ping, cancelled, cancel, echo);
  expect(parse(wrapped)).toEqual([initialize, ping, echo]);
  const notice = { jsonrpc: '2.0', method: 'notifications/message', params: {} };
  const early = await wire.wrapped(toResult(2, {}), toResult(1, { capabilities: { tools: {} } }), notice);
  // the answer to `initialize` needs the skills, and what follows it comes after it
  expect(parse(early.client)).toEqual([toResult(2, {})]);
  wire.session.publish(publish(CATALOG, { tools: 'always' }));
  wire.relay.proceed();
  const { client, wrapped: late } = await wire.client();
  expect(parse(late)).toEqual([tools]);
  expect(parse(client).map(({ id, method }) => id ?? method)).toEqual([5, 1, 'notifications/message']);
});

test('of a batch, what is ours is answered, and the rest is passed on one by one', async () => {
  const wire = createWire(CATALOG);
  await wire.client(toRequest(0, 'initialize', {}));
  await wire.wrapped(toResult(0, { protocolVersion: '2025-03-26', capabilities: { tools: {} } }));
  const foreign = '[{"jsonrpc":"2.0","id":1,"method":"ping"}, {"jsonrpc":"2.0","method":"notifications/x"}]\n';
  expect(await wire.client(foreign)).toEqual({ client: '', wrapped: foreign });
  const mixed = [toRequest(1, 'ping'), toRequest(2, 'skills/get', { uri: ALPHA }), toRequest(3, 'tools/list')];
  const { client, wrapped } = await wire.client(`${JSON.stringify(mixed)}\n`);
  expect([parse(client).map(({ id }) => id), parse(wrapped)]).toEqual([[2], [mixed[0], mixed[2]]]);
});

test('a line of the server that is no message goes to the user, and not to the client', async () => {
  const wire = createWire(CATALOG);
  const { client } = await wire.wrapped('Server started\n', '{ port: 3000 }\n', toResult(1, {}), '\n');
  expect([parse(client), wire.stray()]).toEqual([[toResult(1, {})], 'Server started\n{ port: 3000 }\n\n']);
});

test('a response of another form than its method has is passed on as it is', async () => {
  const wire = createWire(CATALOG, { tools: 'always' });
  await open(wire, { tools: {} });
  for (const [id, result] of [5, 'x', null, [], { tools: 5 }, { tools: null, nextCursor: 7 }].entries()) {
    await wire.client(toRequest(id, 'tools/list'));
    const line = `${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`;
    const { client } = await wire.wrapped(line);
    // an object without a list is taken for one without items
    if (id === 4) expect(JSON.parse(client).result.tools).toHaveLength(3);
    else expect(client).toBe(line);
  }
});
