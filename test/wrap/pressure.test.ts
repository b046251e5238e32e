import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { makeCatalog } from '../mcp/catalog.ts';
import { createWire, open, parse, toRequest, toResult } from './wire.ts';

const BIG = 'x'.repeat(100_000);
const CATALOG = makeCatalog([{ path: 'alpha', files: { 'big.txt': BIG } }]);
const READ = { uri: 'skill://alpha/big.txt' };

async function turn(times = 50): Promise<void> {
  for (let each = 0; each < times; each += 1) await setImmediate();
}

test('a client that does not read makes the server wait, and then gets everything in order', async () => {
  const wire = createWire(CATALOG);
  await open(wire, {});
  const { stdout, output } = wire.streams;
  const lines = Array.from(
    { length: 200 },
    (_, n) => `{"jsonrpc":"2.0","method":"x","params":{"n":${n},"text":"${BIG}"}}\n`,
  );
  for (const line of lines) stdout.write(line);
  await turn();
  // a chunk or two beyond what the streams hold
  expect(output.writableLength + output.readableLength).toBeLessThan(5 * BIG.length);
  let got = '';
  output.setEncoding('utf8').on('data', (text: string) => {
    got += text;
  });
  await expect.poll(() => got.length).toBe(lines.join('').length);
  expect(got).toBe(lines.join(''));
});

test('a client that asks and does not read waits itself; what is for the server still passes', async () => {
  const wire = createWire(CATALOG);
  await open(wire, { resources: {} });
  const { input, output, stdin } = wire.streams;
  for (let id = 0; id < 100; id += 1) input.write(`${JSON.stringify(toRequest(id, 'resources/read', READ))}\n`);
  await turn();
  expect(output.writableLength + output.readableLength).toBeLessThan(5 * BIG.length);
  let got = '';
  output.setEncoding('utf8').on('data', (text: string) => {
    got += text;
  });
  input.write(`${JSON.stringify(toRequest('last', 'ping'))}\n`);
  await expect.poll(() => got.split('\n').length).toBe(101);
  expect(parse(got).map(({ id }) => id)).toEqual(Array.from({ length: 100 }, (_, id) => id));
  expect(parse(String(stdin.read())).map(({ id }) => id)).toEqual(['last']);
});

test('a server that does not read makes the client wait', async () => {
  const wire = createWire(CATALOG);
  await open(wire, {});
  const { input, stdin } = wire.streams;
  const lines = Array.from(
    { length: 200 },
    (_, n) => `{"jsonrpc":"2.0","method":"x","params":{"n":${n},"text":"${BIG}"}}\n`,
  );
  for (const line of lines) input.write(line);
  await turn();
  expect(stdin.writableLength + stdin.readableLength).toBeLessThan(5 * BIG.length);
  let got = '';
  stdin.setEncoding('utf8').on('data', (text: string) => {
    got += text;
  });
  await expect.poll(() => got.length).toBe(lines.join('').length);
  expect(got).toBe(lines.join(''));
});

test('a line of many megabytes passes whole, and one beside it is changed', async () => {
  const wire = createWire(CATALOG, { tools: 'always' });
  await open(wire, { tools: {} });
  const { stdout, output } = wire.streams;
  let got = '';
  output.setEncoding('utf8').on('data', (text: string) => {
    got += text;
  });
  await wire.client(toRequest(1, 'tools/list'));
  const large = `{"jsonrpc":"2.0","id":2,"result":{"text":"${BIG.repeat(200)}"}}\n`;
  const tools = [{ name: 'a', description: `"]}${BIG.repeat(20)}` }];
  for (let at = 0; at < large.length; at += 65_536) stdout.write(large.slice(at, at + 65_536));
  stdout.write(`${JSON.stringify(toResult(1, { tools }))}\n`);
  await expect.poll(() => got.split('\n').length).toBe(3);
  expect(got.startsWith(large)).toBe(true);
  const { result } = JSON.parse(got.slice(large.length));
  expect([result.tools[0], result.tools.length]).toEqual([tools[0], 4]);
});
