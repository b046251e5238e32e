import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { STREAM_BYTES } from '../../src/run/execute.ts';
import { runPlan, toPlan } from '../../src/run/runplan.ts';
import { findFence } from '../../src/run/sandbox.ts';
import { makeCatalog } from '../mcp/catalog.ts';
import { fence, grantScript } from './grants.ts';

/** Nobody is to be able to start it: a Node in a home folder may be closed to others. */
const NODE = existsSync('/usr/bin/node') ? '/usr/bin/node' : process.execPath;

const ENDED = { status: 0, signal: null, isTimedOut: false, stdout: '', stderr: '', truncated: [] };

async function run(
  content: string,
  {
    more = {},
    args = [],
    env = {},
    files = {},
  }: { more?: object; args?: string[]; env?: NodeJS.ProcessEnv; files?: Record<string, string> } = {},
) {
  if (fence === undefined) throw new Error('there is no fence');
  const catalog = makeCatalog([{ path: 'demo', files: { 'scripts/run': content, ...files } }]);
  const plan = toPlan(grantScript(catalog, 'demo', 'scripts/run', more), args);
  if ('reason' in plan) throw new Error(plan.reason);
  return runPlan(plan, { catalog, fence, env, signal: new AbortController().signal });
}

/** Whether a process has this word among its arguments. */
const isRunning = (word: string) =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .some((pid) =>
      spawnSync('cat', [`/proc/${pid}/cmdline`], { encoding: 'utf8' })
        .stdout.split('\0')
        .includes(word),
    );

it('says that scripts run on Linux only', () => {
  expect(findFence('darwin')).toEqual({ reason: 'scripts run on Linux only, not on darwin' });
});

describe.skipIf(fence === undefined)('a script in the fence', () => {
  it('gets its arguments as they are, and its own files', async () => {
    const script = 'printf "%s\\n" "$@"; cat /skill/data.txt; pwd\n';
    const args = ['a b', '$(id)', '; ls', "'"];
    const more = { args: '.*', leading: ['--first'] };
    const stdout = `--first\na b\n$(id)\n; ls\n'\ndata\n/work\n`;
    expect(await run(script, { more, args, files: { 'data.txt': 'data\n' } })).toEqual({ ...ENDED, stdout });
  });

  it('runs with python3 and with node', async () => {
    const python = await run('print(6 * 7)', { more: { interpreter: '/usr/bin/python3' } });
    expect(python).toEqual({ ...ENDED, stdout: '42\n' });
    const node = await run('console.log(6 * 7)', { more: { interpreter: NODE } });
    expect(node).toEqual({ ...ENDED, stdout: '42\n' });
  });

  it('can fail, which is a result like another', async () => {
    expect(await run('echo no >&2; exit 7')).toEqual({ ...ENDED, status: 7, stderr: 'no\n' });
  });

  it('sees nothing of the environment of the server but what is granted, and not as an argument', async () => {
    process.env['OF_THE_SERVER'] = 'a-secret-of-the-server';
    const { stdout } = await run('env | sort; cat /proc/*/environ /proc/*/cmdline | tr "\\0" "\\n"', {
      env: { ...process.env, API_KEY: 'value-of-the-key' },
      more: { env: ['API_KEY'] },
    });
    delete process.env['OF_THE_SERVER'];
    expect(stdout).not.toContain('OF_THE_SERVER');
    expect(stdout).not.toContain('a-secret');
    expect(stdout).not.toContain('value-of-the-key');
    expect(
      stdout
        .split('\n')
        .filter((line) => /^\w+=/.test(line))
        .slice(0, 8),
    ).toEqual([
      'API_KEY=[value of API_KEY]',
      'HOME=/home/user',
      'LANG=C.UTF-8',
      'PATH=/usr/bin:/bin',
      'PWD=/work',
      'SHLVL=1',
      'TMPDIR=/tmp',
      '_=/usr/bin/env',
    ]);
  });

  it('has a granted variable whole, and its value is not in the answer even where the answer is cut', async () => {
    const value = 'value-of-the-key';
    const script = `[ "$API_KEY" = ${value} ] && echo same; head -c ${STREAM_BYTES - 10} /dev/zero | tr "\\0" x; echo "$API_KEY"`;
    const { stdout, truncated } = await run(script, { env: { API_KEY: value }, more: { env: ['API_KEY'] } });
    expect(stdout.startsWith('same\n')).toBe(true);
    expect(stdout.endsWith('xxx[valu') || stdout.endsWith('x')).toBe(true);
    expect(stdout).not.toContain('value-');
    expect(truncated).toEqual(['stdout']);
  });

  it('cannot read files outside, nor write anywhere but in its own folders', async () => {
    const outside = mkdtempSync(join(tmpdir(), 'outside-'));
    writeFileSync(join(outside, 'secret'), 'secret', { mode: 0o644 });
    const script = `
      cat ${outside}/secret /etc/passwd /etc/shadow /root/.bashrc ${import.meta.filename} 2>/dev/null
      for path in / /usr /etc /dev /skill /skill/scripts ${outside}; do : > $path/x && echo "wrote $path"; done 2>/dev/null
      chmod 777 /skill/scripts/run 2>/dev/null && echo changed
      for path in /work /tmp $HOME; do : > $path/x && echo "wrote $path"; done
      ls -A /work`;
    expect(await run(script)).toEqual({
      ...ENDED,
      stdout: 'wrote /work\nwrote /tmp\nwrote /home/user\nx\n',
    });
    expect(existsSync(join(outside, 'x'))).toBe(false);
    rmSync(outside, { recursive: true });
  });

  it('reaches no network unless that is granted', async () => {
    const server = createServer((_, response) => response.end('reached')).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    const script = `exec 3<>/dev/tcp/127.0.0.1/${port} && printf "GET / HTTP/1.0\\r\\n\\r\\n" >&3 && cat <&3`;
    const refused = await run(script);
    expect(refused.status).toBe(1);
    expect(refused.stdout).toBe('');
    expect((await run(script, { more: { network: true } })).stdout).toContain('reached');
    server.close();
  });

  it('has no capability, and cannot make a namespace in which it has', async () => {
    const { stdout, status } = await run('grep CapEff /proc/self/status; unshare -Ur true');
    expect(stdout).toBe('CapEff:\t0000000000000000\n');
    expect(status).not.toBe(0);
  });

  it('is stopped at its time, as is a fork bomb, and the call returns', async () => {
    const bomb = await run('echo begun; f() { f | f & }; f; while :; do :; done', { more: { timeout: 2 } });
    expect(bomb.isTimedOut).toBe(true);
    expect(bomb.stdout).toBe('begun\n');
  });

  it('leaves no grandchild that has detached itself', async () => {
    const word = `7${Date.now()}`;
    const script = `setsid nohup sleep ${word} & disown; (setsid sleep ${word} >/dev/null 2>&1 &); sleep 0.2; echo left`;
    expect((await run(script)).stdout).toBe('left\n');
    expect(isRunning(word)).toBe(false);
    const late = await run(`setsid sleep ${word} & trap "" TERM; sleep ${word}`, { more: { timeout: 1 } });
    expect([late.isTimedOut, isRunning(word)]).toEqual([true, false]);
  });

  it('writes 10 GB, of which 1 MiB is kept', async () => {
    const { stdout, truncated } = await run('head -c 10000000000 /dev/zero | tr "\\0" y', {
      more: { timeout: 3 },
    });
    expect([stdout.length, truncated]).toEqual([STREAM_BYTES, ['stdout']]);
  });

  it('fills neither the disk nor the memory of the server', async () => {
    const { stdout } = await run(
      'for i in 1 2 3; do head -c 60000000 /dev/zero > /work/$i 2>/dev/null; done; du -sm /work | cut -f1',
    );
    expect(Number(stdout)).toBeLessThanOrEqual(64);
    const { status } = await run('x = bytearray(6 * 1024 ** 3)', { more: { interpreter: '/usr/bin/python3' } });
    expect(status).toBe(1);
  });

  it('leaves no copy', async () => {
    const list = () => readdirSync(tmpdir()).filter((name) => name.startsWith('skill-run-'));
    const before = list();
    await run('ls -A /skill >/dev/null');
    await run('exit 3');
    expect(list().filter((name) => !before.includes(name))).toEqual([]);
  });
});

describe('arguments', () => {
  const catalog = makeCatalog([{ path: 'demo', files: { run: 'true' } }]);
  it('are refused where the policy does not allow them', () => {
    expect(toPlan(grantScript(catalog, 'demo', 'run'), ['a'])).toEqual({
      reason: 'the policy allows no arguments for this script',
    });
    const granted = grantScript(catalog, 'demo', 'run', { args: '[a-z]+' });
    expect(toPlan(granted, ['ok', '--no'])).toEqual({ reason: 'the policy does not allow argument 2' });
    expect(toPlan(granted, ['ok', 'a'.repeat(1025)])).toEqual({ reason: 'the policy does not allow argument 2' });
    expect(toPlan(granted, Array(65).fill('a'))).toEqual({ reason: 'there are more than 64 arguments' });
  });
});
