import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { parse } from 'yaml';

/** Reads the text of a frontmatter as a host would; throws what its library throws. */
export type Reader = (text: string) => unknown;

const require = createRequire(import.meta.url);
const { safeLoad } = require('js-yaml3') as { safeLoad: Reader };
const { load } = require('js-yaml4') as { load: Reader };
const yaml1 = require('yaml1') as { parse(text: string, options: { prettyErrors: boolean }): unknown };

/** The readers that run in this process. PyYAML runs in its own. */
export async function loadReaders(): Promise<ReadonlyMap<string, Reader>> {
  const official = await loadOfficialReader();
  return new Map<string, Reader>([
    ['yaml 1.2', (text) => parse(text, { logLevel: 'error' })],
    ['yaml 1.1', (text) => parse(text, { version: '1.1', logLevel: 'error' })],
    ['yaml of 1.10', (text) => yaml1.parse(text, { prettyErrors: false })],
    ['js-yaml 3', (text) => safeLoad(text)],
    ['js-yaml 4', (text) => load(text)],
    ['official client', official],
  ]);
}

/**
 * The subset reader inside the official client, which exports only what uses it. Its part of the built file is cut out between the
 * markers that the bundler left; `client.test.ts` goes the long way, through a connection.
 */
async function loadOfficialReader(): Promise<Reader> {
  const path = require.resolve('@modelcontextprotocol/client/ext/skills').replace(/\.cjs$/, '.mjs');
  const source = readFileSync(path, 'utf8');
  const start = source.indexOf('//#region ../core-internal/src/ext/skills/frontmatter.ts');
  const end = source.indexOf('//#endregion', start);
  if (start === -1 || end === -1) throw new Error('the official client keeps its frontmatter reader elsewhere now');
  const module = `${source.slice(start, end)}\nexport { parseFrontmatterYaml };`;
  const loaded = (await import(`data:text/javascript;base64,${Buffer.from(module).toString('base64')}`)) as {
    parseFrontmatterYaml: Reader;
  };
  // The client replaces CRLF before it looks for the fences.
  return (text) => loaded.parseFrontmatterYaml(text.replaceAll('\r\n', '\n'));
}
