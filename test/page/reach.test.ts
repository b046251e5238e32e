import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compareCatalogs } from '../../src/lock/compare.ts';
import { createSite } from '../../src/page/site.ts';
import { makeCatalog } from '../mcp/catalog.ts';
import { isRequired } from '../required.ts';
import { makeTree } from '../tree.ts';
import { CHROMIUM, launch, serveFolder } from './browser.js';

const wide = 'x'.repeat(200);
const catalog = makeCatalog([
  { path: 'notes' },
  {
    path: 'billing/refund-review',
    description: `Reviews refunds. ${wide}`,
    body: `# Title\n\n${wide}\n\n\`\`\`sh\nrun --${wide}\n\`\`\`\n\n| a | ${wide} |\n| - | - |\n| 1 | 2 |\n\n| b |\n| - |\n| 3 |\n\n[a link](references/${wide}.md) ![a chart](assets/chart.png)\n\n> quoted\n\n#### Deep\n`,
    fields: { 'allowed-tools': 'Bash(git:*) Read', [`x-${wide}`]: { deep: { deeper: wide } } },
    files: {
      [`references/${wide}.md`]: `See https://example.com/${wide}.`,
      'scripts/run.sh': '#!/bin/sh\n',
      'terms.txt': 'Terms of use',
      'assets/chart.png': 'x',
    },
  },
]);
const host = {
  id: 'cursor',
  title: 'Cursor',
  file: '.cursor/mcp.json',
  text: `{"${wide}":1}`,
  command: `npx ${wide}`,
  shortcuts: [{ kind: 'link', text: 'cursor://anysphere.cursor-deeplink/mcp/install?name=skills' }],
  notes: [`restart ${wide}`],
} as const;
const site = createSite(catalog, {
  title: 'Team skills',
  install: { hosts: [host], baseUrl: 'https://skills.example.com/', server: 'https://skills.example.com/mcp' },
  problems: (['error', 'warning'] as const).map((severity) => ({
    code: 'broken-link',
    severity,
    path: `billing/refund-review/${wide}.md`,
    message: `the link "${wide}" leads nowhere`,
    hint: 'correct it',
    skill: severity === 'error' ? 'skill://gone/SKILL.md' : 'skill://billing/refund-review/SKILL.md',
  })),
  since: {
    label: 'mcp-skills.lock.json',
    diff: compareCatalogs(
      makeCatalog([
        {
          path: 'billing/refund-review',
          description: `Reviewed refunds. ${wide}`,
          files: { 'scripts/run.sh': 'true\n' },
        },
      ]),
      catalog,
    ),
  },
});
const pages = [...site].flatMap(([path, { kind }]) => (kind === 'page' ? [path] : []));

describe.skipIf(CHROMIUM === undefined && !isRequired)('in a browser', () => {
  let browser: Browser;
  let served: Awaited<ReturnType<typeof serveFolder>>;
  beforeAll(async () => {
    const folder = makeTree({});
    for (const [path, { toBytes }] of site) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), toBytes());
    }
    served = await serveFolder(folder);
    browser = await launch();
  });
  afterAll(async () => {
    await browser.close();
    await served.close();
  });

  async function open(path: string, options: Parameters<Browser['newPage']>[0] = {}): Promise<Page> {
    const page = await browser.newPage(options);
    await page.goto(served.url + path);
    // as if a reader had opened all of it
    await page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true");
    return page;
  }

  test.each(pages)('axe finds nothing in %s, light or dark', async (path) => {
    const page = await open(path, { colorScheme: 'light' });
    await page.evaluate(axe.source);
    const run = (options: string) =>
      page.evaluate(
        `axe.run(${options}).then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]))`,
      );
    expect(await run('')).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await run("{ runOnly: ['color-contrast'] }")).toEqual([]);
    await page.close();
  });

  test.each(pages)('%s is never wider than the window', async (path) => {
    const page = await open(path);
    const measured = [];
    for (const width of [1280, 768, 320]) {
      await page.setViewportSize({ width, height: 800 });
      measured.push(await page.evaluate('document.documentElement.scrollWidth'));
    }
    expect(measured).toEqual([1280, 768, 320]);
    await page.close();
  });

  test('the first stop of the keyboard leads past the navigation, and every stop is seen', async () => {
    const page = await open('billing/refund-review/index.html');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the content');
    await page.keyboard.press('Enter');
    expect(page.url()).toMatch(/#main$/);
    for (let stop = 0; stop < 30; stop++) {
      await page.keyboard.press('Tab');
      const [isSeen, outline] = (await page.evaluate(`(() => {
        const { width, height, left, right } = document.activeElement.getBoundingClientRect();
        const isSeen = document.activeElement === document.body || (width > 0 && height > 0 && left >= 0 && right <= innerWidth);
        return [isSeen, document.activeElement === document.body ? 3 : parseFloat(getComputedStyle(document.activeElement).outlineWidth)];
      })()`)) as [boolean, number];
      expect([isSeen, outline]).toEqual([true, 3]);
    }
    await page.close();
  });

  test('on paper, what is folded is open, digests are whole, and colours are those of paper', async () => {
    const page = await browser.newPage({ colorScheme: 'dark', viewport: { width: 700, height: 900 } });
    await page.goto(`${served.url}billing/refund-review/index.html`);
    const look = () =>
      page.evaluate(`(() => {
        const digest = document.querySelector('.files .digest');
        return {
          folded: document.querySelector('details pre').checkVisibility({ contentVisibilityAuto: true }),
          cut: digest.scrollWidth > digest.clientWidth,
          background: getComputedStyle(document.body).backgroundColor,
          navigation: getComputedStyle(document.querySelector('header nav')).display,
        };
      })()`);
    expect(await look()).toMatchObject({ folded: false, cut: true, navigation: 'block' });
    await page.emulateMedia({ media: 'print' });
    // the browser lays the page out anew when it comes to it
    await expect.poll(look).toEqual({ folded: true, cut: false, background: 'rgb(255, 255, 255)', navigation: 'none' });
    await page.close();
  });

  test('works from a disk, where no server is', async () => {
    const folder = makeTree({});
    for (const [path, { toBytes }] of site) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), toBytes());
    }
    const page = await browser.newPage();
    await page.goto(`file://${join(folder, 'index.html')}`);
    await page.click('text=refund-review');
    await page.waitForURL(/refund-review\/index\.html$/);
    expect(await page.title()).toBe('billing/refund-review - Team skills');
    await page.click('a:text("terms.txt")');
    await page.waitForURL(/terms\.txt$/);
    expect(await page.evaluate('document.body.textContent')).toContain('Terms of use');
    await page.close();
  });
});
