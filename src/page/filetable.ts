import { peekFile, type SkillCatalog } from '../catalog/catalog.ts';
import { countOf, formatNumber } from '../report/count.ts';
import { type Html, html } from './html.ts';
import type { SheetFile } from './sheet.ts';
import { formatSize } from './size.ts';

/** Endings of programs. */
const PROGRAM =
  /\.(?:sh|bash|zsh|fish|ps1|bat|cmd|py|rb|pl|php|js|mjs|cjs|ts|mts|lua|r|go|rs|swift|applescript|exe|dll|so|dylib|jar|wasm|command)$/i;

/** The files of a skill in their folders, with sizes and digests; programs are marked. */
export function writeFiles(catalog: SkillCatalog, files: readonly SheetFile[]): Html {
  const programs = files.filter((file) => isProgram(catalog, file));
  const marked = new Set(programs);
  let folder = '';
  return html`<p>${
    programs.length === 0
      ? 'None of its files looks like a program.'
      : `${countOf(programs.length, 'file')} of it ${programs.length === 1 ? 'looks' : 'look'} like a program: by its ending, its first line, or its folder.`
  }</p>
<div class="scroll" role="region" aria-label="Table of files" tabindex="0"><table class="files">
<thead><tr><th scope="col">File</th><th scope="col" class="n">Size</th><th scope="col" class="d">Digest</th></tr></thead>
<tbody>
${files.map((file) => {
  const own = file.path.slice(0, file.path.lastIndexOf('/') + 1);
  const isNew = own !== folder;
  folder = own;
  return html`${
    isNew &&
    own !== '' &&
    html`<tr><th scope="rowgroup" colspan="3">${own}</th></tr>
`
  }<tr><td><a href="${file.href}">${file.path.slice(own.length)}</a>${
    marked.has(file) && html` <span class="tag warning">program</span>`
  }</td><td class="n"><span title="${formatNumber(file.size)} bytes">${formatSize(file.size)}</span></td><td class="d"><span class="mono digest">${file.digest}</span></td></tr>
`;
})}</tbody>
</table></div>`;
}

function isProgram(catalog: SkillCatalog, { path, uri }: SheetFile): boolean {
  if (PROGRAM.test(path) || /(?:^|\/)(?:scripts|bin)\/(?:.*\/)?[^./]+$/.test(path)) return true;
  const bytes = peekFile(catalog, uri)?.bytes;
  return bytes?.[0] === 0x23 && bytes[1] === 0x21;
}
