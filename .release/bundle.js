// Bundles the command into dist/command.cjs, and the licences of what is in it into dist/licenses.txt.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { OPTIONS } from './options.js';

const root = fileURLToPath(new URL('..', import.meta.url));

const { metafile } = await build({
  ...OPTIONS,
  entryPoints: ['src/cli/command.ts'],
  outfile: 'dist/command.cjs',
  metafile: true,
});

writeFileSync(join(root, 'dist', 'licenses.txt'), toLicenses(Object.values(metafile.outputs)[0].inputs));

function toLicenses(inputs) {
  const folders = new Map();
  const inner = new Set();
  for (const [input, { bytesInOutput }] of Object.entries(inputs)) {
    const [folder] = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input) ?? [];
    if (folder === undefined || bytesInOutput === 0) continue;
    const { name, version, license } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
    folders.set(`${name} ${version} (${license})`, folder);
    // packages that a package carries inside its own build
    for (const [, part] of readFileSync(join(root, input), 'utf8').matchAll(
      /^\/\/#region .*node_modules\/\.pnpm\/([^/]+)/gm,
    )) {
      inner.add(part.replace(/_.*/, '').replace('+', '/'));
    }
  }
  for (const part of inner) {
    const at = part.lastIndexOf('@');
    const [name, version] = [part.slice(0, at), part.slice(at + 1)];
    const folder = `node_modules/${name}`;
    const found = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
    folders.set(`${name} ${version} (${found.license})`, folder);
  }
  const parts = [...folders]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([title, folder]) => `${title}\n\n${readLicense(join(root, folder))}`);
  return `dist/command.cjs holds parts of these packages, under their licences.\n\n${parts.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}

function readLicense(folder) {
  const name = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  if (name !== undefined) return readText(join(folder, name));
  const { author, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  // momoa is published without the text of its licence, which has to come along
  if (license !== 'Apache-2.0') throw new Error(`${folder} holds no licence`);
  return `By ${author}\n\n${readText(join(root, 'node_modules', 'typescript', 'LICENSE'))}`;
}

function readText(path) {
  return readFileSync(path, 'utf8').replaceAll('\r\n', '\n').trim();
}
