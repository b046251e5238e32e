import type { ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { collect, start } from '../command.ts';
import { makeTree, skillMd } from '../tree.ts';

const SKILLS = 60;
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

const root = makeTree(
  Object.fromEntries(
    Array.from({ length: SKILLS }, (_, index) => `skill-${index}`).flatMap((name) => [
      [`${name}/SKILL.md`, skillMd(name, undefined, 'A line that says what to do.\n'.repeat(2000))],
      [`${name}/data.bin`, Buffer.alloc(49_152, 0xff)],
    ]),
  ),
);

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

/** A mix of listing, getting, and reading of text and bytes, as lines. */
function toLines(count: number): string {
  const calls = Array.from({ length: count }, (_, id) => {
    const skill = `skill://skill-${id % SKILLS}`;
    const [method, params] = [
      ['skills/list', {}],
      ['skills/get', { uri: `${skill}/SKILL.md` }],
      ['resources/read', { uri: `${skill}/SKILL.md` }],
      ['resources/read', { uri: `${skill}/data.bin` }],
    ][id % 4] as [string, object];
    return `${JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, _meta: META } })}\n`;
  });
  return calls.join('');
}

/** The most memory that a process has had, in KiB. */
function readPeak({ pid }: ChildProcess): number {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
}

/** Sends that many requests at once, and settles with the bytes of the answers when as many have come. */
async function ask(child: ChildProcess, count: number, rest?: (bytes: number) => Promise<void>): Promise<number> {
  child.stdin?.write(toLines(count));
  let answers = 0;
  let bytes = 0;
  for await (const chunk of child.stdout?.iterator({ destroyOnReturn: false }) ?? []) {
    bytes += chunk.length;
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) answers += 1;
    if (answers >= count) break;
    await rest?.(chunk.length);
  }
  expect(answers).toBe(count);
  return bytes;
}

describe.skipIf(!existsSync('/proc/self/status'))('ten thousand requests at once keep memory flat', () => {
  test.each([
    ['that reads at once', undefined],
    ['that reads slowly', toSlow()],
  ])('for a client %s', async (_, rest) => {
    const child = start(['serve', root]);
    children.push(child);
    let errors = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      errors += text;
    });
    // the same requests a few at a time show how much garbage this version of Node lets lie
    for (let count = 0; count < 10_000; count += 20) await ask(child, 20);
    const before = readPeak(child);
    const bytes = await ask(child, 10_000, rest);
    // whatever held the answers back would hold all of them
    expect(readPeak(child) - before).toBeLessThan(bytes / 1024 / 3);
    expect(errors).toBe('');
  });
});

test('all of ten thousand requests are answered when the input ends behind them', async () => {
  const child = start(['serve', root]);
  children.push(child);
  const output = collect(child);
  child.stdin?.end(toLines(10_000));
  await new Promise((resolve) => child.once('close', resolve));
  expect(output.stderr).toBe('');
  expect(output.stdout.trimEnd().split('\n').length).toBe(10_000);
});

/** Takes nothing for a second, then rests behind every few MiB. */
function toSlow(): (bytes: number) => Promise<void> {
  let taken = -1;
  return async (bytes) => {
    if (taken === -1) await setTimeout(1000);
    taken += bytes;
    if (taken > 4 * 1024 * 1024) {
      taken = 0;
      await setTimeout(20);
    }
  };
}
