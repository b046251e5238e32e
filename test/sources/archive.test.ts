import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateRawSync, gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';
import { describe, expect, test } from 'vitest';
import { crc32 } from '../../src/sources/crc.ts';
import { runIn } from '../fixtures.ts';
import { isRequired } from '../required.ts';
import { makeTree, skillMd } from '../tree.ts';
import { git, makeRepository } from './repository.ts';

const SKILL = skillMd('a');
const ENV = { PATH: process.env['PATH'] };

async function read(cwd: string, root: string): Promise<Record<string, string>> {
  const { status, stdout, stderr } = await runIn(cwd, ['list', root, '--bytes'], ENV);
  expect([status, stderr]).toEqual([0, '']);
  const { files } = JSON.parse(stdout) as { files: Record<string, string> };
  return Object.fromEntries(
    Object.entries(files).map(([uri, text]) => [uri, Buffer.from(text, 'base64').toString('utf8')]),
  );
}

async function check(cwd: string, root: string): Promise<[number | null, string]> {
  const { status, stdout } = await runIn(cwd, ['check', root], ENV);
  return [status, stdout.split('\n')[0] ?? ''];
}

interface Packed {
  readonly name: string | Buffer;
  readonly content?: string | Buffer;
  readonly type?: 'symlink' | 'link' | 'fifo' | 'directory' | 'character-device';
  readonly linkname?: string;
  /** What the headers say, instead of what is so. */
  readonly size?: number;
  readonly crc?: number;
  readonly flags?: number;
  readonly method?: number;
}

/** A tar file as no program would write it. */
async function toTar(entries: readonly Packed[]): Promise<Buffer> {
  const tar = pack();
  for (const { name, content = '', type = 'file', linkname = '' } of entries) {
    tar.entry({ name: String(name), type, linkname }, type === 'file' ? content : '');
  }
  tar.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of tar as unknown as AsyncIterable<Buffer>) chunks.push(chunk);
  return gzipSync(Buffer.concat(chunks));
}

/** A zip file as no program would write it. */
function toZip(entries: readonly Packed[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content = '', type, size, crc, flags = 0x800, method = 8 } of entries) {
    const bytes = Buffer.from(content);
    const packed = method === 8 ? deflateRawSync(bytes) : bytes;
    const path = Buffer.from(name);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(flags, 2);
    common.writeUInt16LE(method, 4);
    common.writeUInt32LE(crc ?? crc32(bytes), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(size ?? bytes.length, 18);
    common.writeUInt16LE(path.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, path, packed]);
    const central = Buffer.alloc(14);
    const mode = type === 'symlink' ? 0o120777 : type === 'fifo' ? 0o010644 : 0o100644;
    central.writeUInt32LE((mode << 16) >>> 0, 6);
    central.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02'), Buffer.from([20, 3]), common, central, path]));
    parts.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(entries.length, 4);
  end.writeUInt16LE(entries.length, 6);
  end.writeUInt32LE(central.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, central, Buffer.from('PK\x05\x06'), end]);
}

const hasZip = (() => {
  try {
    execFileSync('zip', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

describe('what programs pack', () => {
  const nodes = {
    'skills/a/SKILL.md': SKILL,
    'skills/a/scripts/run.sh': '#!/bin/sh\n',
    'skills/g/b/SKILL.md': skillMd('b'),
  };
  const skills = {
    'skill://a/SKILL.md': SKILL,
    'skill://a/scripts/run.sh': '#!/bin/sh\n',
    'skill://g/b/SKILL.md': skillMd('b'),
  };

  test('tar, with the folder or without, with paths of any length', async () => {
    const long = `${'deep/'.repeat(30)}${'n'.repeat(90)}.md`;
    const cwd = makeTree({ ...nodes, [`skills/a/${long}`]: 'x' });
    execFileSync('tar', ['-czf', 'top.tgz', 'skills'], { cwd });
    execFileSync('tar', ['-czf', 'dot.tar.gz', '-C', 'skills', '.'], { cwd });
    execFileSync('tar', ['--format=pax', '-czf', 'pax.tgz', '-C', 'skills', 'a', 'g'], { cwd });
    for (const file of ['top.tgz', 'dot.tar.gz', 'pax.tgz']) {
      expect(await read(cwd, file)).toEqual({ ...skills, [`skill://a/${long}`]: 'x' });
    }
    const revision = `sha256:${createHash('sha256')
      .update(readFileSync(join(cwd, 'top.tgz')))
      .digest('hex')}`;
    const { stdout } = await runIn(cwd, ['list', 'x=top.tgz', '--json']);
    expect(JSON.parse(stdout).sources).toEqual([{ root: 'top.tgz', revision }]);
  });

  test('git archive, as GitHub does: everything in one folder, and skills below that', async () => {
    const cwd = makeRepository({ ...nodes, 'README.md': 'x' });
    git(cwd, 'archive', '--format=tar.gz', '--prefix=repo-main/', '--output=repo.tgz', 'HEAD');
    git(cwd, 'archive', '--format=zip', '--prefix=repo-main/', '--output=repo.zip', 'HEAD');
    expect(await read(cwd, 'repo.tgz')).toEqual(skills);
    expect(await read(cwd, 'repo.zip')).toEqual(skills);
  });

  test('npm pack', async () => {
    const cwd = makeTree({ ...nodes, 'package.json': '{"name":"p","version":"1.0.0"}' });
    execFileSync('npm', ['pack', '--silent'], { cwd, shell: process.platform === 'win32' });
    expect(await read(cwd, 'p-1.0.0.tgz')).toEqual(skills);
  });

  test.skipIf(!hasZip && !isRequired)('zip, and a skill of its own', async () => {
    const cwd = makeTree({ ...nodes, 'my-skill/SKILL.md': skillMd('my-skill'), 'my-skill/ümlaut.txt': 'x' });
    execFileSync('zip', ['-qr', 'all.zip', 'skills'], { cwd });
    execFileSync('zip', ['-qr', 'my.skill', 'my-skill', '-x', '*.txt'], { cwd });
    execFileSync('zip', ['-qr0', 'stored.zip', 'skills'], { cwd });
    expect(await read(cwd, 'all.zip')).toEqual(skills);
    expect(await read(cwd, 'stored.zip')).toEqual(skills);
    expect(await read(cwd, 'my.skill')).toEqual({ 'skill://my-skill/SKILL.md': skillMd('my-skill') });
    execFileSync('zip', ['-qr', 'umlaut.zip', 'my-skill'], { cwd });
    expect((await check(cwd, 'umlaut.zip'))[1]).toContain('[path-characters]');
  });

  test.skipIf(process.platform === 'win32')('a link, which is refused as one in a folder is', async () => {
    const cwd = makeTree({ 'a/SKILL.md': SKILL, 'a/l.md': { link: 'SKILL.md' } });
    execFileSync('tar', ['-czf', 'l.tgz', 'a', '--hard-dereference'], { cwd });
    expect(await check(cwd, 'l.tgz')).toEqual([
      1,
      expect.stringMatching(/^l\.tgz:.*"l\.md" is a symbolic link.*\[symlink\]$/),
    ]);
    if (!hasZip) return;
    execFileSync('zip', ['-qry', 'l.zip', 'a'], { cwd });
    expect(await check(cwd, 'l.zip')).toEqual([1, expect.stringContaining('[symlink]')]);
  });
});

describe('what nobody should pack', () => {
  const good: Packed = { name: 'a/SKILL.md', content: SKILL };
  const bomb = Buffer.alloc(4 * 1024 * 1024);
  const cases: [what: string, entries: Packed[], why: string, only?: 'tar' | 'zip'][] = [
    [
      'a path that leads out',
      [good, { name: '../evil', content: 'x' }],
      'its path "../evil" is not a plain path below the top',
    ],
    [
      'one in the middle',
      [good, { name: 'a/../../evil' }],
      'its path "a/../../evil" is not a plain path below the top',
    ],
    ['a dot', [good, { name: 'a/./x' }], 'its path "a/./x" is not a plain path below the top'],
    ['an absolute path', [good, { name: '/etc/passwd' }], 'its path "/etc/passwd" is absolute'],
    ['a drive', [good, { name: 'C:/x' }], 'its path "C:/x" is absolute'],
    ['a backslash', [good, { name: 'a\\..\\x' }], 'its path "a\\..\\x" has a backslash'],
    ['a path twice', [good, good], 'its path "a/SKILL.md" is in it twice'],
    ['a path twice, written otherwise', [good, { name: './a/SKILL.md' }], 'its path "a/SKILL.md" is in it twice'],
    [
      'a file in the place of a folder',
      [{ name: 'a', content: 'x' }, good],
      '"a/SKILL.md" is below "a", which is not a folder',
    ],
    [
      'a bomb',
      [good, { name: 'a/bomb', content: bomb }],
      '"a/bomb" grows more than 200 times when it is unpacked',
      'zip',
    ],
    ['a size that is not so', [good, { name: 'a/x', content: 'xxxx', size: 2 }], '', 'zip'],
    [
      'a checksum that is not so',
      [good, { name: 'a/x', content: 'x', crc: 1 }],
      'the checksum of "a/x" is another one',
      'zip',
    ],
    ['a name that is not UTF-8', [good, { name: Buffer.from([0x61, 0xff]) }], 'its path "aÿ" is not UTF-8', 'zip'],
    ['encryption', [good, { name: 'a/x', content: 'x', flags: 0x801 }], '"a/x" is encrypted', 'zip'],
    [
      'a method that nobody knows',
      [good, { name: 'a/x', content: 'x', method: 99 }],
      'unsupported compression method: 99',
      'zip',
    ],
    ['a FIFO', [good, { name: 'a/f', type: 'fifo' }], '[special-file]'],
    ['a device', [good, { name: 'a/d', type: 'character-device' }], '[special-file]', 'tar'],
    ['a hard link', [good, { name: 'a/h', type: 'link', linkname: '/etc/passwd' }], '[symlink]', 'tar'],
    [
      'a link that leads out',
      [good, { name: 'a/l', type: 'symlink', linkname: '/etc/passwd', content: '/etc/passwd' }],
      '[symlink]',
    ],
  ];

  test.each(
    cases.flatMap((row) =>
      (['tar', 'zip'] as const).flatMap((kind) =>
        row[3] === undefined || row[3] === kind ? [[row[0], kind, row] as const] : [],
      ),
    ),
  )('%s, in %s', async (_, kind, [, entries, why]) => {
    const cwd = makeTree({});
    const file = kind === 'tar' ? 'x.tgz' : 'x.zip';
    writeFileSync(join(cwd, file), kind === 'tar' ? await toTar(entries) : toZip(entries));
    const { status, stdout } = await runIn(cwd, ['check', file], ENV);
    expect([status === 1 || status === 3, stdout]).toEqual([true, expect.stringContaining(why)]);
    const { stdout: listed } = await runIn(cwd, ['list', file, '--json'], ENV);
    expect(listed).toBe('');
  });

  test('gives no more than its limits', async () => {
    const cwd = makeTree({});
    const zeros = gzipSync(Buffer.alloc(100 * 1024 * 1024));
    const many = Array.from({ length: 20_001 }, (_, at) => ({ name: `a/${at}` }));
    const files: [string, Buffer, string][] = [
      ['zeros.tgz', zeros, 'unpacked it has more than'],
      ['many.tgz', await toTar([good, ...many]), 'it has more than 20000 entries'],
      ['many.zip', toZip([good, ...many]), 'it has more than 20000 entries'],
      ['large.zip', Buffer.concat([toZip([good]), Buffer.alloc(64 * 1024 * 1024)]), 'it has 67109'],
      ['lies.zip', toZip([good, { name: 'a/x', content: 'x', size: 2 ** 31 }]), 'unpacked it has 2147483'],
      ['text.zip', Buffer.from('hello'), 'it is neither a zip file nor a tar file packed by gzip'],
      [
        'cut.tgz',
        (await toTar([good, { name: 'a/x', content: 'x'.repeat(5000) }])).subarray(0, 150),
        'it is damaged: ',
      ],
      ['cut.zip', toZip([good]).subarray(0, 100), 'it is damaged: '],
      ['empty.tgz', Buffer.alloc(0), 'it is neither'],
    ];
    for (const [name, bytes, why] of files) {
      writeFileSync(join(cwd, name), bytes);
      expect([name, await check(cwd, name)]).toEqual([name, [3, expect.stringContaining(why)]]);
    }
    expect(await check(cwd, 'none.zip')).toEqual([3, 'none.zip: error: there is no file "none.zip" [root-missing]']);
  });

  test('what is in it is named in the order of its paths, whatever its own is, and no folder in it is one to type', async () => {
    const cwd = makeTree({});
    const names = ['c', 'a', 'b'];
    const skills = (folder: string) =>
      names.map((name) => ({ name: `${folder}${name}/SKILL.md`, content: skillMd(name) }));
    writeFileSync(join(cwd, 'one.zip'), toZip([{ name: 'SKILL.md', content: skillMd('one') }, ...skills('')]));
    writeFileSync(join(cwd, 'hidden.tgz'), await toTar([...skills('.claude/skills/'), { name: 'x.md' }]));
    writeFileSync(join(cwd, 'beside.zip'), toZip([...skills(''), ...skills('docs/.x/')]));
    const text = async (root: string) => (await runIn(cwd, ['check', root], ENV)).stdout;
    const one = await text('one.zip');
    expect(one).toContain('3 other skills are below it: "a", "b", "c" [root-is-skill]');
    expect(one).not.toContain('mcp-server-skills check');
    expect(await text('hidden.tgz')).toContain('= hint: unpack the archive, and pass its folder ".claude/skills"\n');
    expect(await text('beside.zip')).toContain(
      '= hint: leave it out with --exclude \'./docs\', or unpack the archive, and pass its folder "docs/.x"\n',
    );
  });

  test('is a side of diff, and is not read as JSON', async () => {
    const cwd = makeTree({ 'skills/a/SKILL.md': SKILL });
    writeFileSync(join(cwd, 'x.zip'), toZip([{ name: 'skills/a/SKILL.md', content: skillMd('a', 'Another.') }]));
    for (const sides of [
      ['x.zip', 'skills'],
      ['p=x.zip', 'p=skills'],
    ]) {
      const { status, stdout } = await runIn(cwd, ['diff', ...sides, '--exit-code'], ENV);
      expect([status, stdout.split('\n').filter((line) => line.includes('description:'))]).toEqual([
        1,
        ['    description:'],
      ]);
    }
    expect((await runIn(cwd, ['diff', 'gone.zip', 'skills'], ENV)).status).toBe(3);
  });

  test('a folder may be called as an archive is', async () => {
    const cwd = makeTree({ 'x.zip/a/SKILL.md': SKILL });
    expect(await read(cwd, 'x.zip')).toEqual({ 'skill://a/SKILL.md': SKILL });
  });
});
