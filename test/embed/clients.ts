import { createHash } from 'node:crypto';
import { Client } from '@modelcontextprotocol/client';
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills';
import { Client as SdkClient } from '@modelcontextprotocol/sdk/client/index.js';
import { ResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { expect } from 'vitest';
import type { SkillCatalog } from '../../src/catalog/catalog.ts';
import type { Era } from '../command.ts';

export type AnyClient = Client | SdkClient;

/** The official client of 1.x, and that of 2.x in one era. */
export function createClient(line: '1.x' | Era): AnyClient {
  const info = { name: 'test', version: '1.0.0' };
  if (line === '1.x') return new SdkClient(info);
  return new Client(info, { versionNegotiation: { mode: line === 'legacy' ? 'legacy' : { pin: '2026-07-28' } } });
}

type Answer = Record<string, unknown>;

/** Sends a request as it is, and gives the result as it is. */
export async function ask(client: AnyClient, method: string, params: Answer = {}): Promise<Answer> {
  const loose = ResultSchema.loose();
  if (client instanceof SdkClient) return (await client.request({ method, params }, loose)) as Answer;
  return (await client.request({ method, params } as never, loose as never)) as Answer;
}

/** The error that a request is answered with. */
export async function askInVain(client: AnyClient, method: string, params: Answer): Promise<[unknown, string]> {
  const answer = await ask(client, method, params).catch((error: unknown) => error);
  if (!(answer instanceof Error)) throw new Error(`${method} was answered with ${JSON.stringify(answer)}`);
  return [(answer as Error & { code?: unknown }).code, answer.message.replace(/^MCP error -?\d+: /, '')];
}

/** All pages of a listing. */
export async function walk(client: AnyClient, method: string, field: string, params: Answer = {}): Promise<unknown[]> {
  const items: unknown[] = [];
  let cursor: unknown;
  do {
    const page = await ask(client, method, cursor === undefined ? params : { ...params, cursor });
    items.push(...(page[field] as unknown[]));
    cursor = page['nextCursor'];
  } while (cursor !== undefined);
  return items;
}

/** Asks all four methods for everything, and checks every byte against the catalog. Returns how many files were checked. */
export async function verifySkills(client: AnyClient, catalog: SkillCatalog, isModern: boolean): Promise<number> {
  const extensions = client.getServerCapabilities()?.extensions;
  expect(extensions?.['io.modelcontextprotocol/skills']).toEqual({ directoryRead: true });
  expect(await walk(client, 'skills/list', 'skills')).toEqual(catalog.skills);
  const fields = (answer: Answer) =>
    Object.keys(answer)
      .filter((key) => key !== '_meta')
      .sort();
  const hints = isModern ? ['cacheScope', 'ttlMs'] : [];
  expect(fields(await ask(client, 'skills/list'))).toEqual([...hints, 'skills'].sort());
  let files = 0;
  for (const skill of catalog.skills) {
    const answer = await ask(client, 'skills/get', { uri: skill.uri });
    expect([answer['skill'], fields(answer)]).toEqual([skill, [...hints, 'skill'].sort()]);
    for (const { uri, digest, size } of skill.resources) {
      const read = await ask(client, 'resources/read', { uri });
      const [content, ...others] = read['contents'] as { uri: string; text?: string; blob?: string }[];
      const bytes =
        content?.text === undefined ? Buffer.from(content?.blob ?? '', 'base64') : Buffer.from(content.text);
      const hex = createHash('sha256').update(bytes).digest('hex');
      expect([content?.uri, `sha256:${hex}`, bytes.length, others]).toEqual([uri, digest, size, []]);
      expect(fields(read)).toEqual([...hints, 'contents'].sort());
      files += 1;
    }
    const folder = skill.uri.slice(0, -'/SKILL.md'.length);
    const directory = await ask(client, 'resources/directory/read', { uri: folder });
    expect([directory['resources'], fields(directory)]).toEqual([
      catalog.readDirectory(folder),
      [...hints, 'resources'].sort(),
    ]);
  }
  if (client instanceof Client) {
    const skills = new SkillsClient(client);
    const listing = await skills.list();
    expect(listing.skills).toEqual(catalog.skills);
    for (const skill of listing.skills) {
      for (const { uri } of skill.resources as { uri: string }[]) {
        expect(await skills.read(skill, uri)).toMatchObject({ uri, verified: true });
      }
    }
  }
  return files;
}

/** Everything of the host's own that a client can see, without what is ours. */
export async function viewHost(client: AnyClient): Promise<Answer> {
  const capabilities = client.getServerCapabilities() ?? {};
  const isOurs = (item: unknown) => JSON.stringify(item).includes('skill://');
  const list = async (method: string, field: string) =>
    (await walk(client, method, field).catch(() => [])).filter((item) => !isOurs(item));
  const attempt = async (method: string, params: Answer) =>
    ask(client, method, params).catch((error: Error) => error.message);
  // what is declared for the skills' sake as well
  const { extensions: _, completions: __, ...declared } = capabilities;
  const completions = ask(client, 'completion/complete', {
    ref: { type: 'ref/resource', uri: 'users://{id}' },
    argument: { name: 'id', value: '1' },
  }).then(
    ({ completion }) => (completion as { values: string[] }).values.join(),
    () => undefined,
  );
  return {
    declared,
    instructions: client.getInstructions()?.split('\n')[0],
    info: client.getServerVersion(),
    tools: await list('tools/list', 'tools'),
    prompts: await list('prompts/list', 'prompts'),
    resources: await list('resources/list', 'resources'),
    templates: await list('resources/templates/list', 'resourceTemplates'),
    add: await attempt('tools/call', { name: 'add', arguments: { a: 2, b: 3 } }),
    greet: await attempt('prompts/get', { name: 'greet', arguments: { name: 'Ada' } }),
    config: await attempt('resources/read', { uri: 'config://app' }),
    user: await attempt('resources/read', { uri: 'users://7' }),
    unknown: await attempt('resources/read', { uri: 'nobody://x' }),
    completed: (await completions) || undefined,
  };
}
