// Starts the browser that the pages are looked at with, and serves a folder as a static host does.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { join, normalize } from 'node:path';
import mime from 'mime';
import { chromium } from 'playwright-core';

/** Where Linux distributions put it; CHROMIUM says where else. */
const PLACES = [process.env['CHROMIUM'], '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The browser's program; undefined where there is none. */
export const CHROMIUM = PLACES.find((path) => path !== undefined && existsSync(path));

/** Starts the browser. */
export async function launch() {
  if (CHROMIUM === undefined) throw new Error('there is no chromium: apt-get install chromium, or set CHROMIUM');
  // in a container there is no sandbox for root to be had
  return chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
}

/**
 * Serves a folder on loopback, as a plain static host: types by endings, `index.html` for folders.
 *
 * @param {string} folder
 * @returns {Promise<{ url: string, asked: string[], close: () => Promise<void> }>} `asked` are the paths that were asked for
 */
export async function serveFolder(folder) {
  /** @type {string[]} */
  const asked = [];
  const server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url ?? '/', 'http://localhost').pathname));
    asked.push(path);
    let file = join(folder, path);
    if (existsSync(file) && statSync(file).isDirectory()) file = join(file, 'index.html');
    if (!existsSync(file)) return response.writeHead(404).end();
    const type = mime.getType(file);
    return response.writeHead(200, type === null ? {} : { 'content-type': type }).end(readFileSync(file));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/`,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve(undefined));
        server.closeAllConnections();
      }),
  };
}
