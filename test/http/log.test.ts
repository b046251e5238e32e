import { expect, test } from 'vitest';
import { publishCatalog } from '../../src/http/publication.ts';
import { createInstance } from '../../src/mcp/instance.ts';
import { createLog } from '../../src/mcp/log.ts';
import { createFixture, post, readCode, start, toCall, toModernCall } from './harness.ts';

const fixture = createFixture(2, { 'skill://s/SKILL.md': 'the-content-of-a-file' });
const trace = {
  traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  tracestate: 'congo=t61rcWkgMzE',
};
const token = 'the-token-of-a-client';
const number = expect.any(Number);

test('writes a JSON line a request, with neither content nor tokens', async () => {
  const server = await start({ auth: { token } }, fixture);
  const bearer = { authorization: `Bearer ${token}` };
  const read = toModernCall('resources/read', { uri: 'skill://s/SKILL.md', _meta: trace });
  await (await fetch(server.url, { ...read, headers: { ...read.headers, ...bearer } })).text();
  await (
    await post(server.url, toCall('resources/read', { uri: 'skill://none/SKILL.md', _meta: trace }), bearer)
  ).text();
  await (await post(server.url, toCall('ping', { _meta: { traceparent: 'forged\n' } }), bearer)).text();
  await (await post(server.url, toCall('ping'), { authorization: 'Bearer guess-guess-guess' })).text();
  await (await fetch(`${server.url}?secret=in-the-query`, { method: 'DELETE', headers: bearer })).text();
  await server.close();

  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT/);
  const base = { time, verb: 'POST', path: '/mcp', status: 200, bytes: number, duration_ms: number };
  expect(server.entries()).toEqual([
    { ...base, method: 'resources/read', skill: 's', uri: 'skill://s/SKILL.md', token: 'env', ...trace },
    { ...base, method: 'resources/read', uri: 'skill://none/SKILL.md', token: 'env', error: -32602, ...trace },
    { ...base, method: 'ping', token: 'env' },
    { ...base, status: 401, refused: 'the token is not known' },
    { ...base, verb: 'DELETE', status: 405, token: 'env', refused: 'only POST is served here' },
  ]);
  expect(server.log()).not.toMatch(/the-content|the-token-of|guess-guess|in-the-query|forged/);
});

test('writes lines for people, and no line that a client made up', async () => {
  const server = await start({ log: 'text' }, fixture);
  const uri = 'skill://a\n2026-01-01T00:00:00Z 200 POST /mcp\u001b[2J\u2028x';
  await (await post(server.url, toCall('resources/read', { uri }))).text();
  await (await fetch(new URL('/healthz', server.url))).text();
  await server.close();
  const lines = server.log().trimEnd().split('\n');
  expect(lines).toHaveLength(2);
  expect(lines[0]).toMatch(
    /^\S+Z 200 POST \/mcp resources\/read skill:\/\/a\ufffd2026.*\[2J\ufffdx \d+ B [\d.]+ ms \(error -32602\)$/,
  );
  expect(lines[1]).toMatch(/^\S+Z 200 GET \/healthz \d+ B [\d.]+ ms$/);
});

test('writes JSON lines in which nothing moves a cursor or hides, and whose values stay the same', async () => {
  const server = await start({}, fixture);
  const uri = 'skill://a\u009b2J\u202egnp.\u2066\u2028\u2029\u200b\u{e0041}\ud800';
  await (await post(server.url, toCall('resources/read', { uri }))).text();
  await server.close();
  const [line = '', ...others] = server.log().trimEnd().split('\n');
  expect([others, /^[ -~]*$/.test(line)]).toEqual([[], true]);
  expect(JSON.parse(line)).toMatchObject({ method: 'resources/read', uri });
});

test('is quiet when asked', async () => {
  const server = await start({ log: 'off' }, fixture);
  await (await post(server.url, toCall('ping'))).text();
  await server.close();
  expect(server.log()).toBe('');
});

test('tells of a factory that fails; the client gets 500, and the server lives', async () => {
  let isFailing = false;
  const publish = publishCatalog(fixture.catalog, () => {
    if (isFailing) throw new Error('no server today');
    return createInstance({ name: 'test', version: '0' }, fixture.catalog, {});
  });
  const server = await start({}, { publish });
  isFailing = true;
  const legacy = await post(server.url, toCall('ping', {}, 5));
  const modern = await fetch(server.url, toModernCall('skills/list'));
  for (const response of [legacy, modern]) {
    expect([response.status, await readCode(response)]).toEqual([500, -32603]);
  }
  expect((await fetch(new URL('/healthz', server.url))).status).toBe(200);
  await server.close();
  const notes = server.entries().filter((entry) => entry['level'] === 'error');
  expect(notes.map((entry) => entry['message'])).toEqual([
    expect.stringContaining('no server today'),
    expect.stringContaining('no server today'),
  ]);
});

test('counts for Prometheus, for those who may ask', async () => {
  const server = await start({ metrics: true, auth: { token } }, fixture);
  const bearer = { authorization: `Bearer ${token}` };
  for (const method of ['ping', 'ping', 'made/up', 'skills/list']) {
    await (await post(server.url, toCall(method), bearer)).text();
  }
  await (await post(server.url, toCall('ping'))).text();
  const url = new URL('/metrics', server.url);
  expect((await fetch(url)).status).toBe(401);
  const response = await fetch(url, { headers: bearer });
  expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  const text = await response.text();
  const samples = new Map(
    text
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => [line.slice(0, line.lastIndexOf(' ')), line.slice(line.lastIndexOf(' ') + 1)]),
  );
  expect(samples.get('mcp_skills_requests_total{method="ping",status="200"}')).toBe('2');
  expect(samples.get('mcp_skills_requests_total{method="other",status="200"}')).toBe('1');
  expect(samples.get('mcp_skills_requests_total{method="none",status="401"}')).toBe('2');
  expect(samples.get('mcp_skills_errors_total{code="-32601"}')).toBe('1');
  expect(samples.get(`mcp_skills_catalog_info{digest="${fixture.summary.digest}"}`)).toBe('1');
  expect(samples.get('mcp_skills_catalog_skills')).toBe('3');
  expect(samples.get('mcp_skills_requests_in_flight')).toBe('1');
  expect(samples.get('mcp_skills_request_duration_seconds_bucket{le="+Inf"}')).toBe('6');
  expect(samples.get('mcp_skills_request_duration_seconds_count')).toBe('6');
  expect(text).not.toContain('made/up');
  // Every family says what it is, before its samples.
  for (const line of samples.keys()) {
    const family = line.replace(/\{.*/, '').replace(/_(bucket|sum|count)$/, '');
    expect(text).toMatch(new RegExp(`# HELP ${family} .+\n# TYPE ${family} (gauge|counter|histogram)\n`));
  }
  await server.close();
});

test('drops and counts the lines that a stalled reader does not take', () => {
  const lines: string[] = [];
  const stderr = { write: (text: string) => lines.push(text), writableLength: 0 };
  const log = createLog('json', stderr, () => 0);
  log.note('info', 'one');
  stderr.writableLength = 1024 * 1024 + 1;
  for (let i = 0; i < 5; i += 1) log.note('info', 'lost');
  stderr.writableLength = 1024 * 1024;
  log.note('info', 'two');
  log.note('info', 'three');
  stderr.writableLength += 1;
  log.note('info', 'lost at the end');
  log.end();
  stderr.writableLength = 0;
  log.end();
  log.end();
  const time = '1970-01-01T00:00:00.000Z';
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { time, level: 'info', message: 'one' },
    { time, level: 'error', message: '5 lines were dropped here: what reads this log is too slow' },
    { time, level: 'info', message: 'two' },
    { time, level: 'info', message: 'three' },
    { time, level: 'error', message: '1 line was dropped here: what reads this log is too slow' },
  ]);
});
