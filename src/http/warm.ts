import { LATEST_PROTOCOL_VERSION } from '@modelcontextprotocol/server';
import type { Protocol } from '../mcp/protocol.ts';

const MODERN = '2026-07-28';
const META = 'io.modelcontextprotocol';

/**
 * Answers one request of each era to nobody, before anybody asks: the SDK makes its schemas when they are first needed, and the first
 * client, and whoever asks beside it, would wait for that.
 */
export async function warmUp(protocol: Protocol): Promise<void> {
  const _meta = {
    [`${META}/protocolVersion`]: MODERN,
    [`${META}/clientInfo`]: { name: 'warm-up', version: '0' },
    [`${META}/clientCapabilities`]: {},
  };
  const { signal } = new AbortController();
  for (const [version, params] of [
    [LATEST_PROTOCOL_VERSION, {}],
    [MODERN, { _meta }],
  ] as const) {
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': version,
      'mcp-method': 'skills/list',
    };
    await protocol.answer({
      request: new Request('http://localhost/mcp', { method: 'POST', headers }),
      body: { jsonrpc: '2.0', id: 0, method: 'skills/list', params },
      inTurn: async (_, make) => ({ response: await make(), isRefused: false }),
      signal,
    });
  }
}
