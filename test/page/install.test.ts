import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSite } from '../../src/page/site.ts';
import { toZip } from '../../src/page/zip.ts';
import { makeCatalog } from '../mcp/catalog.ts';
import { makeTree } from '../tree.ts';
import { serveFolder } from './browser.js';

const CLI = join(import.meta.dirname, '..', '..', 'node_modules', 'skills', 'bin', 'cli.mjs');

const catalog = makeCatalog([
  { path: 'notes' },
  {
    path: 'billing/refunds',
    files: {
      'scripts/run.sh': '#!/bin/sh\n',
      'assets/page.html': '<p>one</p>\r\n',
      'assets/logo.png': new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0xff]),
      'references/empty.md': '',
      ['__proto__']: 'a file of this name',
    },
  },
  { path: 'sales/notes', files: { 'more.md': 'more' } },
]);

describe('the skills command installs from a static host', () => {
  let host: Awaited<ReturnType<typeof serveFolder>>;
  beforeAll(async () => {
    const folder = makeTree({});
    for (const [path, { toBytes }] of createSite(catalog, { title: 'Skills', install: { hosts: [] }, problems: [] })) {
      mkdirSync(dirname(join(folder, 'team', path)), { recursive: true });
      writeFileSync(join(folder, 'team', path), toBytes());
    }
    host = await serveFolder(folder);
  });
  afterAll(() => host.close());

  test.each([
    ['everything', 'team', ['billing/refunds', 'notes']],
    ['a group, with a skill whose name another one has', 'team/sales', ['sales/notes']],
  ])('%s', async (_, address, paths) => {
    const cwd = makeTree({});
    const env = { ...process.env, HOME: cwd, USERPROFILE: cwd, DISABLE_TELEMETRY: '1' };
    const args = [CLI, 'add', host.url + address, '--agent', 'claude-code', '--copy', '--yes', '--skill', '*'];
    const child = promisify(execFile)(process.execPath, args, { cwd, env });
    child.child.stdin?.end();
    await child;
    const folder = join(cwd, '.claude', 'skills');
    const installed = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [path.slice(folder.length + 1).replaceAll('\\', '/'), sha256(readFileSync(path))]);
    const wanted = paths.flatMap((path) => {
      const uri = `skill://${path}/SKILL.md`;
      const outer = `skill://${path.includes('/') ? `${dirname(path)}/` : ''}`;
      return catalog.get(uri)!.resources.map((file) => [file.uri.slice(outer.length), file.digest]);
    });
    expect(installed.sort()).toEqual(wanted.sort());
  });
});

test('an archive is one that other programs read, and the same at any time', () => {
  const entries = [
    { path: 'SKILL.md', bytes: Buffer.from('one') },
    { path: 'a/b.bin', bytes: Buffer.from([0, 255, 10, 13]) },
    { path: 'empty', bytes: Buffer.alloc(0) },
  ];
  const folder = makeTree({ 'a.zip': toZip(entries) });
  const script = `
import sys, zipfile
archive = zipfile.ZipFile(sys.argv[1])
assert archive.testzip() is None
for entry in archive.infolist(): print(entry.filename, archive.read(entry).hex(), entry.date_time[:3])`;
  expect(execFileSync('python3', ['-c', script, join(folder, 'a.zip')], { encoding: 'utf8' }).split('\n')).toEqual([
    'SKILL.md 6f6e65 (1980, 1, 1)',
    'a/b.bin 00ff0a0d (1980, 1, 1)',
    'empty  (1980, 1, 1)',
    '',
  ]);
});

function sha256(bytes: Uint8Array): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}
