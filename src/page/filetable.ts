import { peekFile, type SkillCatalog } from '../catalog/catalog.ts';
import { isScript } from '../lock/effects.ts';
import { countOf, formatNumber } from '../text/count.ts';
import { type Html, html } from './html.ts';
import type { SheetFile } from './sheet.ts';
import { formatSize } from './size.ts';

/** The files of a skill in their folders, with sizes and digests; scripts are marked. */
export function writeFiles(catalog: SkillCatalog, files: readonly SheetFile[]): Html {
  const scripts = files.filter(({ path, uri }) => isScript(path, peekFile(catalog, uri)?.bytes));
  const marked = new Set(scripts);
  let folder = '';
  return html`<p>${
    scripts.length === 0
      ? 'None of its files is a script.'
      : `${countOf(scripts.length, 'file')} of it may be run as a script: by its folder, its ending, or its first line.`
  }</p>
<div class="scroll" role="group" aria-label="Table of files" tabindex="0"><table class="files">
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
    marked.has(file) && html` <span class="tag warning">script</span>`
  }</td><td class="n"><span title="${formatNumber(file.size)} bytes">${formatSize(file.size)}</span></td><td class="d"><span class="mono digest">${file.digest}</span></td></tr>
`;
})}</tbody>
</table></div>`;
}
