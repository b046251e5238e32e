import { expect, test } from 'vitest';
import { makeCatalog } from '../mcp/catalog.ts';
import { createWire, MODERN, open, parse, publish, toRefusal, toRequest, toResult } from './wire.ts';

const CATALOG = makeCatalog([{ path: 'alpha' }]);
const ALPHA = 'skill://alpha/SKILL.md';
const ID = 'io.modelcontextprotocol/subscriptionId';
const FILTER = {
  toolsListChanged: true,
  promptsListChanged: true,
  resourcesListChanged: true,
  resourceSubscriptions: ['a:1', ALPHA],
};

/** A relay whose skills tell of their changes, as they do where a folder is followed. */
function createLive() {
  const wire = createWire(CATALOG);
  const make = publish(CATALOG, { tools: 'auto' });
  wire.session.publish((isKept) => {
    const offer = make(isKept);
    const { tools = {}, extensions = {} } = offer.capabilities;
    return { ...offer, capabilities: { tools, extensions, resources: { listChanged: true, subscribe: true } } };
  });
  return wire;
}

const listen = (id: number | string) => toRequest(id, 'subscriptions/listen', { notifications: FILTER, ...MODERN });
const acknowledge = (id: number | string, notifications: object) => ({
  jsonrpc: '2.0',
  method: 'notifications/subscriptions/acknowledged',
  params: { notifications, _meta: { [ID]: id } },
});

test('an acknowledgement stays as it is where the skills never change', async () => {
  const wire = createWire(CATALOG);
  const request = listen(1);
  expect(await wire.client(request)).toEqual({ client: '', wrapped: `${JSON.stringify(request)}\n` });
  const line = `${JSON.stringify(acknowledge(1, { toolsListChanged: true }), null, 1).replaceAll('\n', ' ')}\n`;
  expect((await wire.wrapped(line)).client).toBe(line);
});

test('an acknowledgement also has what the skills honour', async () => {
  const wire = createLive();
  await wire.client(listen(1), listen('b'));
  const { client } = await wire.wrapped(
    acknowledge(1, { toolsListChanged: true, resourceSubscriptions: ['a:1'] }),
    acknowledge('b', {}),
    // of a subscription that nobody asked for
    acknowledge('c', {}),
  );
  expect(parse(client)).toEqual([
    acknowledge(1, { toolsListChanged: true, resourceSubscriptions: ['a:1', ALPHA], resourcesListChanged: true }),
    acknowledge('b', { resourcesListChanged: true, resourceSubscriptions: ['a:1', ALPHA] }),
    acknowledge('c', {}),
  ]);
  const changed = 'notifications/resources/list_changed';
  const toNotice = (id: number | string, method: string, params: object = {}) => ({
    ...{ jsonrpc: '2.0', method },
    params: { ...params, _meta: { [ID]: id } },
  });
  expect(wire.session.announce(changed).flatMap(parse)).toEqual([toNotice(1, changed), toNotice('b', changed)]);
  const updated = 'notifications/resources/updated';
  await wire.wrapped(toResult('b', { resultType: 'complete' }));
  expect(wire.session.announce(updated, { uri: ALPHA }).flatMap(parse)).toEqual([toNotice(1, updated, { uri: ALPHA })]);
  expect(wire.session.announce(updated, { uri: 'skill://other' })).toEqual([]);
  expect(wire.session.announce('notifications/prompts/list_changed')).toEqual([]);
  const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };
  expect((await wire.client(cancel)).wrapped).toBe(`${JSON.stringify(cancel)}\n`);
  expect(wire.session.announce(changed)).toEqual([]);
});

test('a server without subscriptions leaves them to the skills, and does not hear of their end', async () => {
  const wire = createLive();
  await wire.client(listen(1));
  expect(parse((await wire.wrapped(toRefusal(1, -32601))).client)).toEqual([
    acknowledge(1, { resourcesListChanged: true, resourceSubscriptions: ['a:1', ALPHA] }),
  ]);
  expect(wire.session.announce('notifications/resources/list_changed')).toHaveLength(1);
  const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };
  expect(await wire.client(cancel)).toEqual({ client: '', wrapped: '' });
  // any other refusal is the client's to hear
  await wire.client(listen(2));
  expect(parse((await wire.wrapped(toRefusal(2, -32603))).client)).toEqual([toRefusal(2, -32603)]);
});

test('a client of an older revision is told without having asked', async () => {
  const wire = createLive();
  await open(wire, {});
  expect(wire.session.announce('notifications/resources/list_changed').flatMap(parse)).toEqual([
    { jsonrpc: '2.0', method: 'notifications/resources/list_changed', params: {} },
  ]);
});
