// Bundles the command into dist/command.cjs and the library beside it, and writes the licences of what is in them into dist/licenses.txt.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { buildCommand } from './command.js';
import { LIBRARY, SPARE } from './library.js';
import { root } from './options.js';
import { pruneTypes } from './types.js';

const command = await buildCommand();
const library = await build({ ...LIBRARY, metafile: true });
const outputs = [command, library.metafile].flatMap((metafile) => Object.values(metafile.outputs));
writeFileSync(join(root, 'dist', 'licenses.txt'), toLicenses(outputs.flatMap(({ inputs }) => Object.entries(inputs))));
for (const path of SPARE) rmSync(path);
dropBareImports(Object.keys(library.metafile.outputs).map((path) => join(root, path)));
pruneTypes();

/** esbuild imports every chunk below an entry point for its effects. There are none, and bundlers would warn of each such line. */
function dropBareImports(paths) {
  for (const path of paths.filter((path) => !SPARE.includes(path))) {
    writeFileSync(path, readFileSync(path, 'utf8').replace(/^import "\.[^"]+";\n/gm, ''));
  }
}

function toLicenses(inputs) {
  const folders = new Map();
  const inner = new Set();
  for (const [input, { bytesInOutput }] of inputs) {
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
  return `The files in dist hold parts of these packages, under their licences.\n\n${parts.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}

function readLicense(folder) {
  const name = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  if (name === undefined) throw new Error(`${folder} holds no licence`);
  return readText(join(folder, name));
}

function readText(path) {
  return readFileSync(path, 'utf8').replaceAll('\r\n', '\n').trim();
}
