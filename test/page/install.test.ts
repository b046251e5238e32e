import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSite } from '../../src/page/site.ts';
import { toZip } from '../../src/page/zip.ts';
import { run } from '../command.ts';
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

/** A folder with the site below `team`. */
function writeTeam(): string {
  const folder = makeTree({});
  for (const [path, { toBytes }] of createSite(catalog, { title: 'Skills', install: { hosts: [] }, problems: [] })) {
    mkdirSync(dirname(join(folder, 'team', path)), { recursive: true });
    writeFileSync(join(folder, 'team', path), toBytes());
  }
  return folder;
}

/** The files below a folder, and their digests. */
function readDigests(folder: string): string[][] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => [path.slice(folder.length + 1).replaceAll('\\', '/'), sha256(readFileSync(path))])
    .sort();
}

describe('the skills command installs from a static host', () => {
  let host: Awaited<ReturnType<typeof serveFolder>>;
  beforeAll(async () => {
    host = await serveFolder(writeTeam());
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
    const installed = readDigests(join(cwd, '.claude', 'skills'));
    const wanted = paths.flatMap((path) => {
      const uri = `skill://${path}/SKILL.md`;
      const outer = `skill://${path.includes('/') ? `${dirname(path)}/` : ''}`;
      return catalog.get(uri)!.resources.map((file) => [file.uri.slice(outer.length), file.digest]);
    });
    expect(installed).toEqual(wanted.sort());
  });
});

describe('pull', () => {
  const wanted = catalog.skills
    .flatMap(({ resources }) => resources.map(({ uri, digest }) => [uri.slice('skill://'.length), digest]))
    .sort();

  test.each(['team', 'team/', 'team/index.html'])('installs every skill from a static host at /%s', async (address) => {
    const host = await serveFolder(writeTeam());
    const cwd = makeTree({});
    const { status, stdout, stderr } = await run(['pull', host.url + address, '--out', 'out'], { cwd });
    await host.close();
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).not.toContain('2025-11-25');
    expect(stdout).toContain('3 skills written, 0 unchanged, 0 removed');
    expect(readDigests(join(cwd, 'out')).filter(([path]) => path !== 'mcp-skills.lock.json')).toEqual(wanted);
  });

  test('writes no skill whose files are not those of its entry', async () => {
    const folder = writeTeam();
    writeFileSync(join(folder, 'team', 'billing', 'refunds', 'files', 'scripts', 'run.sh'), '#!/bin/sh\ntrue\n');
    const host = await serveFolder(folder);
    const cwd = makeTree({});
    const { status, stdout } = await run(['pull', `${host.url}team`, '--out', 'out'], { cwd });
    await host.close();
    expect(status).toBe(1);
    expect(stdout).toContain('[size-differs]');
    expect(readDigests(join(cwd, 'out')).filter(([path]) => path !== 'mcp-skills.lock.json')).toEqual(
      wanted.filter(([path]) => !path?.startsWith('billing/')),
    );
  });

  test('takes an address without a site for that of a server', async () => {
    const host = await serveFolder(makeTree({ 'catalog.json': '{"skills":[]}' }));
    const { status, stderr } = await run(['pull', host.url, '--out', 'out'], { cwd: makeTree({}) });
    await host.close();
    expect(status).toBe(3);
    expect(stderr).not.toContain('catalog.json');
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
