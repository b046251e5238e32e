import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { spawnChild } from '../../src/wrap/child.ts';

const SHORT = { usual: 200, short: 200, output: 200 };
const FOREVER = 'setInterval(() => {}, 1000);';
const READY = "process.stdout.write('ready\\n');";

function start(script: string, patience = SHORT) {
  const { platform, env } = process;
  const child = spawnChild([process.execPath, '-e', script], { cwd: process.cwd(), env, platform, patience });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  return { child, read: () => text };
}

describe.skipIf(process.platform === 'win32')('the process of a wrapped server', () => {
  test('ends with its own status when its input ends', async () => {
    const { child } = start("process.stdin.on('end', () => process.exit(7)).resume()");
    child.end();
    expect(await child.ended).toBe(7);
  });

  test('is ended where it does not end by itself: by SIGTERM, then by SIGKILL', async () => {
    const polite = start(FOREVER);
    polite.child.end();
    expect(await polite.child.ended).toBe(128 + 15);
    const stubborn = start(`process.on('SIGTERM', () => process.stdout.write('no\\n'));${FOREVER}${READY}`);
    await once(stubborn.child.stdout, 'data');
    stubborn.child.end();
    expect([await stubborn.child.ended, stubborn.read()]).toEqual([128 + 9, 'ready\nno\n']);
  });

  test('takes what it started with it', async () => {
    const inner = `${READY}process.on('SIGTERM', () => {});${FOREVER}`;
    const { child, read } = start(
      `const { pid } = require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(inner)}], { stdio: ['ignore', 'inherit', 'ignore'] });
       process.stdout.write(pid + ' '); process.on('SIGTERM', () => {}); ${FOREVER}`,
    );
    while (!read().includes('ready')) await once(child.stdout, 'data');
    child.terminate();
    expect(await child.ended).toBe(128 + 9);
    const pid = Number(read().split(' ')[0]);
    await expect.poll(() => isRunning(pid)).toBe(false);
  });

  test('gives all of its output, and does not wait for what it left behind', async () => {
    const inner = 'setTimeout(() => {}, 60_000)';
    const { child, read } = start(
      `process.stdout.write('x'.repeat(300_000)); require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(inner)}], { stdio: ['ignore', 'inherit', 'ignore'], detached: true }).unref(); process.exitCode = 3;`,
    );
    expect([await child.ended, read().length]).toEqual([3, 300_000]);
    child.terminate();
  });

  test('says why it cannot be started', async () => {
    const { platform, env } = process;
    const child = spawnChild(['/no/such/command'], { cwd: process.cwd(), env, platform });
    expect((await child.started)?.message).toBe('spawn /no/such/command ENOENT');
  });
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
