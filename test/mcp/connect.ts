import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { afterEach } from 'vitest';
import type { SkillCatalog } from '../../src/catalog/catalog.ts';
import { createInstance } from '../../src/mcp/instance.ts';
import { EXTENSION } from '../../src/mcp/methods.ts';
import type { PublishOptions } from '../../src/mcp/settings.ts';

/** The protocol revisions of the two eras. */
export const ERAS = ['2025-11-25', '2026-07-28'] as const;

export type Era = (typeof ERAS)[number];

const open: { close(): Promise<void> }[] = [];

afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

type ServerFactory = Parameters<typeof serveStdio>[0];

/** A real client of one era, connected to a server of ours. */
export async function connect(
  server: SkillCatalog | ServerFactory,
  era: Era,
  options: PublishOptions = {},
  knowsSkills = false,
  name = 'client',
): Promise<Client> {
  const createServer =
    typeof server === 'function' ? server : () => createInstance({ name: 'test', version: '0' }, server, options);
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  const handle = serveStdio(createServer, { transport: serverSide });
  const client = new Client(
    { name, version: '0' },
    {
      versionNegotiation: { mode: era === '2026-07-28' ? { pin: era } : 'legacy' },
      capabilities: knowsSkills ? { extensions: { [EXTENSION]: {} } } : {},
    },
  );
  await client.connect(clientSide);
  open.push(client, handle);
  return client;
}

/** A result without what 2026-07-28 adds to every one. */
export function toPlain<T extends object>(result: T): Omit<T, '_meta' | 'ttlMs' | 'cacheScope'> {
  const { _meta, ttlMs, cacheScope, ...rest } = result as T & {
    _meta?: unknown;
    ttlMs?: unknown;
    cacheScope?: unknown;
  };
  return rest as Omit<T, '_meta' | 'ttlMs' | 'cacheScope'>;
}

/** What a failed request says. */
export async function toError(request: Promise<unknown>): Promise<{ code: unknown; message: string }> {
  try {
    await request;
  } catch (error) {
    const { code, message } = error as { code?: unknown; message: string };
    return { code, message };
  }
  throw new Error('the request did not fail');
}
