import { afterAll, beforeAll, expect, test } from 'vitest';
import { post, type Started, start, toCall } from './harness.ts';

let server: Started;

beforeAll(async () => {
  server = await start({
    auth: { token: 'sesame-sesame-sesame' },
    allowHosts: ['Skills.Example.com'],
    allowOrigins: ['https://app.example.com', 'moz-extension://*'],
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

test.each(['https://app.example.com', 'http://localhost:6274', 'moz-extension://d0c5'])(
  'lets %s ask',
  async (origin) => {
    const [status, allowed, { headers }] = await preflight(origin);
    expect([status, allowed]).toEqual([204, origin]);
    const names = headers.get('access-control-allow-headers')?.toLowerCase().split(', ');
    expect(names).toEqual(
      expect.arrayContaining(['authorization', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name']),
    );
    expect(headers.get('access-control-allow-methods')).toContain('POST');
    expect(headers.get('vary')).toContain('Origin');
  },
);

test.each([
  'https://app.example.com:8443',
  'http://app.example.com',
  'https://app.example.com.evil.example',
  'https://evil.example',
  'https://skills.example.com',
  'null',
])('does not let %s ask', async (origin) => {
  const [status, allowed] = await preflight(origin);
  expect([status, allowed]).toEqual([403, null]);
});

test('lets a page read the challenge, and the answer', async () => {
  const origin = 'https://app.example.com';
  const refused = await post(server.url, toCall('ping'), { origin });
  expect(refused.status).toBe(401);
  expect(refused.headers.get('access-control-allow-origin')).toBe(origin);
  expect(refused.headers.get('access-control-expose-headers')).toContain('WWW-Authenticate');
  const answered = await post(server.url, toCall('ping'), { origin, authorization: 'Bearer sesame-sesame-sesame' });
  expect([answered.status, answered.headers.get('access-control-allow-origin')]).toEqual([200, origin]);
  expect(answered.headers.get('vary')).toBe('Origin, Accept-Encoding');
});
