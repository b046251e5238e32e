// Draws the pictures of docs/page.md and README.md: the site of the example, in a browser. `npm run screenshots`; with folders,
// `npm run screenshots -- FOLDER… --to OUT`, it draws their sites at three widths, light and dark, to look at.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { launch, serveFolder } from './browser.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const work = mkdtempSync(join(tmpdir(), 'pages-'));

/** The pictures of the documentation. */
const PICTURES = /** @type {const} */ ([
  { name: 'page-index', path: 'index.html', width: 1000, height: 640, colorScheme: 'light' },
  { name: 'page-skill', path: 'documents/pdf-forms/index.html', width: 1000, height: 900, colorScheme: 'dark' },
]);

/** @param {string} folder @param {readonly string[]} options */
function writeSite(folder, options) {
  const out = join(work, 'site');
  const command = [join(root, 'bin', 'mcp-server-skills.js'), 'site', folder, '--out', out, ...options];
  execFileSync(process.execPath, command, { stdio: ['ignore', 'ignore', 'inherit'] });
  return out;
}

/**
 * @param {import('playwright-core').Browser} browser
 * @param {string} url
 * @param {{ file: string, width: number, height: number, colorScheme: 'light' | 'dark', isWhole?: boolean }} picture
 */
async function draw(browser, url, { file, width, height, colorScheme, isWhole = false }) {
  const page = await browser.newPage({ viewport: { width, height }, colorScheme });
  await page.goto(url);
  await page.screenshot({ path: file, fullPage: isWhole });
  await page.close();
}

const { values, positionals } = parseArgs({ allowPositionals: true, options: { to: { type: 'string' } } });
const browser = await launch();
try {
  const { to } = values;
  if (to === undefined) {
    const address = ['--title', 'Team skills', '--base-url', 'https://skills.example.com'];
    const host = await serveFolder(
      writeSite(join(root, 'skills-example'), [...address, '--server', 'https://skills.example.com/mcp']),
    );
    for (const { name, path, ...picture } of PICTURES) {
      await draw(browser, host.url + path, { file: join(root, 'docs', `${name}.png`), ...picture });
    }
    await host.close();
  } else {
    mkdirSync(to, { recursive: true });
    for (const [at, folder] of positionals.entries()) {
      const host = await serveFolder(writeSite(folder, ['--invalid', 'skip']));
      const page = await browser.newPage();
      await page.goto(host.url);
      const skill = await page.locator('.skills a').first().getAttribute('href');
      await page.close();
      for (const path of ['index.html', 'install.html', 'problems.html', skill ?? 'index.html']) {
        for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
          for (const width of [1280, 768, 375]) {
            const name = [at + 1, basename(folder), path.replaceAll('/', '-'), width, colorScheme].join('.');
            await draw(browser, host.url + path, {
              file: join(to, `${name}.png`),
              width,
              height: 900,
              colorScheme,
              isWhole: true,
            });
          }
        }
      }
      await host.close();
    }
  }
} finally {
  await browser.close();
  rmSync(work, { recursive: true, force: true });
}
