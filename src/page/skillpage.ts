import { decodeText, peekFile, type SkillCatalog } from '../catalog/catalog.ts';
import { SKILL_FILE } from '../catalog/manifest.ts';
import { escapeJson } from '../text/escape.ts';
import { type Elsewhere, findElsewhere } from './elsewhere.ts';
import { writeFiles } from './filetable.ts';
import { writeTrail } from './home.ts';
import { type Html, html } from './html.ts';
import { countFiles, listProblems } from './lists.ts';
import { renderMarkdown } from './render.ts';
import { describeTools } from './requests.ts';
import type { Sheet } from './sheet.ts';
import { formatSize } from './size.ts';
import { toTop } from './skeleton.ts';

/** What the page of a skill shows beside the skill. */
export interface SkillPage {
  readonly sheet: Sheet;
  readonly catalog: SkillCatalog;
  /** What changed in it since what it is compared with; undefined where it is compared with nothing. */
  readonly changes: Html | undefined;
  /** How to install it; undefined where nobody knows. */
  readonly install: Html | undefined;
}

/** Addresses that a page lists. */
const ADDRESSES = 200;

/** The page of one skill. */
export function writeSkill({ sheet, catalog, changes, install }: SkillPage): Html {
  const { skill, path, problems, files, bytes, fingerprint } = sheet;
  const { frontmatter } = skill;
  const up = toTop(`${path}/index.html`);
  const tools = describeTools(frontmatter['allowed-tools']);
  const elsewhere = findElsewhere(catalog, files);
  const parts = [
    problems.length > 0 && toPart('problems', 'Problems', listProblems(problems)),
    changes && toPart('changes', 'Changes', changes),
    tools && toPart('tools', 'Tools it asks for', tools),
    toPart('skill', SKILL_FILE, writeText(sheet, catalog)),
    toPart('files', 'Files', writeFiles(catalog, files)),
    elsewhere.length > 0 && toPart('elsewhere', 'Addresses elsewhere', writeElsewhere(elsewhere)),
    toPart('frontmatter', 'Frontmatter', writeFrontmatter(frontmatter)),
    install && toPart('install', 'Install', install),
  ].filter((part) => part !== false && part !== undefined);
  return html`${writeTrail(path, up)}
<h1>${frontmatter.name}</h1>
<p class="lead">${frontmatter.description}</p>
<dl>
<dt>Address</dt><dd><code>${skill.uri}</code></dd>
<dt>Fingerprint</dt><dd><code>${fingerprint}</code></dd>
<dt>Size</dt><dd>${countFiles(files.length)}, ${formatSize(bytes)}</dd>
</dl>
<nav class="toc" aria-label="On this page"><ul>${parts.map(
    ({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`,
  )}</ul></nav>
${parts.map(
  ({ id, title, body }) => html`<section aria-labelledby="${id}">
<h2 id="${id}">${title}</h2>
${body}
</section>
`,
)}`;
}

function toPart(id: string, title: string, body: Html): { id: string; title: string; body: Html } {
  return { id, title, body };
}

function writeText({ skill, files }: Sheet, catalog: SkillCatalog): Html {
  const file = peekFile(catalog, skill.uri);
  const text = file === undefined ? '' : decodeText(file.bytes);
  const hrefs = new Map(files.map(({ path, href }) => [path, href]));
  return html`<div class="md">
${renderMarkdown(cutFrontmatter(text), { hrefOf: (path) => hrefs.get(path) })}
</div>`;
}

/** A published SKILL.md begins with a line `---`, and the next such line ends the frontmatter. */
function cutFrontmatter(text: string): string {
  const end = /\n---\r?(?:\n|$)/.exec(text);
  return end === null ? text : text.slice(end.index + end[0].length);
}

function writeFrontmatter(frontmatter: Sheet['skill']['frontmatter']): Html {
  const json = JSON.stringify(frontmatter, null, 2);
  return html`<div class="scroll" role="group" aria-label="Table of fields" tabindex="0"><table>
<thead><tr><th scope="col">Field</th><th scope="col">Value</th></tr></thead>
<tbody>
${Object.entries(frontmatter).map(
  ([key, value]) => html`<tr><th scope="row">${key}</th><td>${
    typeof value === 'string' ? value : html`<pre class="wrap">${JSON.stringify(value, null, 2)}</pre>`
  }</td></tr>
`,
)}</tbody>
</table></div>
<details><summary>As it is served, in JSON</summary>
<pre class="wrap" tabindex="0">${escapeJson(json)}</pre>
</details>
<p><a href="entry.json">The whole entry as JSON</a></p>`;
}

function writeElsewhere(elsewhere: readonly Elsewhere[]): Html {
  const all = elsewhere.reduce((sum, { addresses }) => sum + addresses.length, 0);
  let left = ADDRESSES;
  return html`<p>Its files name these addresses, in links, in text or in code. They are not links here.</p>
<dl>
${elsewhere.map(({ host, addresses }) => {
  if (left === 0) return undefined;
  const shown = addresses.slice(0, left);
  left -= shown.length;
  return html`<dt>${host}</dt><dd><ul class="plain">${shown.map(
    ({ url, files }) => html`<li><code>${url}</code> <span class="soft">in ${files.join(', ')}</span></li>`,
  )}</ul></dd>
`;
})}</dl>
${all > ADDRESSES && html`<p>And ${all - ADDRESSES} more.</p>`}`;
}
