import { fromClient, type HostConnection } from './connection.ts';
import { EXTENSION } from './labels.ts';
import type { ClosableConnection, ConnectOptions } from './maker.ts';

/** The most bytes of one message, unless the host says otherwise. */
export const MAX_MESSAGE_BYTES = 33_554_432;

const PACKAGE = '@modelcontextprotocol/client';
const REVISION = '2026-07-28';

/** A transport of the SDK, of which only the client knows more. */
interface Transport {
  close(): Promise<void>;
}

/** The error of a package of the SDK that cannot be imported. */
export function createMissing(maker: string, cause: unknown): Error {
  const isAbsent = (cause as { code?: unknown } | null)?.code === 'ERR_MODULE_NOT_FOUND';
  const why = isAbsent
    ? `which is not installed: npm install "${PACKAGE}@^2.4.0"`
    : `^2.4.0, which cannot be imported: ${cause instanceof Error ? cause.message : String(cause)}`;
  return new Error(`${maker} needs ${PACKAGE}${isAbsent ? ', ' : '@'}${why}`, { cause });
}

type Sdk = typeof import('@modelcontextprotocol/client');

/** Connects a client of the SDK over a transport, and closes both where that fails. */
export async function openConnection(
  maker: string,
  { clientInfo = { name: 'mcp-server-skills', version: '1' }, era = 'auto', timeout = 30_000, signal }: ConnectOptions,
  createTransport: (sdk: Sdk) => Transport | Promise<Transport>,
): Promise<ClosableConnection> {
  let sdk: Sdk;
  try {
    sdk = await import('@modelcontextprotocol/client');
  } catch (error) {
    throw createMissing(maker, error);
  }
  const transport = await createTransport(sdk);
  const mode = era === 'modern' ? { pin: REVISION } : era;
  const client = new sdk.Client(clientInfo, {
    versionNegotiation: { mode, probe: { timeoutMs: timeout } },
    // servers that offer tools to hosts without the extension need not offer them here
    capabilities: { extensions: { [EXTENSION]: {} } },
  });
  try {
    await client.connect(transport as never, { timeout, ...(signal === undefined ? {} : { signal }) });
  } catch (error) {
    await client.close().catch(() => {});
    await transport.close().catch(() => {});
    throw error;
  }
  return toClosable(fromClient(client), () => client.close());
}

/** The members are getters: spreading would read them now. */
function toClosable(connection: HostConnection, close: () => Promise<void>): ClosableConnection {
  return Object.assign(connection, { close, [Symbol.asyncDispose]: close });
}
