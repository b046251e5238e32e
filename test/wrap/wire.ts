import { PassThrough } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { SkillCatalog } from '../../src/catalog/catalog.ts';
import { filterSkills } from '../../src/filter.ts';
import { toToolNames } from '../../src/mcp/naming.ts';
import type { PublishOptions } from '../../src/mcp/settings.ts';
import { toOffer } from '../../src/mcp/surface.ts';
import { Relay } from '../../src/wrap/relay.ts';
import { type MakeOffer, Session } from '../../src/wrap/session.ts';

/** A relay in this process: what is written to one side, and what comes out at the other, as text. */
export interface Wire {
  readonly relay: Relay;
  readonly session: Session;
  /** Streams to hold back or to look at. */
  readonly streams: Readonly<Record<'input' | 'output' | 'stdin' | 'stdout', PassThrough>>;
  /** Writes as the client; gives what the client and the wrapped server have got since the last call. */
  client(...lines: readonly (object | string)[]): Promise<Got>;
  /** Writes as the wrapped server. */
  wrapped(...lines: readonly (object | string)[]): Promise<Got>;
  /** What the user was told. */
  readonly notes: readonly string[];
  /** What was no message. */
  stray(): string;
}

interface Got {
  readonly client: string;
  readonly wrapped: string;
}

/** @param catalog - undefined where the skills are not read yet */
export function createWire(
  catalog: SkillCatalog | undefined,
  options: PublishOptions = { tools: 'auto', instructions: true },
): Wire {
  const streams = {
    input: new PassThrough(),
    output: new PassThrough(),
    stdin: new PassThrough(),
    stdout: new PassThrough(),
  };
  const stray = new PassThrough();
  const notes: string[] = [];
  const session = new Session({
    names: toToolNames(options.toolPrefix ?? ''),
    legacyIndex: options.legacyIndex === true,
    note: (text) => notes.push(text),
  });
  const { input, output, stdin, stdout } = streams;
  const relay = new Relay({
    ...{ input, output, wrapped: { stdin, stdout }, stray, session },
    onClientEnd: () => stdin.end(),
    onLong: () => {},
  });
  if (catalog !== undefined) {
    session.publish(publish(catalog, options));
    relay.proceed();
  }
  const take = async (stream: PassThrough, lines: readonly (object | string)[]): Promise<Got> => {
    for (const line of lines) stream.write(typeof line === 'string' ? line : `${JSON.stringify(line)}\n`);
    for (let turn = 0; turn < 10; turn += 1) await setImmediate();
    return { client: read(output), wrapped: read(stdin) };
  };
  return {
    ...{ relay, session, streams, notes },
    client: (...lines) => take(input, lines),
    wrapped: (...lines) => take(stdout, lines),
    stray: () => read(stray),
  };
}

/** What is put beside the wrapped server. */
export function publish(catalog: SkillCatalog, options: PublishOptions): MakeOffer {
  return (isKept) => toOffer(catalog.skills.every(isKept) ? catalog : filterSkills(catalog, isKept), options);
}

function read(stream: PassThrough): string {
  return String(stream.read() ?? '');
}

/** The messages of some lines. */
export function parse(text: string): Record<string, unknown>[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

/** A request. */
export function toRequest(id: number | string, method: string, params: object = {}): object {
  return { jsonrpc: '2.0', id, method, params };
}

/** A response. */
export function toResult(id: number | string, result: object): object {
  return { jsonrpc: '2.0', id, result };
}

/** A refusal. */
export function toRefusal(id: number | string, code: number): object {
  return { jsonrpc: '2.0', id, error: { code, message: 'no' } };
}

/** What a request of 2026-07-28 carries. */
export const MODERN = {
  _meta: {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '0' },
    'io.modelcontextprotocol/clientCapabilities': {},
  },
};

/** Opens a connection of 2025-11-25 to a server of these capabilities; what the client got. */
export async function open(wire: Wire, capabilities: object, more: object = {}): Promise<Record<string, unknown>> {
  const clientInfo = { name: 'test', version: '0' };
  await wire.client(
    toRequest('open', 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo, ...more }),
  );
  const serverInfo = { name: 'wrapped', version: '1' };
  const { client } = await wire.wrapped(toResult('open', { protocolVersion: '2025-11-25', capabilities, serverInfo }));
  return parse(client)[0] as Record<string, unknown>;
}
