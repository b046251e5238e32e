import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterEach } from 'vitest';
import { BIN } from '../command.ts';

const open: Client[] = [];
afterEach(async () => {
  for (const client of open.splice(0)) await client.close();
});

/** A client of a server that is started so, and what that server logs. */
export async function follow(cwd: string, env: NodeJS.ProcessEnv, ...args: string[]) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [BIN, ...args],
    cwd,
    env: env as Record<string, string>,
    stderr: 'pipe',
  });
  let log = '';
  transport.stderr?.on('data', (chunk) => {
    log += String(chunk);
  });
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'legacy' } });
  let notified = 0;
  client.setNotificationHandler('notifications/resources/list_changed', () => {
    notified += 1;
  });
  await client.connect(transport);
  open.push(client);
  const read = async (uri = 'skill://a/SKILL.md') => {
    const { contents } = await client.readResource({ uri });
    return (contents[0] as { text: string }).text;
  };
  return { read, log: () => log, notified: () => notified };
}
