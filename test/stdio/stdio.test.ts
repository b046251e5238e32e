import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills';
import { describe, expect, test } from 'vitest';
import { loadSkills } from '../../src/load.ts';
import { BIN, collect, connect, ERAS, EXAMPLE, run, start } from '../command.ts';
import { makeTree, type Node, skillMd } from '../tree.ts';

const EXTENSION = 'io.modelcontextprotocol/skills';
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** Sends raw messages and gives the answers by id, in the era of the first. */
async function exchange(
  args: readonly string[],
  messages: readonly object[],
): Promise<Map<unknown, Record<string, unknown>>> {
  const input = messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join('');
  const { stdout, status } = await run(args, { input });
  expect(status).toBe(0);
  const answers = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  return new Map(answers.map((answer) => [answer['id'], answer]));
}

const initialize = (protocolVersion: string) => ({
  id: 0,
  method: 'initialize',
  params: { protocolVersion, capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
});

const modern = (id: number, method: string, params: object = {}) => ({
  id,
  method,
  params: { ...params, _meta: META },
});

/** What a look gives at last. */
async function until<T>(look: () => T | null): Promise<T> {
  for (;;) {
    const found = look();
    if (found !== null) return found;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

describe('the official client', () => {
  for (const era of ERAS) {
    test(`lists, gets, reads and verifies every file (${era})`, async () => {
      const catalog = await loadSkills(EXAMPLE);
      const client = await connect(era, [EXAMPLE]);
      const skills = new SkillsClient(client);
      expect([skills.supported, skills.directoryRead]).toEqual([true, true]);
      const listing = await skills.list();
      expect(listing.skills).toEqual(catalog.skills);
      expect([listing.ttlMs, listing.cacheScope]).toEqual(
        // a folder that is followed may change soon
        era === 'modern' ? [60_000, 'private'] : [undefined, undefined],
      );
      const seen: string[] = [];
      for (const skill of listing.skills) {
        expect((await skills.get(skill.uri)).skill).toEqual(skill);
        if (skill.resources === 'dynamic') throw new Error('no skill is dynamic');
        for (const { uri } of skill.resources) {
          const file = await skills.read(skill, uri);
          expect([uri, file.verified, Buffer.from(file.bytes)]).toEqual([
            uri,
            true,
            Buffer.from(catalog.read(uri)?.bytes ?? []),
          ]);
          seen.push(uri);
        }
      }
      expect(seen).toEqual([
        'skill://commit-messages/SKILL.md',
        'skill://commit-messages/references/examples.md',
        'skill://documents/pdf-forms/SKILL.md',
        'skill://documents/pdf-forms/assets/required.png',
        'skill://documents/pdf-forms/scripts/fields.py',
      ]);
      expect((await skills.readDirectory('skill://documents/pdf-forms')).resources).toEqual(
        catalog.readDirectory('skill://documents/pdf-forms'),
      );
      expect(
        (await client.listResources()).resources.map(({ uri, name, description, mimeType }) => [
          uri,
          name,
          description,
          mimeType,
        ]),
      ).toEqual(
        catalog.skills.map(({ uri, frontmatter }) => [uri, frontmatter.name, frontmatter.description, 'text/markdown']),
      );
      expect((await client.listResourceTemplates()).resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
        'skill://{+path}',
      ]);
      await client.close();
    });
  }

  test('walks a listing of 250 skills and finds each once, in the order of URIs', async () => {
    const names = Array.from({ length: 250 }, (_, i) => `skill-${i}`);
    const root = makeTree(Object.fromEntries(names.map((name) => [`${name}/SKILL.md`, skillMd(name)])));
    for (const era of ERAS) {
      const client = await connect(era, [root, '--page-size', '17']);
      const { skills } = await new SkillsClient(client).list();
      expect(skills.map(({ uri }) => uri)).toEqual(names.map((name) => `skill://${name}/SKILL.md`).sort());
      await client.close();
    }
  });
});

describe('the wire', () => {
  test('declares the extension in initialize, whatever the older revision', async () => {
    for (const version of ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']) {
      const answers = await exchange([EXAMPLE, '--tools', 'never', '--no-prompts'], [initialize(version)]);
      expect(answers.get(0)?.['result']).toMatchObject({
        protocolVersion: version,
        capabilities: { resources: {}, extensions: { [EXTENSION]: { directoryRead: true } } },
      });
    }
  });

  test('declares it in server/discover', async () => {
    const answers = await exchange([EXAMPLE], [modern(1, 'server/discover')]);
    expect(answers.get(1)?.['result']).toMatchObject({
      supportedVersions: ['2026-07-28'],
      capabilities: { resources: {}, extensions: { [EXTENSION]: { directoryRead: true } } },
    });
  });

  test('carries the fields of 2026-07-28 there, and none of them before', async () => {
    const requests: [string, object][] = [
      ['skills/list', {}],
      ['skills/get', { uri: 'skill://commit-messages/SKILL.md' }],
      ['resources/read', { uri: 'skill://commit-messages/SKILL.md' }],
      ['resources/list', {}],
      ['resources/templates/list', {}],
      ['resources/directory/read', { uri: 'skill://commit-messages' }],
    ];
    const fields = ['resultType', 'ttlMs', 'cacheScope'] as const;
    const args = [EXAMPLE, '--ttl', '60', '--cache-scope', 'public'];
    const older = await exchange(args, [
      initialize('2025-11-25'),
      ...requests.map(([method, params], id) => ({ id: id + 1, method, params })),
    ]);
    const newer = await exchange(
      args,
      requests.map(([method, params], id) => modern(id + 1, method, params)),
    );
    requests.forEach(([method], index) => {
      const before = older.get(index + 1)?.['result'] as Record<string, unknown>;
      const after = newer.get(index + 1)?.['result'] as Record<string, unknown>;
      expect([method, ...fields.map((field) => before[field])]).toEqual([method, undefined, undefined, undefined]);
      expect([method, ...fields.map((field) => after[field])]).toEqual([method, 'complete', 60_000, 'public']);
    });
  });

  test('answers -32602 with a message that names the URI', async () => {
    const asked: [string, object, string][] = [
      ['skills/get', { uri: 'skill://nope/SKILL.md' }, 'no skill is served at skill://nope/SKILL.md'],
      [
        'skills/get',
        { uri: 'skill://commit-messages' },
        'no skill is served at skill://commit-messages; it is a directory: use resources/directory/read',
      ],
      [
        'skills/get',
        { uri: 'skill://commit-messages/references/examples.md' },
        'no skill is served at skill://commit-messages/references/examples.md; it is a file of a skill, not its SKILL.md',
      ],
      ['skills/get', {}, 'the parameter "uri" is missing or is not a string'],
      [
        'resources/read',
        { uri: 'skill://commit-messages/references/EXAMPLES.md' },
        'no file is served at skill://commit-messages/references/EXAMPLES.md',
      ],
      [
        'resources/read',
        { uri: 'skill://commit-messages/x/../SKILL.md' },
        'no file is served at skill://commit-messages/x/../SKILL.md',
      ],
      [
        'resources/read',
        { uri: 'skill://commit-messages/SKILL%2Emd' },
        'no file is served at skill://commit-messages/SKILL%2Emd; URIs are not percent-decoded, and none that is served needs it',
      ],
      ['resources/read', { uri: 'skill://index.json' }, 'no file is served at skill://index.json'],
      [
        'resources/read',
        { uri: 'skill://commit-messages/' },
        'no file is served at skill://commit-messages/; it ends in a slash',
      ],
      [
        'resources/directory/read',
        { uri: 'skill://commit-messages/SKILL.md' },
        'skill://commit-messages/SKILL.md is a file, not a directory',
      ],
      [
        'resources/directory/read',
        { uri: 'skill://commit-messages/' },
        'skill://commit-messages/ is not served; a directory is written without a slash at its end',
      ],
      [
        'resources/directory/read',
        { uri: 'skill://' },
        'skill:// is not served; a directory is written without a slash at its end',
      ],
      [
        'skills/list',
        { cursor: 'bm90IG91cnM' },
        'unknown cursor: this listing has not given it, so list again from the start',
      ],
      ['skills/list', { cursor: '' }, 'unknown cursor: this listing has not given it, so list again from the start'],
      [
        'resources/list',
        { cursor: 'x' },
        'unknown cursor: this listing has not given it, so list again from the start',
      ],
    ];
    const older = await exchange(
      [EXAMPLE],
      [initialize('2025-11-25'), ...asked.map(([method, params], id) => ({ id: id + 1, method, params }))],
    );
    const newer = await exchange(
      [EXAMPLE],
      asked.map(([method, params], id) => modern(id + 1, method, params)),
    );
    for (const answers of [older, newer]) {
      asked.forEach(([method, params, message], index) => {
        const error = answers.get(index + 1)?.['error'] as { code: number; message: string } | undefined;
        expect([method, params, error?.code, error?.message]).toEqual([method, params, -32602, message]);
      });
    }
  });

  test('takes the scheme in any case, and answers with the URI as it was asked', async () => {
    const uri = 'SKILL://commit-messages/SKILL.md';
    const answers = await exchange(
      [EXAMPLE],
      [modern(1, 'resources/read', { uri }), modern(2, 'resources/read', { uri: 'skill://Commit-messages/SKILL.md' })],
    );
    expect(answers.get(1)?.['result']).toMatchObject({ contents: [{ uri, mimeType: 'text/markdown' }] });
    expect(answers.get(2)?.['error']).toMatchObject({ code: -32602 });
  });

  test('takes the cursors of another process, with the same skills or with others, and refuses those of another listing', async () => {
    const nodes = (count: number): Record<string, Node> =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`s${i}/SKILL.md`, skillMd(`s${i}`)]));
    const [one, same, other] = [makeTree(nodes(5)), makeTree(nodes(5)), makeTree(nodes(6))];
    const page = async (root: string, method: string, params: object) =>
      (await exchange([root, '--page-size', '2'], [modern(1, method, params)])).get(1);
    const first = (await page(one, 'skills/list', {}))?.['result'] as { skills: { uri: string }[]; nextCursor: string };
    expect(first.skills.map(({ uri }) => uri)).toEqual(['skill://s0/SKILL.md', 'skill://s1/SKILL.md']);
    const cursor = first.nextCursor;
    const second = (await page(same, 'skills/list', { cursor }))?.['result'] as typeof first;
    expect(second.skills.map(({ uri }) => uri)).toEqual(['skill://s2/SKILL.md', 'skill://s3/SKILL.md']);
    const last = (await page(one, 'skills/list', { cursor: second.nextCursor }))?.['result'] as typeof first;
    expect(last.skills.map(({ uri }) => uri)).toEqual(['skill://s4/SKILL.md']);
    expect('nextCursor' in last).toBe(false);
    const more = (await page(other, 'skills/list', { cursor: second.nextCursor }))?.['result'] as typeof first;
    expect(more.skills.map(({ uri }) => uri)).toEqual(['skill://s4/SKILL.md', 'skill://s5/SKILL.md']);
    expect(await page(one, 'resources/list', { cursor })).toMatchObject({ error: { code: -32602 } });
  });

  test('answers a request that has an id and a wrong shape', async () => {
    const wrong: [object, number, string][] = [
      [
        { method: 'skills/list', params: null },
        -32602,
        'the member "params" is not an object: leave it out, or send {}',
      ],
      [
        { method: 'skills/list', params: [1] },
        -32602,
        'the member "params" is not an object: leave it out, or send {}',
      ],
      [{ method: 'skills/list', params: { _meta: 1 } }, -32602, 'the parameter "_meta" is not an object'],
      [{ method: 7 }, -32600, 'the member "method" is missing or is not a string'],
      [{ jsonrpc: '1.0', method: 'skills/list' }, -32600, 'the request has no "jsonrpc": "2.0"'],
      [{ method: 'skills/list', parameters: {} }, -32600, 'a request has no member "parameters"'],
      [
        { method: 'ping', params: { _meta: { progressToken: {} } } },
        -32602,
        'the parameter "_meta.progressToken" is neither a string nor a whole number',
      ],
    ];
    const answers = await exchange(
      [EXAMPLE],
      [initialize('2025-11-25'), ...wrong.map(([message], at) => ({ id: `wrong-${at}`, ...message }))],
    );
    expect([...answers.values()].slice(1)).toEqual(
      wrong.map(([, code, message], at) => ({ jsonrpc: '2.0', id: `wrong-${at}`, error: { code, message } })),
    );
  });

  test('answers nothing that names no request', async () => {
    const lines = [
      '{"jsonrpc":"2.0","method":7}',
      '{"jsonrpc":"2.0","id":null,"method":"x"}',
      '{"id":1,"result":1}',
      'x',
      '',
    ];
    const { stdout, stderr } = await run([EXAMPLE], { input: lines.map((line) => `${line}\r\n`).join('') });
    const shape = 'mcp-server-skills: a line on stdin is not a JSON-RPC message\n';
    expect([stdout, stderr]).toEqual(['', `${shape.repeat(3)}mcp-server-skills: a line on stdin is not JSON\n`]);
  });

  test('takes the batches of 2025-03-26, and no others', async () => {
    const batch = [1, 2].map((id) => ({ jsonrpc: '2.0', id, method: 'skills/list' }));
    const ask = async (version: string) => {
      const lines = [
        { jsonrpc: '2.0', ...initialize(version) },
        [...batch, { jsonrpc: '2.0', method: 'notifications/x' }],
      ];
      const { stdout } = await run([EXAMPLE], { input: lines.map((line) => `${JSON.stringify(line)}\n`).join('') });
      const answers = stdout.trimEnd().split('\n').slice(1);
      return answers.map((line) => JSON.parse(line));
    };
    const listed = await ask('2025-03-26');
    expect(listed.map(({ id, result }) => [id, result.skills.length])).toEqual([
      [1, 2],
      [2, 2],
    ]);
    const message = 'batches are only of revision 2025-03-26: send one message a line';
    expect(await ask('2025-06-18')).toEqual(
      [1, 2].map((id) => ({ jsonrpc: '2.0', id, error: { code: -32600, message } })),
    );
  });

  test('an entry over the page limit comes alone', async () => {
    const long = (name: string) => skillMd(name, 'x'.repeat(1000));
    const deep = `${'d'.repeat(199)}/`.repeat(12);
    const files = Object.fromEntries(Array.from({ length: 511 }, (_, i) => [`b/${deep}${i}.md`, '']));
    const root = makeTree({ 'a/SKILL.md': long('a'), 'b/SKILL.md': long('b'), ...files, 'c/SKILL.md': long('c') });
    const raw = await exchange([root], [modern(1, 'skills/list')]);
    const first = raw.get(1)?.['result'] as { skills: { uri: string }[]; nextCursor: string };
    expect(first.skills.map(({ uri }) => uri)).toEqual(['skill://a/SKILL.md']);
    const next = (await exchange([root], [modern(1, 'skills/list', { cursor: first.nextCursor })])).get(1)?.[
      'result'
    ] as typeof first;
    expect(next.skills.map(({ uri }) => uri)).toEqual(['skill://b/SKILL.md']);
    expect(JSON.stringify(next).length).toBeGreaterThan(1024 * 1024);
  });
});

describe('living with hosts', () => {
  test('writes nothing but protocol on stdout, for a folder full of bad skills too', async () => {
    const nodes = {
      'bad/SKILL.md': skillMd('other'),
      'Worse/SKILL.md': 'no frontmatter',
      'ok/SKILL.md': skillMd('ok'),
      'empty/scripts/a.py': '',
    } as const;
    const root = makeTree(nodes);
    const failed = await run([root, '--invalid', 'fail'], { input: '' });
    expect([failed.status, failed.stdout]).toEqual([1, '']);
    for (const code of ['name-mismatch', 'folder-name', 'frontmatter-missing', 'group-empty'])
      expect(failed.stderr).toContain(`[${code}]`);
    expect(failed.stderr).toContain(
      'nothing is published, because of 4 errors; --invalid skip would serve the other skill\n',
    );
    const input = `${JSON.stringify({ jsonrpc: '2.0', ...initialize('2025-11-25') })}\nnot json\n{"jsonrpc":"1.0"}\n\n${JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'skills/list' })}\n`;
    const served = await run([root], { input });
    expect(await run([root, '--invalid', 'skip'], { input })).toEqual(served);
    expect(served.status).toBe(0);
    const answers = served.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
      .sort((a, b) => a.id - b.id);
    expect(answers.map(({ jsonrpc, id }) => [jsonrpc, id])).toEqual([
      ['2.0', 0],
      ['2.0', 7],
    ]);
    expect(answers[1].result.skills.map(({ uri }: { uri: string }) => uri)).toEqual(['skill://ok/SKILL.md']);
    expect(served.stderr).toContain('mcp-server-skills: left out 2 skills with errors\n');
  });

  test('answers what was asked before its input ended, and then ends', async () => {
    const messages = [
      initialize('2025-06-18'),
      ...Array.from({ length: 500 }, (_, i) => ({ id: i + 1, method: 'skills/list' })),
    ];
    const answers = await exchange([EXAMPLE], messages);
    expect(answers.size).toBe(501);
  });

  test('ends at once when nobody ever asks', async () => {
    expect(await run([EXAMPLE])).toEqual({ status: 0, stdout: '', stderr: '' });
  });

  test.skipIf(process.platform === 'win32')(
    'ends on SIGINT and SIGTERM with status 0 and without a stack trace',
    async () => {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) {
        const child = start([EXAMPLE]);
        const output = collect(child);
        child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...initialize('2025-06-18') })}\n`);
        while (output.stdout === '') await new Promise((resolve) => setTimeout(resolve, 10));
        child.kill(signal);
        const ended = await new Promise((resolve) => child.once('close', (status, by) => resolve([status, by])));
        expect([signal, ended, output.stderr]).toEqual([signal, [0, null], '']);
      }
    },
  );

  test.skipIf(process.platform === 'win32')('ends though its client holds the pipes and reads nothing', async () => {
    const root = makeTree({ 'a/SKILL.md': skillMd('a'), 'a/large.txt': 'x'.repeat(5_000_000) });
    const read = { id: 1, method: 'resources/read', params: { uri: 'skill://a/large.txt' } };
    const messages = [initialize('2025-06-18'), read, { ...read, id: 2 }];
    const input = messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join('');
    const cut = 'mcp-server-skills: the input has ended and the client takes no answers: what is left is not sent\n';
    for (const [way, end] of [
      ['SIGTERM', [0, null, '']],
      ['the end of the input', [3, null, cut]],
    ] as const) {
      const child = start([root]);
      let stderr = '';
      child.stderr?.setEncoding('utf8').on('data', (text: string) => {
        stderr += text;
      });
      const said = new Promise((resolve) => child.stderr?.once('end', resolve));
      const ended = new Promise((resolve) => child.once('exit', (status, by) => resolve([status, by])));
      child.stdin?.write(input);
      await new Promise((resolve) => child.stdout?.once('readable', resolve));
      if (way === 'SIGTERM') child.kill(way);
      else child.stdin?.end();
      await said;
      expect([way, ...((await ended) as unknown[]), stderr]).toEqual([way, ...end]);
    }
  });

  test('answers whole, however slowly they are read after the input has ended', async () => {
    const root = makeTree({ 'a/SKILL.md': skillMd('a'), 'a/large.txt': 'x'.repeat(4_000_000) });
    const child = start([root]);
    const ended = new Promise((resolve) => child.once('close', resolve));
    const read = { id: 1, method: 'resources/read', params: { uri: 'skill://a/large.txt' } };
    for (const message of [initialize('2025-06-18'), read, { ...read, id: 2 }])
      child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    child.stdin?.end();
    let text = '';
    // some 0.6 MB a second: the whole takes longer than an answer may that nobody takes
    for await (const chunk of child.stdout ?? []) {
      text += chunk;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(await ended).toBe(0);
    const ids = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).id);
    expect(ids).toEqual([initialize('2025-06-18').id, 1, 2]);
  });

  test.skipIf(spawnSync('unshare', ['-pf', 'true']).status !== 0)(
    'ends on a signal while it loads, as the first process of a container too',
    async () => {
      const names = Array.from({ length: 3000 }, (_, i) => `skill-${i}`);
      const root = makeTree(Object.fromEntries(names.map((name) => [`${name}/SKILL.md`, skillMd(name)])));
      const child = spawn('unshare', ['-pf', process.execPath, BIN, root]);
      const output = collect(child);
      const ended = new Promise((resolve) => child.once('exit', resolve));
      const [first] = await until(() =>
        readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').match(/\d+/),
      );
      const again = setInterval(() => {
        try {
          process.kill(Number(first), 'SIGTERM');
        } catch {
          // it has ended
        }
      }, 10);
      const status = await ended;
      clearInterval(again);
      // what has loaded ends with 0
      expect([status, output]).toEqual([143, { stdout: '', stderr: '' }]);
    },
  );

  test('ends on a broken pipe without a stack trace', async () => {
    const names = Array.from({ length: 200 }, (_, i) => `skill-${i}`);
    const root = makeTree(Object.fromEntries(names.map((name) => [`${name}/SKILL.md`, skillMd(name)])));
    const child = start([root]);
    let stderr = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    child.stdin?.on('error', () => {});
    const ended = new Promise((resolve) => child.once('close', resolve));
    const ask = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'skills/list' });
    child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...initialize('2025-06-18') })}\n`);
    await new Promise((resolve) => child.stdout?.once('data', resolve));
    child.stdout?.destroy();
    for (let i = 0; i < 50; i++) child.stdin?.write(`${ask}\n`);
    await ended;
    expect(stderr).toBe('');
  });

  test('says why it leaves a client that sends a line without end, with status 3', async () => {
    const child = start([EXAMPLE]);
    const output = collect(child);
    child.stdin?.on('error', () => {});
    child.stdin?.write('x'.repeat(11 * 1024 * 1024));
    const status = await new Promise((resolve) => child.once('close', resolve));
    expect({ status, ...output }).toEqual({
      status: 3,
      stdout: '',
      stderr: 'mcp-server-skills: a line on stdin is longer than 10 MiB: no request is\n',
    });
  });

  test('starts through a link, from any folder, with a path that has spaces and a root that is relative', async () => {
    const root = makeTree({ 'my skills/a/SKILL.md': skillMd('a'), bin: { folder: true } });
    symlinkSync(BIN, join(root, 'bin/skills'));
    const listed = await run(['list', 'my skills'], { cwd: root, command: join(root, 'bin/skills') });
    expect([listed.status, listed.stderr]).toEqual([0, '']);
    expect(listed.stdout).toContain('skill://a/SKILL.md  (1 file, ');
  });

  test('needs nothing but its own package', async () => {
    const root = makeTree({ 'my package': { folder: true } });
    const home = join(root, 'my package');
    const source = dirname(dirname(BIN));
    for (const path of ['bin', 'dist', 'skills-example', 'package.json'])
      cpSync(join(source, path), join(home, path), { recursive: true });
    const command = join(home, 'bin/mcp-server-skills.js');
    const listed = await run(['list', join(home, 'skills-example')], { cwd: root, command });
    expect([listed.status, listed.stdout.match(/^skill:\S+/gm)]).toEqual([
      0,
      ['skill://commit-messages/SKILL.md', 'skill://documents/pdf-forms/SKILL.md'],
    ]);
    const other = makeTree({ 'one/a/SKILL.md': skillMd('a'), 'two/b/SKILL.md': skillMd('b') });
    const separator = process.platform === 'win32' ? ';' : ':';
    const env = { SKILLS_DIR: [join(other, 'one'), `team=${join(other, 'two')}`].join(separator) };
    const fromEnv = await run(['list'], { cwd: root, command, env });
    expect(fromEnv.stdout.match(/^skill:\S+/gm)).toEqual(['skill://a/SKILL.md', 'skill://team/b/SKILL.md']);
  });

  test.skipIf(process.platform !== 'linux')(
    'tells a person at a terminal what is served and how to connect it: the same roots and options',
    async () => {
      const other = makeTree({ 'one/a/SKILL.md': skillMd('a'), 'two/b/SKILL.md': skillMd('b') });
      const typed =
        '--invalid skip --exclude x --exclude y --ttl 300 --page-size 7 --tools always --no-prompts --prompts --no-instructions';
      const given = '--exclude x --exclude y --invalid skip --ttl 300 --page-size 7 --tools always --no-instructions';
      const cases: [string, string, number, string, string[]][] = [
        [`"${EXAMPLE}"`, '', 2, EXAMPLE, [EXAMPLE]],
        ['', '', 2, EXAMPLE, []],
        ['', `${other}/one:team=${other}/two`, 2, `${other}/one, ${other}/two`, [`${other}/one`, `team=${other}/two`]],
        [`${typed} "${other}/one"`, '', 1, `${other}/one`, [`${other}/one`, ...given.split(' ')]],
      ];
      for (const [words, folders, skills, places, args] of cases) {
        // `script` gives the command a terminal
        const child = spawn('script', ['-qec', `"${process.execPath}" "${BIN}" ${words}`, '/dev/null'], {
          env: { ...process.env, SKILLS_DIR: folders },
        });
        const output = collect(child);
        while (!output.stdout.includes('Ctrl-C')) await new Promise((resolve) => setTimeout(resolve, 20));
        child.kill();
        const config = { mcpServers: { skills: { command: 'npx', args: ['-y', 'mcp-server-skills', ...args] } } };
        expect(output.stdout.replaceAll('\r', '')).toContain(
          `Serving ${skills} skill${skills === 1 ? '' : 's'} from ${places} over stdio.\nThis speaks MCP and waits for a client. To connect an IDE, put this into its MCP configuration:\n${JSON.stringify(config)}\n`,
        );
      }
    },
  );

  test('the digests that are served are those of the files on disk', async () => {
    const { stdout } = await run(['list', EXAMPLE, '--bytes']);
    const { skills, files } = JSON.parse(stdout) as {
      skills: { resources: { uri: string; digest: string; size: number }[] }[];
      files: Record<string, string>;
    };
    for (const { uri, digest, size } of skills.flatMap(({ resources }) => resources)) {
      const bytes = Buffer.from(files[uri] ?? '', 'base64');
      expect([uri, `sha256:${createHash('sha256').update(bytes).digest('hex')}`, bytes.length]).toEqual([
        uri,
        digest,
        size,
      ]);
    }
  });
});
