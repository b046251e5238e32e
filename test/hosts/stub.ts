import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { anthropic } from './anthropic.ts';
import { chat } from './chat.ts';
import { gemini } from './gemini.ts';
import { type Api, type Body, KEY, type Prompt, type Turn, type Wire } from './model.ts';
import { responses } from './responses.ts';

export interface Stub {
  /** `http://127.0.0.1:PORT`, without a path. */
  readonly url: string;
  /** Every request in its order: what it was, and the body of one that asked for a turn. */
  readonly requests: readonly { readonly line: string; readonly body?: Body }[];
  readonly close: () => Promise<void>;
}

const APIS: readonly Api[] = [anthropic, chat, responses, gemini];

/**
 * Serves a model on loopback that says what it is made to say, in each API that hosts speak.
 *
 * @param model - decides what it says next
 */
export async function startStub(model: (prompt: Prompt) => Turn): Promise<Stub> {
  const requests: { line: string; body?: Body }[] = [];
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      requests.push({ line: `failed: ${error instanceof Error ? error.stack : error}` });
      response.destroy();
    });
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? '').replace(/\?.*$/, '');
    const line = `${request.method} ${path}`;
    const sent = await text(request);
    const api = request.method === 'POST' ? APIS.find((each) => each.path.test(path)) : undefined;
    if (api === undefined) {
      requests.push({ line });
      return answerOther(path, response);
    }
    if (readKey(request) !== KEY) return sendJson(response, 401, { error: { message: 'this is not the made-up key' } });
    const body = JSON.parse(sent) as Body;
    requests.push({ line, body });
    const wire = api.writeTurn(model(api.readPrompt(body)), body);
    if (api.isStream(body, path)) sendEvents(response, wire);
    else sendJson(response, 200, wire.whole);
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, requests, close: () => close(server) };
}

/** Each API has its own header; Gemini's may be in the query too. */
function readKey({ headers, url = '' }: IncomingMessage): string | undefined {
  const [scheme, token] = (headers.authorization ?? '').split(' ');
  const named = headers['x-api-key'] ?? headers['x-goog-api-key'];
  const key = named ?? (scheme === 'Bearer' ? token : undefined);
  return typeof key === 'string' ? key : (new URLSearchParams(url.split('?')[1]).get('key') ?? undefined);
}

/** What hosts ask besides turns: how long a prompt is, and which models there are. */
function answerOther(path: string, response: ServerResponse): void {
  const known = [
    ['/count_tokens', { input_tokens: 1000 }],
    [':countTokens', { totalTokens: 1000 }],
    ['/models', { object: 'list', data: [] }],
  ] as const;
  const [, body] = known.find(([end]) => path.endsWith(end)) ?? [];
  if (body === undefined) sendJson(response, 404, { error: { message: 'the stub has nothing here' } });
  else sendJson(response, 200, body);
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function sendEvents(response: ServerResponse, { events }: Wire): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  for (const { event, data } of events) {
    const name = event === undefined ? '' : `event: ${event}\n`;
    response.write(`${name}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`);
  }
  response.end();
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
