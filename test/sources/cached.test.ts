import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BIN, ERAS, run } from '../command.ts';
import { runIn } from '../fixtures.ts';
import { findPort, NGINX, startNginx } from '../http/harness.ts';
import { hasPyYaml, PYTHON } from '../python.ts';
import { isRequired } from '../required.ts';
import { makeTree, skillMd } from '../tree.ts';
import { follow } from './follow.ts';
import { commit, GIT_ENV, git, makeRepository } from './repository.ts';

/** Debian's fcgiwrap, through which nginx runs `git http-backend`. */
const FCGIWRAP = ['/usr/sbin/fcgiwrap', '/usr/bin/fcgiwrap'].find((path) => existsSync(path));
const GIT_PATH = execFileSync('git', ['--exec-path'], { encoding: 'utf8' }).trim();
const hasServers = NGINX !== undefined && FCGIWRAP !== undefined && existsSync(join(GIT_PATH, 'git-daemon'));

const PASSWORD = 'correct-horse-battery';

describe.skipIf(!hasServers && !isRequired)('a repository on a server', () => {
  const children: ChildProcess[] = [];
  let repo: string;
  let work: string;
  let daemon: string;
  let web: string;
  let env: Record<string, string>;
  let calls: string;

  beforeAll(async () => {
    if (!hasServers) throw new Error('a server is missing: apt-get install nginx-light fcgiwrap git');
    work = makeRepository({
      '.gitattributes': '* text=auto eol=crlf\n',
      'skills/a/SKILL.md': skillMd('a', 'One.'),
      'skills/a/raw.txt': 'x\n',
    });
    git(work, 'tag', 'v1');
    const served = makeTree({ 'x/y': '', 'bin/y': '', 'cache/y': '' });
    git(served, 'clone', '--quiet', '--bare', work, 'repo.git');
    repo = join(served, 'repo.git');
    writeFileSync(join(repo, 'git-daemon-export-ok'), '');
    git(work, 'remote', 'add', 'origin', repo);
    const port = await findPort();
    children.push(
      spawn(
        join(GIT_PATH, 'git-daemon'),
        [`--port=${port}`, '--listen=127.0.0.1', '--reuseaddr', `--base-path=${served}`],
        {
          stdio: 'ignore',
          env: GIT_ENV,
        },
      ),
    );
    daemon = `git://127.0.0.1:${port}/`;
    web = `http://127.0.0.1:${await startWeb(served, children)}/`;
    await Promise.all([daemon, web].map(waitFor));
    calls = join(served, 'calls');
    writeFileSync(
      join(served, 'config'),
      [
        `[url "${daemon}"]\n\tinsteadOf = https://daemon.example/`,
        `[url "${web}"]\n\tinsteadOf = https://web.example/`,
        `[url "http://127.0.0.1:9/"]\n\tinsteadOf = https://gone.example/`,
        '[safe]\n\tdirectory = *',
        '',
      ].join('\n'),
    );
    // every call of git is written down, and then made
    const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
    writeFileSync(join(served, 'bin/git'), `#!/bin/sh\nprintf '%s\\n' "$*" >> ${calls}\nexec ${real} "$@"\n`);
    chmodSync(join(served, 'bin/git'), 0o755);
    chmodSync(join(served, 'cache'), 0o700);
    env = {
      PATH: `${join(served, 'bin')}:${process.env['PATH']}`,
      HOME: served,
      GIT_CONFIG_GLOBAL: join(served, 'config'),
      GIT_CONFIG_NOSYSTEM: '1',
      XDG_CACHE_HOME: join(served, 'cache'),
    };
  });
  afterAll(() => {
    for (const child of children) child.kill();
  });

  const list = async (root: string, more: Record<string, string> = {}) => {
    rmSync(calls, { force: true });
    const outcome = await runIn(dirname(repo), ['list', root, '--bytes'], { ...env, ...more });
    return { ...outcome, calls: existsSync(calls) ? readFileSync(calls, 'utf8') : '' };
  };
  const push = (...args: string[]) => git(work, 'push', '--quiet', ...args);

  test.each(['daemon', 'web'])('gives the bytes of its objects, from git %s', async (host) => {
    const { status, stdout, stderr } = await list(`git+https://${host}.example/repo.git#v1:skills`);
    expect([status, stderr]).toEqual([0, '']);
    const { files, sources } = JSON.parse(stdout);
    expect(files['skill://a/SKILL.md']).toBe(Buffer.from(skillMd('a', 'One.')).toString('base64'));
    expect(sources).toEqual([
      { root: `git+https://${host}.example/repo.git#v1:skills`, revision: git(work, 'rev-parse', 'v1') },
    ]);
  });

  test.skipIf(!hasPyYaml())('passes a strict client, whatever a checkout would have', async () => {
    const host = fileURLToPath(new URL('../host.py', import.meta.url));
    for (const era of ERAS) {
      const command = [host, era, process.execPath, BIN, 'git+https://web.example/repo.git#v1:skills'];
      const { stdout } = await promisify(execFile)(PYTHON, command, { env });
      expect(JSON.parse(stdout)).toEqual({ verified: 1, distinct: 1, refused: {}, status: 0 });
    }
  });

  test('is followed where a branch moves, also by force, and where it does not have what is asked for', async () => {
    const root = 'git+https://web.example/repo.git#main';
    const first = commit(work, { 'skills/a/SKILL.md': skillMd('a', 'Two.') });
    push('origin', 'main');
    const revisionOf = (stdout: string) => JSON.parse(stdout).sources[0].revision;
    expect(revisionOf((await list(root)).stdout)).toBe(first);
    git(work, 'reset', '--quiet', '--hard', 'v1');
    const forced = commit(work, { 'skills/a/SKILL.md': skillMd('a', 'Forced.') });
    push('--force', 'origin', 'main');
    expect(revisionOf((await list(root)).stdout)).toBe(forced);
    const missing = await list('git+https://web.example/repo.git#nope');
    expect([missing.status, missing.stderr]).toEqual([3, expect.stringContaining('has no commit "nope"')]);
    const gone = await list('git+https://web.example/other.git');
    expect([gone.status, gone.stderr]).toEqual([3, expect.stringContaining('git+https://web.example/other.git')]);
  });

  test('is asked at intervals where --watch is given, and followed with one reload', async () => {
    commit(work, { 'skills/a/SKILL.md': skillMd('a', 'Before.') });
    push('--force', 'origin', 'main');
    rmSync(calls, { force: true });
    const root = 'git+https://web.example/repo.git#main';
    const { read, notified } = await follow(dirname(repo), env, root, '--watch', '--watch-interval', '1');
    expect(await read()).toBe(skillMd('a', 'Before.'));
    commit(work, { 'skills/a/SKILL.md': skillMd('a', 'After.') });
    push('--force', 'origin', 'main');
    await expect.poll(read).toBe(skillMd('a', 'After.'));
    await expect.poll(notified).toBe(1);
    expect(readFileSync(calls, 'utf8').match(/ fetch /g)).toHaveLength(2);
  });

  test('gives the contents of the folder that is named, and not those of others', async () => {
    const hash = commit(work, {
      'skills/a/SKILL.md': skillMd('a', 'Partial.'),
      'more/b/SKILL.md': skillMd('b'),
      'elsewhere/large.bin': Buffer.alloc(100_000, 'x'),
    });
    push('--force', 'origin', 'main');
    git(repo, 'config', 'uploadpack.allowFilter', 'true');
    const name = (url: string) =>
      join(env['XDG_CACHE_HOME'] ?? '', 'mcp-server-skills/git', createHash('sha256').update(url).digest('hex'));
    for (const host of ['daemon', 'web']) {
      const url = `https://${host}.example/repo.git`;
      rmSync(name(url), { recursive: true, force: true });
      const listed = await list(`git+${url}#${hash}:skills`);
      expect([listed.status, listed.stderr]).toEqual([0, '']);
      expect(JSON.parse(listed.stdout).skills).toHaveLength(1);
      const objects = git(name(url), 'rev-list', '--objects', '--missing=print', hash);
      expect(objects.match(/^\?/gm)).toHaveLength(3);
      // nothing new for the same folder, and what is missing for another one
      expect((await list(`git+${url}#${hash}:skills`)).calls).not.toContain(' fetch ');
      const more = await list(`git+${url}#${hash}:more`);
      expect([more.status, JSON.parse(more.stdout).skills.length]).toEqual([0, 1]);
      expect((await list(`git+${url}#${hash}:nope`)).stderr).toContain('has no folder "nope"');
    }
    git(repo, 'config', 'uploadpack.allowFilter', 'false');
    rmSync(name('https://web.example/repo.git'), { recursive: true });
    expect((await list(`git+https://web.example/repo.git#${hash}:skills`)).status).toBe(0);
  });

  test('is not asked again for a hash that is in the cache, and then need not be there', async () => {
    const hash = commit(work, { 'skills/a/SKILL.md': skillMd('a', 'By hash.') });
    push('--force', 'origin', 'main');
    const root = `git+https://web.example/repo.git#${hash}`;
    const first = await list(root);
    expect([first.status, first.calls]).toEqual([0, expect.stringContaining(' fetch ')]);
    const second = await list(root);
    expect([second.status, second.stdout, second.calls.includes(' fetch ')]).toEqual([0, first.stdout, false]);
    const url = 'https://gone.example/repo.git';
    // another URL has another place: what one server gives is not what another one said
    const offline = await list(`git+${url}#${hash}`);
    expect([offline.status, offline.stderr]).toEqual([3, expect.stringContaining(`${url} cannot be fetched: `)]);
    expect((await list(`git+${url}`)).status).toBe(3);
  });

  test('is kept where only the user can write', async () => {
    await list('git+https://web.example/repo.git');
    const cache = join(env['XDG_CACHE_HOME'] ?? '', 'mcp-server-skills');
    const folders = [
      cache,
      join(cache, 'git'),
      ...readdirSync(join(cache, 'git')).map((name) => join(cache, 'git', name)),
    ];
    expect(folders.map((folder) => statSync(folder).mode & 0o77)).toEqual(folders.map(() => 0));
    expect(readdirSync(join(cache, 'git')).every((name) => /^[0-9a-f]{64}$/.test(name))).toBe(true);
    const open = makeTree({ 'c/y': '' });
    chmodSync(join(open, 'c'), 0o777);
    const { status, stderr } = await run(['list', 'git+https://web.example/repo.git'], {
      env: { ...env, XDG_CACHE_HOME: join(open, 'c') },
    });
    expect([status, stderr]).toEqual([
      3,
      expect.stringContaining('let XDG_CACHE_HOME name a folder that only you can write to'),
    ]);
  });

  test('that wants a password gets it from a credential helper, never from a question, and no process has it in its arguments', async () => {
    const root = 'git+https://web.example/closed/repo.git#v1';
    const closed = await list(root);
    expect([closed.status, closed.stdout]).toEqual([3, '']);
    expect(closed.stderr).toContain('https://web.example/closed/repo.git cannot be fetched: ');
    expect(closed.stderr).toContain('by a credential helper or an SSH agent');
    const helper = join(dirname(repo), 'helper.sh');
    writeFileSync(helper, `#!/bin/sh\necho username=me\necho password=${PASSWORD}\n`, { mode: 0o755 });
    writeFileSync(join(dirname(repo), 'config2'), `[include]\n\tpath = config\n[credential]\n\thelper = ${helper}\n`);
    const opened = await list(root, { GIT_CONFIG_GLOBAL: join(dirname(repo), 'config2') });
    expect([opened.status, opened.stderr]).toEqual([0, '']);
    expect(opened.calls + opened.stdout).not.toContain(PASSWORD);
    expect(opened.calls).toContain(' fetch ');
  });

  test('over SSH that is not there asks nobody', async () => {
    const { status, stderr } = await list('git+ssh://git@127.0.0.1:9/repo.git', {
      SSH_ASKPASS: '/bin/false',
      DISPLAY: ':0',
    });
    expect([status, stderr]).toEqual([
      3,
      expect.stringContaining('ssh://***@127.0.0.1:9/repo.git cannot be fetched: '),
    ]);
  });

  test('is fetched by several at once', async () => {
    rmSync(env['XDG_CACHE_HOME'] ?? '', { recursive: true });
    mkdirSync(env['XDG_CACHE_HOME'] ?? '', { mode: 0o700 });
    const args = ['list', 'git+https://web.example/repo.git#v1'];
    const all = await Promise.all(Array.from({ length: 4 }, () => run(args, { env })));
    expect(all.map(({ status, stderr }) => [status, stderr])).toEqual(all.map(() => [0, '']));
  });
});

/** nginx in front of `git http-backend`; below /closed/ it wants a password. */
async function startWeb(root: string, children: ChildProcess[]): Promise<number> {
  const folder = makeTree({ 'x/y': '' });
  const socket = join(folder, 'fcgi.sock');
  const env = { ...GIT_ENV, GIT_CONFIG_GLOBAL: join(folder, 'gitconfig') };
  writeFileSync(join(folder, 'gitconfig'), '[safe]\n\tdirectory = *\n');
  const hash = execFileSync('openssl', ['passwd', '-apr1', PASSWORD], { encoding: 'utf8' }).trim();
  writeFileSync(join(folder, 'passwords'), `me:${hash}\n`);
  children.push(spawn(FCGIWRAP ?? '', ['-s', `unix:${socket}`], { stdio: 'ignore', env }));
  const port = await findPort();
  const location = (path: string, more = '') => `
    location ~ ^${path}(/.*) {
      ${more}
      fastcgi_pass unix:${socket};
      fastcgi_param SCRIPT_FILENAME ${GIT_PATH}/git-http-backend;
      fastcgi_param GIT_PROJECT_ROOT ${root};
      fastcgi_param GIT_HTTP_EXPORT_ALL 1;
      fastcgi_param GIT_PROTOCOL $http_git_protocol;
      fastcgi_param PATH_INFO $1;
      fastcgi_param QUERY_STRING $query_string;
      fastcgi_param REQUEST_METHOD $request_method;
      fastcgi_param CONTENT_TYPE $content_type;
      fastcgi_param CONTENT_LENGTH $content_length;
      fastcgi_param HTTP_CONTENT_ENCODING $http_content_encoding;
      fastcgi_param REMOTE_USER $remote_user;
    }`;
  const auth = `auth_basic "closed"; auth_basic_user_file ${folder}/passwords;`;
  children.push(
    await startNginx(folder, `server { listen 127.0.0.1:${port}; ${location('/closed', auth)} ${location('')} }`),
  );
  return port;
}

async function waitFor(url: string): Promise<void> {
  const { hostname, port } = new URL(url.replace(/^git:/, 'http:'));
  for (let tries = 0; tries < 100; tries++) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = createConnection({ host: hostname, port: Number(port) });
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
      socket.once('connect', () => socket.destroy());
    });
    if (isOpen) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`${url} does not answer`);
}
