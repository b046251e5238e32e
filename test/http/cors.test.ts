import { afterAll, beforeAll, expect, test } from 'vitest';
import { post, type Started, sendRaw, start, toCall, toRawPost } from './harness.ts';

let server: Started;

beforeAll(async () => {
  server = await start({
    auth: { token: 'sesame-sesame-sesame' },
    allowHosts: ['Skills.Example.com', '[2001:DB8:0::0001]', '192.0.2.1'],
    allowOrigins: [
      'https://app.example.com',
      'https://Port.Example.com:443/',
      'http://port.example.com:80',
      'moz-extension://*',
    ],
  });
});
afterAll(() => server.close());

const preflight = async (origin: string) => {
  const response = await fetch(server.url, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization, content-type, mcp-protocol-version, mcp-method, mcp-name',
    },
  });
  return [response.status, response.headers.get('access-control-allow-origin'), response] as const;
};

test.each([
  ...['https://app.example.com', 'https://port.example.com', 'http://port.example.com', 'http://localhost:6274'],
  'moz-extension://d0c5',
])('lets %s ask', async (origin) => {
  const [status, allowed, { headers }] = await preflight(origin);
  expect([status, allowed]).toEqual([204, origin]);
  const names = headers.get('access-control-allow-headers')?.toLowerCase().split(/, ?/);
  expect(names).toEqual(
    expect.arrayContaining(['authorization', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name']),
  );
  expect(headers.get('access-control-allow-methods')).toContain('POST');
  expect(headers.get('vary')).toContain('Origin');
});

test.each([
  'https://app.example.com:8443',
  'http://app.example.com',
  'https://app.example.com.evil.example',
  'https://evil.example',
  'https://skills.example.com',
  'null',
])('does not let %s ask', async (origin) => {
  const [status, allowed, { headers }] = await preflight(origin);
  expect([status, allowed, headers.get('vary')]).toEqual([403, null, 'Origin, Accept-Encoding']);
});

test.each([
  'skills.example.com',
  'SKILLS.example.com:3000',
  '[2001:db8::1]:3000',
  '[2001:db8:0:0:0:0:0:1]',
  '192.0.2.1:1',
])('knows itself as %s', async (host) => {
  const { text } = await sendRaw(server.port, [toRawPost(toCall('ping'), { Host: host })], 5_000, 50);
  expect(text).toMatch(/^HTTP\/1.1 401 /);
});

test('lets a page read the challenge, and the answer', async () => {
  const origin = 'https://app.example.com';
  const refused = await post(server.url, toCall('ping'), { origin });
  expect(refused.status).toBe(401);
  expect(refused.headers.get('access-control-allow-origin')).toBe(origin);
  expect(refused.headers.get('access-control-expose-headers')).toContain('WWW-Authenticate');
  const answered = await post(server.url, toCall('ping'), { origin, authorization: 'Bearer sesame-sesame-sesame' });
  expect([answered.status, answered.headers.get('access-control-allow-origin')]).toEqual([200, origin]);
  expect(answered.headers.get('vary')?.split(', ').sort()).toEqual(['Accept-Encoding', 'Origin']);
});
