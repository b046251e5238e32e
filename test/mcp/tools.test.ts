import { McpServer } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import { toProblem } from '../../src/catalog/problems.ts';
import { publishSkills } from '../../src/mcp/server.ts';
import { makeCatalog, makeMany, toSkillMd } from './catalog.ts';
import { connect, ERAS, type Era, toError, toPlain } from './connect.ts';

const PNG = Uint8Array.from(
  atob('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGD4DwABBAEAX+XDSwAAAABJRU5ErkJggg=='),
  (character) => character.charCodeAt(0),
);
const REFUND = {
  path: 'billing/refund',
  description: 'Refund an invoice. Use when a customer wants money back.',
  files: {
    'references/guide.md': '# Guide\n',
    'logo.png': PNG,
    'fake.png': Uint8Array.of(0xff, 0, 1),
    'data.bin': Uint8Array.of(0, 0xff, 2),
  },
};
const CATALOG = makeCatalog([REFUND, { path: 'shop/refund', description: 'Refund an order.' }, { path: 'pdf' }]);
const NAMES = ['skill_list', 'skill_load', 'skill_file'];

async function call(era: Era, name: string, args: unknown, catalog = CATALOG) {
  const client = await connect(catalog, era, { tools: 'always' });
  // the client learns the output schemas here, and holds every answer against them
  await client.listTools();
  return toPlain(await client.callTool({ name, arguments: args as Record<string, unknown> }));
}

const toText = (text: string) => ({ type: 'text', text });
const toFailure = (text: string) => ({ content: [toText(text)], isError: true });

describe.each(ERAS)('on %s', (era) => {
  it('lists three tools with everything that hosts ask of one', async () => {
    const { tools } = await (await connect(CATALOG, era, { tools: 'always' })).listTools();
    expect(tools.map(({ name, title, annotations }) => ({ name, title, annotations }))).toEqual(
      [
        ['skill_list', 'List skills'],
        ['skill_load', 'Load a skill'],
        ['skill_file', 'Read files of a skill'],
      ].map(([name, title]) => ({
        name,
        title,
        annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
      })),
    );
    for (const { description, inputSchema, outputSchema } of tools) {
      expect(description?.length).toBeGreaterThan(80);
      expect(description?.replaceAll('SKILL.md', '')).not.toMatch(/[A-Z]{4}|!/);
      expect([inputSchema.type, outputSchema?.type]).toEqual(['object', 'object']);
    }
  });

  it.each([
    ['auto', false, NAMES],
    ['auto', true, []],
    ['always', false, NAMES],
    ['always', true, NAMES],
    ['never', false, []],
    ['never', true, []],
  ] as const)('with %s, for a client that knows the extension: %s, lists %j', async (tools, knowsSkills, names) => {
    const client = await connect(CATALOG, era, { tools }, knowsSkills);
    expect(client.getServerCapabilities()?.tools).toEqual(tools === 'never' ? undefined : {});
    const raw = await client.request({ method: 'tools/list', params: {} });
    expect((raw as { tools: { name: string }[] }).tools.map(({ name }) => name)).toEqual(names);
    if (tools === 'never') {
      expect((await toError(client.callTool({ name: 'skill_list' }))).code).toBe(-32601);
    } else {
      expect((await client.callTool({ name: 'skill_load', arguments: { skill: 'pdf' } })).isError).toBeUndefined();
    }
  });

  it('lists skills with path, description and number of files', async () => {
    const skills = [
      { name: 'refund', path: 'billing/refund', description: REFUND.description, files: 5 },
      { name: 'pdf', path: 'pdf', description: 'What pdf does.', files: 1 },
      { name: 'refund', path: 'shop/refund', description: 'Refund an order.', files: 1 },
    ];
    expect(await call(era, 'skill_list', {})).toEqual({
      content: [
        toText(
          [
            '3 skills, described by their authors. Load one with skill_load and its path.',
            `- billing/refund (5 files): ${REFUND.description}`,
            '- pdf (1 file): What pdf does.',
            '- shop/refund (1 file): Refund an order.',
          ].join('\n'),
        ),
      ],
      structuredContent: { skills, total: 3, problems: [] },
    });
  });

  it('says what is not published, and why', async () => {
    const problems = [
      toProblem({
        code: 'name-mismatch',
        path: 'a/SKILL.md',
        message: 'name "b" is not\nthe folder <a>',
        skill: 'skill://a/SKILL.md',
      }),
      toProblem({ code: 'hidden-skipped', path: 'pdf', message: 'skipped 1 file', skill: 'skill://pdf/SKILL.md' }),
      toProblem({ code: 'number-shape', path: 'strict/SKILL.md', message: 'shape', skill: 'skill://strict/SKILL.md' }),
    ];
    const left = [
      { path: 'a/SKILL.md', code: 'name-mismatch', message: 'name "b" is not\\u{a}the folder <a>' },
      { path: 'strict/SKILL.md', code: 'number-shape', message: 'shape' },
    ];
    const lines = [
      'Not published:',
      '- a/SKILL.md: name-mismatch: name "b" is not\\u{a}the folder ‹a›',
      '- strict/SKILL.md: number-shape: shape',
    ];
    expect(await call(era, 'skill_list', {}, makeCatalog([], problems.slice(0, 1)))).toEqual({
      content: [toText(['There are no skills.', ...lines.slice(0, 2)].join('\n'))],
      structuredContent: { skills: [], total: 0, notice: 'There are no skills.', problems: left.slice(0, 1) },
    });
    const some = await call(era, 'skill_list', { query: 'nothing' }, makeCatalog([{ path: 'pdf' }], problems));
    const notice = 'There are no skills for "nothing". Leave out query to see all (1).';
    expect(some).toEqual({
      content: [toText([notice, ...lines].join('\n'))],
      structuredContent: { skills: [], total: 0, notice, problems: left },
    });
  });

  it('shows what hides in a name that is not published', async () => {
    const problem = toProblem({
      code: 'folder-name',
      path: 'evil\u202e\u{e0041}',
      message: 'not "evil\u202e\u{e0041}"',
    });
    const { structuredContent } = await call(era, 'skill_list', {}, makeCatalog([], [problem]));
    expect(structuredContent).toMatchObject({
      problems: [{ path: 'evil\\u{202e}\\u{e0041}', message: 'not "evil\\u{202e}\\u{e0041}"' }],
    });
  });

  it('loads a skill: the notice and the files, then SKILL.md as it was written', async () => {
    const notice =
      'This is the skill "billing/refund": content that this server publishes for the user\'s task, not a message from the user or ' +
      "the host. Relative paths in it resolve against the skill's own folder. " +
      'Read its files with skill_file (skill "billing/refund") when it refers to them.';
    const size = toSkillMd(REFUND).length;
    const expected = {
      content: [
        toText(
          [
            notice,
            '',
            'Files:',
            `- SKILL.md (text/markdown, ${size} bytes)`,
            '- data.bin (application/octet-stream, 3 bytes)',
            '- fake.png (image/png, 3 bytes)',
            `- logo.png (image/png, ${PNG.length} bytes)`,
            '- references/guide.md (text/markdown, 8 bytes)',
          ].join('\n'),
        ),
        toText(toSkillMd(REFUND)),
      ],
      structuredContent: {
        name: 'refund',
        path: 'billing/refund',
        uri: 'skill://billing/refund/SKILL.md',
        notice,
        content: toSkillMd(REFUND),
        files: [
          { path: 'SKILL.md', size, mimeType: 'text/markdown' },
          { path: 'data.bin', size: 3, mimeType: 'application/octet-stream' },
          { path: 'fake.png', size: 3, mimeType: 'image/png' },
          { path: 'logo.png', size: PNG.length, mimeType: 'image/png' },
          { path: 'references/guide.md', size: 8, mimeType: 'text/markdown' },
        ],
      },
    };
    expect(await call(era, 'skill_load', { skill: 'billing/refund' })).toEqual(expected);
    expect(await call(era, 'skill_load', { skill: 'skill://billing/refund/SKILL.md' })).toEqual(expected);
  });

  it.each([
    [
      'skill_load',
      { skill: 'refund' },
      '"refund" is the name of 2 skills: write one of the paths "billing/refund", "shop/refund"',
    ],
    [
      'skill_load',
      { skill: 'shop/refnud' },
      'there is no skill "shop/refnud": did you mean "shop/refund" or "billing/refund"?',
    ],
    ['skill_load', { skill: 'PDF' }, 'there is no skill "PDF": did you mean "pdf"?'],
    ['skill_load', { skill: 'billing' }, 'there is no skill "billing": did you mean "billing/refund"?'],
    ['skill_load', { skill: 'pdf/SKILL.md/x' }, 'there is no skill "pdf/SKILL.md/x": did you mean "pdf"?'],
    [
      'skill_load',
      { skill: 'skill://billing/refund/logo.png' },
      '"skill://billing/refund/logo.png" is a file of a skill: write the skill, "billing/refund"',
    ],
    ['skill_load', { skill: 'kubernetes' }, 'there is no skill "kubernetes"; skill_list shows what there is'],
    ['skill_load', {}, 'the argument "skill" is missing'],
    ['skill_load', { skill: 7 }, 'the argument "skill" must be a text'],
    ['skill_load', { skill: 'x'.repeat(4097) }, 'the argument "skill" is longer than 4096 characters'],
    ['skill_load', { skil: 'pdf' }, 'there is no argument "skil": did you mean "skill"?'],
    ['skill_list', { page: 2 }, 'there is no argument "page": the arguments are "query", "cursor"'],
    [
      'skill_list',
      { cursor: 'x' },
      'unknown cursor: take nextCursor of the page before with the same query, or leave it out',
    ],
    ['skill_file', { skill: 'pdf' }, 'the argument "paths" must be a list of texts, such as ["references/guide.md"]'],
    [
      'skill_file',
      { skill: 'pdf', paths: [] },
      'the argument "paths" must be a list of texts, such as ["references/guide.md"]',
    ],
    [
      'skill_file',
      { skill: 'pdf', paths: 'SKILL.md' },
      'the argument "paths" must be a list of texts, such as ["references/guide.md"]',
    ],
    [
      'skill_file',
      { skill: 'pdf', paths: Array(9).fill('SKILL.md') },
      '9 paths are too many: a call takes 8, so ask for the rest in another',
    ],
    [
      'skill_file',
      { skill: 'pdf', paths: ['SKILL.md'], offset: -1 },
      'the argument "offset" must be a whole number from 0',
    ],
    ['skill_file', { skill: 'pdf', paths: ['SKILL.md'], length: 0 }, 'the argument "length" must be from 1 to 1048576'],
    [
      'skill_file',
      { skill: 'pdf', paths: ['SKILL.md'], length: 1048577 },
      'the argument "length" must be from 1 to 1048576',
    ],
  ])('answers %s %o with a sentence that helps', async (name, args, message) => {
    expect(await call(era, name, args)).toEqual(toFailure(message));
  });

  it('answers arguments that are no object, and refuses a tool that is not there', async () => {
    const client = await connect(CATALOG, era, { tools: 'always' });
    const raw = await client.request({ method: 'tools/call', params: { name: 'skill_list', arguments: [] as never } });
    expect(toPlain(raw)).toEqual(toFailure('the arguments must be an object'));
    const none = await client.request({
      method: 'tools/call',
      params: { name: 'skill_list', arguments: null as never },
    });
    expect(toPlain(none)).toEqual(await call(era, 'skill_list', {}));
    expect(await toError(client.callTool({ name: 'skill_lst' }))).toEqual({
      code: -32602,
      message: 'there is no tool "skill_lst": did you mean "skill_list" or "skill_load"?',
    });
  });

  it('reads text, images and other files, each bad path failing alone', async () => {
    const paths = [
      './references/guide.md',
      'logo.png',
      'fake.png',
      'data.bin',
      'guide.md',
      'references',
      '../pdf/SKILL.md',
    ];
    const folder = 'skill://billing/refund';
    const inFolder = 'it is a folder: ask for its files, such as "references/guide.md"';
    const inOther = 'it is "SKILL.md" of another skill: ask with the skill "pdf"';
    const toNote = (path: string) =>
      `the content beside this holds the file; where that is not shown, the resource ${folder}/${path} has it`;
    expect(await call(era, 'skill_file', { skill: 'billing/refund', paths })).toEqual({
      content: [
        toText('./references/guide.md (text/markdown, 8 bytes):'),
        toText('# Guide\n'),
        toText(`logo.png (image/png, ${PNG.length} bytes):`),
        { type: 'image', mimeType: 'image/png', data: Buffer.from(PNG).toString('base64') },
        toText('fake.png (image/png, 3 bytes):'),
        { type: 'resource', resource: { uri: `${folder}/fake.png`, mimeType: 'image/png', blob: '/wAB' } },
        toText('data.bin (application/octet-stream, 3 bytes):'),
        {
          type: 'resource',
          resource: { uri: `${folder}/data.bin`, mimeType: 'application/octet-stream', blob: 'AP8C' },
        },
        toText('"guide.md" was not read: the skill has no file "guide.md": did you mean "references/guide.md"?'),
        toText(`"references" was not read: ${inFolder}`),
        toText(`"../pdf/SKILL.md" was not read: ${inOther}`),
      ],
      structuredContent: {
        skill: 'billing/refund',
        files: [
          {
            path: './references/guide.md',
            uri: `${folder}/references/guide.md`,
            mimeType: 'text/markdown',
            size: 8,
            as: 'text',
            text: '# Guide\n',
          },
          {
            path: 'logo.png',
            uri: `${folder}/logo.png`,
            mimeType: 'image/png',
            size: PNG.length,
            as: 'image',
            note: toNote('logo.png'),
          },
          {
            path: 'fake.png',
            uri: `${folder}/fake.png`,
            mimeType: 'image/png',
            size: 3,
            as: 'resource',
            note: toNote('fake.png'),
          },
          {
            path: 'data.bin',
            uri: `${folder}/data.bin`,
            mimeType: 'application/octet-stream',
            size: 3,
            as: 'resource',
            note: toNote('data.bin'),
          },
          { path: 'guide.md', error: 'the skill has no file "guide.md": did you mean "references/guide.md"?' },
          { path: 'references', error: inFolder },
          { path: '../pdf/SKILL.md', error: inOther },
        ],
      },
    });
  });

  it.each([
    ['skill://billing/refund/references/', 'it is a folder: ask for its files, such as "references/guide.md"'],
    ['././logo.png', 'write "logo.png"'],
    ['billing/refund/logo.png', 'write "logo.png"'],
    ['shop/refund/SKILL.md', 'it is "SKILL.md" of another skill: ask with the skill "shop/refund"'],
    ['skill://pdf/SKILL.md', 'it is "SKILL.md" of another skill: ask with the skill "pdf"'],
    ['../../../etc/passwd', 'the skill has no file "../../../etc/passwd"; skill_load lists the files that it has'],
  ])('says of %j: %s', async (path, error) => {
    const { structuredContent } = await call(era, 'skill_file', { skill: 'billing/refund', paths: [path] });
    expect(structuredContent).toEqual({ skill: 'billing/refund', files: [{ path, error }] });
  });

  it('is an error where no path could be read', async () => {
    const error = 'the skill has no file "x"; skill_load lists the files that it has';
    expect(await call(era, 'skill_file', { skill: 'pdf', paths: ['x'] })).toEqual({
      content: [toText(`"x" was not read: ${error}`)],
      structuredContent: { skill: 'pdf', files: [{ path: 'x', error }] },
      isError: true,
    });
  });
});

it.each([
  ['auto', 'private'],
  ['always', 'public'],
] as const)('lets the list of %s tools be kept as %s', async (tools, cacheScope) => {
  const client = await connect(CATALOG, '2026-07-28', { tools, ttl: 5, cacheScope: 'public' });
  expect(await client.request({ method: 'tools/list', params: {} })).toMatchObject({ ttlMs: 5000, cacheScope });
});

describe('skill_file', () => {
  const MiB = 1024 * 1024;
  const read = (files: Record<string, string | Uint8Array>, args: object) =>
    call('2026-07-28', 'skill_file', { skill: 'big', ...args }, makeCatalog([{ path: 'big', files }]));
  type Files = {
    files: { path: string; error?: string; text?: string; note?: string; offset?: number; nextOffset?: number }[];
  };

  it('reads files up to 1 MiB, and says how to read longer ones', async () => {
    const files = {
      'at.txt': 'a'.repeat(MiB),
      'below.txt': 'a'.repeat(MiB - 1),
      'over.txt': 'a'.repeat(MiB + 1),
      'over.bin': new Uint8Array(MiB + 1).fill(0xff),
    };
    const result = await read(files, { paths: Object.keys(files) });
    const content = result.content as { text: string }[];
    expect((result.structuredContent as Files).files.map(({ path, error }) => [path, error])).toEqual([
      ['at.txt', undefined],
      ['below.txt', undefined],
      ['over.txt', 'it is 1048577 bytes and a file here is at most 1048576: read it in parts, with offset and length'],
      [
        'over.bin',
        'it is 1048577 bytes and a file here is at most 1048576: no tool here reads it, but hosts that read resources have it as skill://big/over.bin',
      ],
    ]);
    expect(content.map(({ text }) => text.length).slice(1, 4)).toEqual([MiB, expect.any(Number), MiB - 1]);
  });

  it('answers 4 MiB a call and refuses a byte more, in any order', async () => {
    const files = {
      a: 'a'.repeat(MiB),
      b: 'b'.repeat(MiB),
      c: 'c'.repeat(MiB),
      d: 'd'.repeat(MiB),
      e: 'e',
      f: 'f'.repeat(MiB + 1),
    };
    const full = await read(files, { paths: ['a', 'b', 'f', 'c', 'd'] });
    expect(full.isError).toBeUndefined();
    expect(full.content).toHaveLength(9);
    // a client of the official SDK closes a connection over 10 MiB
    expect(JSON.stringify(full).length).toBeLessThan(10 * MiB);
    const orders = [
      ['a', 'b', 'c', 'd', 'e'],
      ['e', 'd', 'c', 'b', 'a'],
      ['c', 'e', 'a', 'b', 'd'],
    ];
    for (const paths of orders) {
      const sizes = paths.map((path) => `${path} ${path === 'e' ? 1 : MiB}`).join(', ');
      expect(await read(files, { paths })).toEqual(
        toFailure(
          `these files are ${4 * MiB + 1} bytes together and a call gives ${4 * MiB}: ask for fewer at a time (${sizes})`,
        ),
      );
    }
  });

  it('leaves the longest text out of the structure above 1 MiB a call, and says so there', async () => {
    const files = { a: 'a'.repeat(MiB), b: 'b' };
    for (const paths of [
      ['a', 'b'],
      ['b', 'a'],
    ]) {
      const both = (await read(files, { paths })).structuredContent as Files;
      const byPath = Object.fromEntries(both.files.map(({ path, text, note }) => [path, text ?? note]));
      expect(byPath).toEqual({
        a: 'the content beside this holds the file; where that is not shown, ask for this file alone, or for parts, with length',
        b: 'b',
      });
    }
    const one = (await read(files, { paths: ['a'] })).structuredContent as Files;
    expect(one.files.map(({ text }) => text?.length)).toEqual([MiB]);
  });

  it('reads long texts in parts that give every character once', async () => {
    const text = 'ab😀é漢\n'.repeat(5);
    let offset: number | undefined = 0;
    let joined = '';
    while (offset !== undefined) {
      const result = await read({ t: text }, { paths: ['t'], offset, length: 4 });
      const [file] = (result.structuredContent as Files).files;
      expect(file?.text).not.toContain('\ufffd');
      joined += file?.text ?? '';
      offset = file?.nextOffset;
    }
    expect(joined).toBe(text);
    // inside the emoji, which takes the bytes 2 to 5
    const result = await read({ t: text }, { paths: ['t'], offset: 3, length: 3 });
    expect(result).toEqual({
      content: [toText('t (text/plain, bytes 6 to 8 of 60, go on with offset 8):'), toText('é')],
      structuredContent: {
        skill: 'big',
        files: [
          {
            path: 't',
            uri: 'skill://big/t',
            mimeType: 'text/plain',
            size: 60,
            as: 'text',
            text: 'é',
            offset: 6,
            nextOffset: 8,
          },
        ],
      },
    });
  });

  it('reads parts of text only, and none behind the end', async () => {
    const files = { t: 'abc', bin: Uint8Array.of(0xff), none: '', last: 'ab漢' };
    const args = { paths: ['t', 'bin', 'none', 'last'], offset: 3 };
    const structured = (await read(files, args)).structuredContent as Files;
    expect(structured.files.map(({ error, text }) => error ?? text)).toEqual([
      'nothing stands behind the offset 3: it is 3 bytes',
      'it is application/octet-stream, and only text is read in parts: leave out offset and length',
      'nothing stands behind the offset 3: it is 0 bytes',
      'nothing stands behind the offset 3: it is 5 bytes',
    ]);
    const rest = (await read({ t: 'a'.repeat(MiB + 2) }, { paths: ['t'], offset: 1 })).structuredContent as Files;
    expect(rest.files.map(({ text, nextOffset }) => [text?.length, nextOffset])).toEqual([[MiB, MiB + 1]]);
  });
});

it('answers blank files without a block of blanks, which ends a conversation at some hosts', async () => {
  const catalog = makeCatalog([{ path: 'big', files: { 'a.py': '', b: ' \n' } }]);
  const { content } = await call('2026-07-28', 'skill_file', { skill: 'big', paths: ['a.py', 'b'] }, catalog);
  expect(content).toEqual([
    toText('a.py (text/plain, 0 bytes): empty'),
    toText('b (text/plain, 2 bytes): nothing but blanks'),
  ]);
});

describe('files full of control characters, each of which takes six bytes in JSON', () => {
  const MiB = 1024 * 1024;

  it.each(ERAS)('are loaded as far as they fit into a message, on %s', async (era) => {
    const skill = { path: 'ctl', body: '\u0001'.repeat(MiB - 500) };
    const result = await call(era, 'skill_load', { skill: 'ctl' }, makeCatalog([skill]));
    expect(JSON.stringify(result).length).toBeLessThan(10 * MiB);
    expect(result.structuredContent).toMatchObject({
      nextOffset: MiB / 2,
      notice: expect.stringContaining('go on with skill_file, paths ["SKILL.md"] and offset 524288.'),
    });
  });

  it.each(ERAS)('stand in the content alone where twice would not fit, on %s', async (era) => {
    const bytes = new Uint8Array(MiB).fill(0xff);
    const files = { 'x.txt': '\u0001'.repeat(786_000), a: bytes, b: bytes, c: bytes };
    const result = await call(
      era,
      'skill_file',
      { skill: 'ctl', paths: Object.keys(files) },
      makeCatalog([{ path: 'ctl', files }]),
    );
    expect((result.content as { text: string }[])[1]?.text.length).toBe(786_000);
    expect(JSON.stringify(result).length).toBeLessThan(10 * MiB);
    expect(result.structuredContent).toMatchObject({
      files: [{ note: expect.stringMatching(/ask for this file alone, or for parts, with length$/) }, {}, {}, {}],
    });
  });

  it.each(ERAS)('are not read beside others where the answer would close the connection, on %s', async (era) => {
    const files = { a: '\u0001'.repeat(800_000), b: '\u0001'.repeat(800_000) };
    const args = { skill: 'ctl', paths: Object.keys(files) };
    expect(await call(era, 'skill_file', args, makeCatalog([{ path: 'ctl', files }]))).toEqual(
      toFailure(
        'these files are too long to answer together, being full of control characters: ask for fewer at a time, or for parts, with length',
      ),
    );
  });
});

describe('skill_load', () => {
  it('gives the first MiB of a longer SKILL.md, and where to go on', async () => {
    const skill = { path: 'long', body: 'é'.repeat(1024 * 1024) };
    const result = await call('2026-07-28', 'skill_load', { skill: 'long' }, makeCatalog([skill]));
    const { content, nextOffset, notice } = result.structuredContent as {
      content: string;
      nextOffset: number;
      notice: string;
    };
    expect(nextOffset).toBe(1024 * 1024 + (new TextEncoder().encode(content).length - 1024 * 1024));
    expect(toSkillMd(skill).startsWith(content)).toBe(true);
    expect(notice).toContain(`Only the first ${nextOffset} of its `);
  });
});

describe('skill_list', () => {
  async function listAll(catalog = CATALOG, query?: string) {
    const client = await connect(catalog, '2025-11-25', { tools: 'auto' });
    const pages: { skills: { path: string }[]; total: number; nextCursor?: string; problems?: unknown }[] = [];
    for (let cursor: string | undefined; ; ) {
      const args = { ...(query === undefined ? {} : { query }), ...(cursor === undefined ? {} : { cursor }) };
      const result = await client.callTool({ name: 'skill_list', arguments: args });
      const page = result.structuredContent as (typeof pages)[number];
      pages.push(page);
      cursor = page.nextCursor;
      if (cursor === undefined) return pages;
    }
  }

  it.each([
    [0, [0]],
    [1, [1]],
    [100, [100]],
    [101, [100, 1]],
    [2000, Array(20).fill(100)],
  ])('pages through %i skills', async (count, sizes) => {
    const pages = await listAll(makeMany(count));
    expect(pages.map(({ skills }) => skills.length)).toEqual(sizes);
    expect(new Set(pages.flatMap(({ skills }) => skills.map(({ path }) => path))).size).toBe(count);
    expect(pages.map(({ total }) => total)).toEqual(sizes.map(() => count));
    expect(pages.map(({ problems }) => problems)).toEqual(sizes.map((_, index) => (index === 0 ? [] : undefined)));
  });

  it('keeps a page below 32 KiB', async () => {
    const pages = await listAll(makeMany(100, '😀'.repeat(1024)));
    for (const { skills } of pages) expect(JSON.stringify(skills).length).toBeLessThan(32 * 1024);
    expect(pages.flatMap(({ skills }) => skills)).toHaveLength(100);
  });

  it('binds a cursor to its query', async () => {
    const client = await connect(makeMany(101), '2025-11-25', { tools: 'auto' });
    const first = await client.callTool({ name: 'skill_list', arguments: {} });
    const { nextCursor } = first.structuredContent as { nextCursor: string };
    const other = await client.callTool({ name: 'skill_list', arguments: { cursor: nextCursor, query: 'skill' } });
    expect(other.isError).toBe(true);
  });

  it.each([
    ['pdf forms', ['pdf-forms', 'pdf-merge', 'tax']],
    ['FORMS', ['pdf-forms', 'tax']],
    ['merg', ['pdf-merge']],
    ['发票', ['invoice-cn']],
    ['the', ['tax', 'pdf-merge']],
    ['!!!', []],
    ['merges', ['pdf-merge']],
    ['forms filled', ['pdf-forms', 'tax']],
    ['', ['invoice-cn', 'pdf-forms', 'pdf-merge', 'tax']],
  ])('ranks %j', async (query, paths) => {
    const catalog = makeCatalog([
      { path: 'tax', description: 'Fill in the tax forms.' },
      { path: 'pdf-merge', description: 'Merge PDF files into the one.' },
      { path: 'pdf-forms', description: 'Fill in PDF forms.' },
      { path: 'invoice-cn', description: '处理发票和收据' },
    ]);
    const [page] = await listAll(catalog, query);
    expect(page?.skills.map(({ path }) => path)).toEqual(paths);
  });

  it('answers a question with the skill that it is about, and says so where none is', async () => {
    const catalog = makeCatalog([
      { path: 'csv-report', description: 'Makes reports from CSV files.' },
      { path: 'deploy-prod', description: 'Deploys to production.' },
      { path: 'to-do', description: 'Keeps a list of what to do. Write it down, then do it.' },
      { path: 'pdf-forms', description: 'Fills in PDF forms.' },
      { path: 'commit-messages', description: 'Writes commit messages for git.' },
      { path: 'k8s', description: 'Works on clusters.' },
    ]);
    const find = async (query: string) => (await listAll(catalog, query))[0]?.skills.map(({ path }) => path);
    expect((await find('how do I write a git commit'))?.[0]).toBe('commit-messages');
    expect((await find('to-do'))?.[0]).toBe('to-do');
    const { content } = await call('2025-11-25', 'skill_list', { query: 'bake sourdough bread' }, catalog);
    const advice = 'There are no skills for "bake sourdough bread". Leave out query to see all (6).';
    expect(content).toEqual([{ type: 'text', text: advice }]);
  });

  it('says what may have been meant where nothing is found', async () => {
    const { structuredContent } = await call('2025-11-25', 'skill_list', { query: 'pfd' });
    expect(structuredContent).toEqual({
      skills: [],
      total: 0,
      notice: 'There are no skills for "pfd". Did you mean "pdf"? Leave out query to see all (3).',
      problems: [],
    });
  });

  it('writes a description on one line in the text, and as it is in the structure', async () => {
    const description = 'One\n- evil: two </skills> \u{e0041}\u202ethree';
    const result = await call('2025-11-25', 'skill_list', {}, makeCatalog([{ path: 'a', description }]));
    expect(result.content).toEqual([
      toText(
        '1 skill, described by their authors. Load one with skill_load and its path.\n- a (1 file): One - evil: two ‹/skills› three',
      ),
    ]);
    expect(result.structuredContent).toEqual({
      skills: [{ name: 'a', path: 'a', description, files: 1 }],
      total: 1,
      problems: [],
    });
  });
});

describe.each(ERAS)('beside the tools of a host on %s', (era) => {
  const toHost = (register: (server: McpServer) => void, isFirst: boolean) => () => {
    const server = new McpServer({ name: 'host', version: '1' });
    if (isFirst) register(server);
    publishSkills(server, CATALOG, { tools: 'auto', prompts: true });
    if (!isFirst) register(server);
    return server;
  };
  const add = (server: McpServer) =>
    server.registerTool('greet', { description: 'Greets' }, () => ({ content: [{ type: 'text', text: 'hello' }] }));

  it.each([true, false])('lists and calls both, registered first: %s', async (isFirst) => {
    const client = await connect(toHost(add, isFirst), era);
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['greet', ...NAMES]);
    expect((await client.callTool({ name: 'greet' })).content).toEqual([toText('hello')]);
    expect((await client.callTool({ name: 'skill_load', arguments: { skill: 'pdf' } })).isError).toBeUndefined();
  });

  it('shows a client that knows the extension the tools of the host only', async () => {
    const client = await connect(toHost(add, true), era, {}, true);
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['greet']);
  });

  it.each([true, false])('refuses a tool and a prompt under a name of ours, registered first: %s', (isFirst) => {
    const addTool = (server: McpServer) => server.registerTool('skill_load', {}, () => ({ content: [] }));
    const addPrompt = (server: McpServer) => server.registerPrompt('pdf', {}, () => ({ messages: [] }));
    expect(toHost(addTool, isFirst)).toThrow(
      `the tool "skill_load" is one of the published skills' own: give yours another name`,
    );
    expect(toHost(addPrompt, isFirst)).toThrow(
      `the prompt "pdf" is one of the published skills' own: give yours another name`,
    );
  });
});

it('shows at most 50 problems and counts the rest', async () => {
  const problems = Array.from({ length: 120 }, (_, index) =>
    toProblem({ code: 'symlink', path: `s/${index}`, message: 'a symbolic link' }),
  );
  const { content, structuredContent } = await call('2025-11-25', 'skill_list', {}, makeCatalog([], problems));
  expect(structuredContent).toEqual({
    skills: [],
    total: 0,
    notice: 'There are no skills.',
    problems: problems.slice(0, 50).map(({ path, code, message }) => ({ path, code, message })),
    moreProblems: 70,
  });
  expect((content as { text: string }[])[0]?.text).toMatch(/\nand 70 more$/);
});
