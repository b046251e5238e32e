import { createHash } from 'node:crypto';
import { Client, InMemoryTransport, type JSONRPCMessage } from '@modelcontextprotocol/client';
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills';
import { expect, test } from 'vitest';
import { readFrontmatter } from '../../src/frontmatter.ts';
import type { JsonObject } from '../../src/text/jsonvalue.ts';
import { CASES } from './cases.ts';
import { readVectors } from './vectors.ts';

/** A server of one method: it answers `resources/read` with the files it is given, and nothing else. */
async function connect(files: ReadonlyMap<string, string>): Promise<Client> {
  const [near, far] = InMemoryTransport.createLinkedPair();
  far.onmessage = (message: JSONRPCMessage) => {
    if (!('method' in message) || !('id' in message)) return;
    const { id, method, params } = message;
    const uri = String((params as { uri?: string } | undefined)?.uri);
    const result =
      method === 'initialize'
        ? {
            protocolVersion: '2025-11-25',
            capabilities: { resources: {}, extensions: { 'io.modelcontextprotocol/skills': {} } },
            serverInfo: { name: 'test', version: '0' },
          }
        : { contents: [{ uri, mimeType: 'text/markdown', text: files.get(uri) }] };
    void far.send({ jsonrpc: '2.0', id, result });
  };
  await far.start();
  const client = new Client({ name: 'test', version: '0' });
  await client.connect(near);
  return client;
}

test('the official client verifies the frontmatter of everything that is accepted', async () => {
  const head = 'name: x\ndescription: d\n';
  const texts = [
    ...CASES.map(({ file }) => file),
    ...readVectors().flatMap(({ text }) => {
      const lf = `---\n${head}${text}\n---\nText\n`;
      return [lf, lf.replace(/\r?\n/g, '\r\n')];
    }),
  ];
  const files = new Map<string, string>();
  const skills: { uri: string; frontmatter: JsonObject; resources: { uri: string; digest: string; size: number }[] }[] =
    [];
  for (const [index, text] of texts.entries()) {
    const { frontmatter, problems } = readFrontmatter(text);
    if (frontmatter === undefined || problems.some(({ severity }) => severity === 'error')) continue;
    const uri = `skill://n${index}/${String(frontmatter['name'])}/SKILL.md`;
    const digest = `sha256:${createHash('sha256').update(text).digest('hex')}`;
    files.set(uri, text);
    skills.push({ uri, frontmatter, resources: [{ uri, digest, size: Buffer.byteLength(text) }] });
  }
  const client = await connect(files);
  const reader = new SkillsClient(client);
  const refused: string[] = [];
  for (const skill of skills) {
    const entry = skill as unknown as Parameters<SkillsClient['read']>[0];
    await reader
      .read(entry)
      .catch((error: Error) => refused.push(`${JSON.stringify(files.get(skill.uri))}: ${error.message}`));
  }
  await client.close();
  console.log(`the official client verified ${skills.length - refused.length} of ${skills.length} skills`);
  expect(refused.slice(0, 5)).toEqual([]);
  expect(skills.length).toBeGreaterThan(1000);
});
