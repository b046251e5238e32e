import { describe, expect, test } from 'vitest';
import { SkillRegistry } from '../../src/client/index.ts';
import { Server } from './server.ts';

describe('the label is the host’s name for a server', () => {
  test.each(['hf', '0', 'a.b_c-d', 'x'.repeat(64)])('%s is one', async (label) => {
    const registry = new SkillRegistry();
    expect(await registry.addServer(new Server('refunds'), label)).toEqual({ skills: 1, unavailable: 0 });
    expect(registry.list().map(({ name }) => name)).toEqual([`${label}:refunds`]);
  });

  test.each(['', 'HF', '-a', '.a', 'a:b', 'a b', 'a/b', 'é', 'x'.repeat(65), 'a\n'])('%j is none', async (label) => {
    const server = new Server('refunds');
    await expect(new SkillRegistry().addServer(server, label)).rejects.toThrow(RangeError);
    expect(server.asked).toEqual([]);
  });

  test('what is no string is none', async () => {
    await expect(new SkillRegistry().addServer(new Server(), undefined as never)).rejects.toThrow(RangeError);
  });

  test('one label is for one connection', async () => {
    const registry = new SkillRegistry();
    await registry.addServer(new Server('refunds'), 'hf');
    const other = new Server('refunds');
    await expect(registry.addServer(other, 'hf')).rejects.toThrow('the label "hf" is held by another connection');
    expect(other.asked).toEqual([]);
    registry.removeServer('hf');
    expect(await registry.addServer(other, 'hf')).toEqual({ skills: 1, unavailable: 0 });
  });

  test('a label is free again when registering failed', async () => {
    const registry = new SkillRegistry();
    const server = new Server();
    server.capabilities = {};
    await expect(registry.addServer(server, 'hf')).rejects.toThrow();
    expect(await registry.addServer(new Server('refunds'), 'hf')).toEqual({ skills: 1, unavailable: 0 });
  });
});

test('the name of a skill is its label and its URI without the scheme skill:// and /SKILL.md', async () => {
  const server = new Server('refunds', 'acme/billing/refunds');
  const github = { ...server.entry('refunds'), uri: 'github://owner/repo/refunds/SKILL.md' };
  github.resources = [{ uri: github.uri, digest: `sha256:${'0'.repeat(64)}`, size: 1 }];
  server.listed.push(github);
  const registry = new SkillRegistry();
  await registry.addServer(server, 'hf');
  expect(registry.list().map(({ name, origin }) => [name, origin])).toEqual([
    ['hf:acme/billing/refunds', { kind: 'server', label: 'hf', uri: 'skill://acme/billing/refunds/SKILL.md' }],
    ['hf:github://owner/repo/refunds', { kind: 'server', label: 'hf', uri: 'github://owner/repo/refunds/SKILL.md' }],
    ['hf:refunds', { kind: 'server', label: 'hf', uri: 'skill://refunds/SKILL.md' }],
  ]);
});

test('two servers that serve one URI have two skills', async () => {
  const registry = new SkillRegistry();
  await registry.addServer(new Server({ path: 'refunds', body: 'of a\n' }), 'a');
  await registry.addServer(new Server({ path: 'refunds', body: 'of b\n' }), 'b');
  const bodies = await Promise.all(['a:refunds', 'b:refunds'].map((name) => registry.activate(name)));
  expect(bodies.map((each) => (each.outcome === 'activated' ? each.body : each))).toEqual(['\nof a\n', '\nof b\n']);
});

describe('a host’s own skill', () => {
  const own = { name: 'refunds', description: 'Ours', read: () => '---\nname: refunds\n---\nOurs\n' };

  test('never has the name of a served one', async () => {
    const registry = new SkillRegistry();
    registry.addLocal(own);
    await registry.addServer(new Server('refunds'), 'hf');
    for (const name of ['hf:other', ':', '']) expect(() => registry.addLocal({ ...own, name })).toThrow(RangeError);
    expect(() => registry.addLocal(own)).toThrow('a skill "refunds" is registered already');
    expect(registry.list().map(({ name, origin }) => [name, origin.kind])).toEqual([
      ['refunds', 'host'],
      ['hf:refunds', 'server'],
    ]);
    expect(await registry.activate('refunds')).toMatchObject({ outcome: 'activated', body: 'Ours\n' });
  });
});
