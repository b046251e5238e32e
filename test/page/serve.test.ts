import type { ChildProcess } from 'node:child_process';
import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import axe from 'axe-core';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { collect, run, start } from '../command.ts';
import { isRequired } from '../required.ts';
import { makeTree, skillMd } from '../tree.ts';
import { CHROMIUM, launch } from './browser.js';

const TREE = {
  'skills/notes/SKILL.md': skillMd('notes'),
  'skills/billing/refunds/SKILL.md': skillMd('refunds', 'Refunds.', '![a logo](assets/logo.png)\n'),
  'skills/billing/refunds/assets/logo.png': Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ),
  'skills/broken/SKILL.md': skillMd('other'),
  tokens: 'alice:a-token\nbob:b-token\n',
};

const started: ChildProcess[] = [];
afterAll(() => {
  for (const child of started) child.kill();
});

/** Starts a server on a free port, and gives its address and its log. */
async function serve(
  cwd: string,
  ...args: string[]
): Promise<{ url: string; child: ChildProcess; log: { stderr: string } }> {
  const child = start(['skills', '--http', '0', '--invalid', 'skip', ...args], { cwd });
  started.push(child);
  const log = collect(child);
  await expect.poll(() => log.stderr).toMatch(/at http:\S+\/mcp\n/);
  return { url: /at (http:\S+)mcp\n/.exec(log.stderr)?.[1] ?? '', child, log };
}

function prepare(): string {
  const cwd = makeTree(TREE);
  chmodSync(join(cwd, 'tokens'), 0o600);
  return cwd;
}

test('pages are off unless they are asked for, and over HTTP alone', async () => {
  const cwd = prepare();
  const { url } = await serve(cwd);
  expect((await fetch(`${url}index.html`)).status).toBe(404);
  expect(await run(['skills', '--page'], { cwd })).toMatchObject({
    status: 2,
    stderr: 'mcp-server-skills: --page needs --http\n',
  });
});

test('without tokens, whoever reaches the server gets the pages, with what is left out and why', async () => {
  const { url } = await serve(prepare(), '--page', '--unlisted', 'notes');
  const home = await (await fetch(url)).text();
  expect(home).toMatch(/Generation 1, loaded 20\d\d-\S+Z/);
  expect(home).toContain('1 skill left out');
  expect(home).toContain('refunds');
  expect(home).not.toContain('notes');
  expect(home).not.toContain('Sign out');
  expect(await (await fetch(`${url}problems.html`)).text()).toContain('name-mismatch');
  expect((await fetch(`${url}notes/`)).status).toBe(200);
  const index = (await (await fetch(`${url}.well-known/agent-skills/index.json`)).json()) as { skills: unknown[] };
  expect(index.skills).toHaveLength(1);
});

test('the pages follow what is on disk, and say what of it is not served', async () => {
  const cwd = prepare();
  const { url } = await serve(cwd, '--page', '--watch');
  const show = async (path: string) => (await fetch(url + path)).text();
  writeFileSync(join(cwd, 'skills', 'notes', 'more.md'), 'more');
  await expect.poll(() => show('')).toMatch(/<p>Generation 2, loaded \S+Z<\/p>/);
  expect(await show('notes/')).toContain('files/more.md');

  writeFileSync(join(cwd, 'skills', 'notes', 'SKILL.md'), skillMd('letters'));
  await expect
    .poll(() => show(''))
    .toMatch(/<p>Generation 2, loaded \S+Z\. Since \S+Z this is stale: 1 skill of an earlier state/);
  expect(await show('problems.html')).toContain('notes/SKILL.md:2:7');

  writeFileSync(join(cwd, 'skills', 'notes', 'SKILL.md'), skillMd('notes'));
  await expect.poll(() => show('')).toMatch(/<p>Generation 2, loaded \S+Z<\/p>/);
  rmSync(join(cwd, 'skills'), { recursive: true });
  await expect
    .poll(() => show(''))
    .toMatch(/Generation 2, \S+ \S+ Since \S+Z this is stale: what is on disk now was refused/);
  expect(await show('problems.html')).toContain('root-missing');
});

test('the same checks come before the pages as before MCP', async () => {
  const { url, log } = await serve(prepare(), '--page', '--token-file', 'tokens', '--rate', '1');
  const ask = (headers: Record<string, string>) => fetch(`${url}index.html`, { headers });
  expect((await ask({ origin: 'https://evil.example' })).status).toBe(403);
  expect((await ask({ authorization: 'Bearer a-token' })).status).toBe(200);
  expect((await ask({ authorization: 'Bearer c-token' })).status).toBe(401);
  const statuses = [];
  for (let times = 0; times < 20; times++) statuses.push((await ask({})).status);
  expect(new Set(statuses)).toEqual(new Set([401, 429]));
  await expect.poll(() => log.stderr).toMatch(/200 GET \/index\.html .*\(as alice\)/);
  expect(log.stderr).not.toMatch(/[abc]-token/);
});

describe.skipIf(CHROMIUM === undefined && !isRequired)('in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(() => browser.close());

  test('a person signs in once, with the keyboard, until the token is gone', async () => {
    const cwd = prepare();
    const { url, child, log } = await serve(cwd, '--page', '--token-file', 'tokens');
    const context = await browser.newContext();
    const page = await context.newPage();
    const away: string[] = [];
    page.on('request', (request) => {
      if (!request.url().startsWith(url)) away.push(request.url());
    });
    await page.goto(`${url}billing/refunds/`);
    expect(await page.title()).toBe('Sign in - Agent Skills');
    await page.evaluate(axe.source);
    expect(await page.evaluate('axe.run().then(({ violations }) => violations.map(({ id }) => id))')).toEqual([]);

    await page.focus('#token');
    await page.keyboard.type('c-token');
    await page.keyboard.press('Enter');
    await page.waitForSelector('[role=alert]');
    await page.focus('#token');
    await page.keyboard.type('a-token');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${url}billing/refunds/`);
    expect(await page.textContent('h1')).toBe('refunds');
    expect(await page.evaluate("document.querySelector('img').naturalWidth")).toBe(1);
    expect(await context.cookies()).toEqual([
      expect.objectContaining({ name: 'mcp-skills', httpOnly: true, sameSite: 'Strict', secure: false, path: '/' }),
    ]);
    expect(await page.evaluate('document.cookie')).toBe('');

    // another replica with the same file knows the browser
    const other = await serve(cwd, '--page', '--token-file', 'tokens');
    await page.goto(other.url);
    expect(await page.textContent('h1')).toBe('Agent Skills');

    writeFileSync(join(cwd, 'tokens'), 'bob:b-token\n');
    child.kill('SIGHUP');
    await expect.poll(() => log.stderr).toContain('the token file was read again');
    await page.goto(url);
    expect(await page.textContent('h1')).toBe('Sign in');
    await page.goto(other.url);
    await page.click('text=Sign out');
    await page.waitForSelector('#token');
    expect(await context.cookies()).toEqual([]);
    expect(away.filter((each) => !each.startsWith(other.url))).toEqual([]);
    await context.close();
  });
});
