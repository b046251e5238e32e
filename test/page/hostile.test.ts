import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSite } from '../../src/page/site.ts';
import type { Problem } from '../../src/problems.ts';
import { makeCatalog } from '../mcp/catalog.ts';
import { isRequired } from '../required.ts';
import { makeTree } from '../tree.ts';
import { CHROMIUM, launch, serveFolder } from './browser.js';
import { HOSTILE, UNSAFE } from './hostile.ts';

const catalog = makeCatalog([HOSTILE, { path: 'tame' }]);
const problem: Problem = {
  code: 'broken-link',
  severity: 'error',
  path: '"><script>pwned(81)</script>',
  message: 'the link "<img src=x onerror=pwned(82)>" \u202Eleads nowhere',
  hint: '</p><script>pwned(83)</script>',
  skill: 'skill://"><script>pwned(84)</script>/SKILL.md',
};
const site = createSite(catalog, {
  title: '</title><script>pwned(85)</script>',
  install: { hosts: [], baseUrl: 'https://skills.example.com/' },
  problems: [problem, { ...problem, skill: 'skill://group/hostile/SKILL.md' }],
  since: {
    label: '<script>pwned(86)</script>',
    diff: {
      from: 'sha256:0',
      to: 'sha256:1',
      isEqual: false,
      unchanged: 0,
      refused: [],
      changes: [
        {
          kind: 'renamed',
          uri: 'skill://group/hostile/SKILL.md',
          oldUri: '<script>pwned(87)</script>',
          revokes: '"><script>pwned(88)</script>',
          files: [{ kind: 'added', path: '<img src=x onerror=pwned(89)>', isScript: true }],
          fields: [{ name: '</dt><script>pwned(90)</script>', before: '<b onclick=pwned(91)>', after: ['</dd>'] }],
          links: [{ host: '<img src=x onerror=pwned(92)>', url: '"><script>pwned(93)</script>', path: '<i>' }],
        },
      ],
    },
  },
});
const pages = [...site].flatMap(([path, { kind }]) => (kind === 'page' ? [path] : []));

/** Elements that the pages have; none of them acts by itself. */
const ELEMENTS = new Set(
  (
    'html head meta title link style body a header nav ul ol li main h1 h2 h3 h4 h5 h6 p span strong em s code pre div dl dt dd section table ' +
    'thead tbody tr th td details summary footer img blockquote br hr mark'
  ).split(' '),
);
const ATTRIBUTES = new Set(
  'lang charset http-equiv content name href rel class id aria-label aria-labelledby aria-current scope colspan role tabindex title src alt loading start'.split(
    ' ',
  ),
);

describe('as parsed', () => {
  test.each(pages)('%s has no element and no attribute that acts', (path) => {
    const nodes = walk(parse(Buffer.from(site.get(path)!.toBytes()).toString()));
    const elements = nodes.filter((node) => 'tagName' in node);
    expect(elements.map(({ tagName }) => tagName).filter((tag) => !ELEMENTS.has(tag))).toEqual([]);
    const attributes = elements.flatMap(({ attrs }) => attrs.map(({ name }) => name));
    expect(attributes.filter((name) => !ATTRIBUTES.has(name))).toEqual([]);
    const addresses = elements.flatMap(({ attrs }) =>
      attrs.filter(({ name }) => name === 'href' || name === 'src').map(({ value }) => value),
    );
    expect(
      addresses.filter((address) => !/^(?:https?:\/\/|mailto:|#|(?:\.\.\/)*[a-z.][\w./~-]*$)/.test(address)),
    ).toEqual([]);
    expect(elements.filter(({ tagName }) => tagName === 'style')).toHaveLength(1);
  });

  test('every page has the policy, before anything else that it could rule', () => {
    for (const path of pages) {
      const head = walk(parse(Buffer.from(site.get(path)!.toBytes()).toString())).find(
        ({ nodeName }) => nodeName === 'head',
      );
      const [charset, policy] = 'childNodes' in head! ? head.childNodes.filter((node) => 'tagName' in node) : [];
      expect(charset?.attrs[0]?.name).toBe('charset');
      expect(policy?.attrs).toEqual([
        { name: 'http-equiv', value: 'Content-Security-Policy' },
        {
          name: 'content',
          value: expect.stringMatching(
            /^default-src 'none'; style-src 'sha256-[\w+/]{43}='; img-src 'self'; form-action 'none'; base-uri 'none'$/,
          ),
        },
      ]);
    }
  });

  test('characters that nobody sees are marks', () => {
    const text = Buffer.from(site.get('group/hostile/index.html')!.toBytes()).toString();
    expect(text).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u200b]|\udb40/);
    for (const code of ['202E', '202C', '2066', '2069', '200B', 'E0041']) {
      expect(text).toContain(`<mark class="u">U+${code}</mark>`);
    }
  });
});

describe.skipIf(CHROMIUM === undefined && !isRequired)('in a browser', () => {
  let browser: Browser;
  let host: Awaited<ReturnType<typeof serveFolder>>;
  beforeAll(async () => {
    const folder = makeTree({ 'unsafe.html': UNSAFE });
    for (const [path, { toBytes }] of site) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), toBytes());
    }
    host = await serveFolder(folder);
    browser = await launch();
  });
  afterAll(async () => {
    await browser.close();
    await host.close();
  });

  /** Opens a page and clicks, hovers and focuses what there is; gives what was asked for elsewhere, and the scripts that ran. */
  async function provoke(path: string): Promise<{ away: string[]; ran: unknown; dialogs: number }> {
    const page = await browser.newPage();
    const away: string[] = [];
    let dialogs = 0;
    page.on('request', (request) => {
      if (!request.url().startsWith(host.url)) away.push(request.url());
    });
    page.on('dialog', (dialog) => {
      dialogs++;
      void dialog.dismiss();
    });
    await page.addInitScript('window.ran = []; window.pwned = (n) => top.ran.push(n);');
    await page.route(/^https?:\/\/(?!127\.0\.0\.1)/, (route) => route.abort());
    await page.goto(host.url + path, { waitUntil: 'load' });
    await touch(page);
    const ran = await page.evaluate('window.ran').catch(() => 'the page is gone');
    await page.close();
    return { away, ran, dialogs };
  }

  test('the vectors do act where nothing keeps them from it', async () => {
    const { away, ran } = await provoke('unsafe.html');
    expect((ran as unknown[]).length).toBeGreaterThan(10);
    expect(away.length).toBeGreaterThan(3);
  });

  test.each(pages)('%s runs no script and asks nobody else', async (path) => {
    expect(await provoke(path)).toEqual({ away: [], ran: [], dialogs: 0 });
  });

  test.each([...site].flatMap(([path, { kind }]) => (kind === 'raw' && !path.endsWith('.png') ? [path] : [])))(
    '%s is not active',
    async (path) => {
      const page = await browser.newPage();
      const away: string[] = [];
      page.on('request', (request) => {
        if (!request.url().startsWith(host.url)) away.push(request.url());
      });
      // what the browser does not show, it saves
      await page.goto(host.url + path).catch(() => undefined);
      expect([await page.title(), away]).toEqual([expect.not.stringContaining('pwned'), []]);
      await page.close();
    },
  );
});

async function touch(page: Page): Promise<void> {
  await page
    .evaluate(`
      for (const node of document.querySelectorAll('*')) {
        for (const type of ['mouseover', 'click', 'focus', 'error', 'toggle']) {
          if (!(type === 'click' && node.closest('a,button,form'))) node.dispatchEvent(new Event(type));
        }
      }
      for (const link of document.querySelectorAll('a[href^="javascript:" i], a[href^="data:" i]')) link.click();
      new Promise((resolve) => setTimeout(resolve, 50))`)
    .catch(() => undefined);
}

function walk(node: DefaultTreeAdapterTypes.Node): DefaultTreeAdapterTypes.Node[] {
  return [node, ...('childNodes' in node ? node.childNodes.flatMap(walk) : [])];
}
