import { countOf, formatNumber } from '../text/count.ts';
import { groupBy } from '../text/grouping.ts';
import { type Html, html } from './html.ts';
import { countFiles, listSkills } from './lists.ts';
import type { LeftOut, Sheet } from './sheet.ts';
import { formatSize } from './size.ts';
import { toTop } from './skeleton.ts';

/** What a page of several skills shows. */
export interface Overview {
  /** Of the page. */
  readonly path: string;
  readonly title: string;
  readonly skills: readonly Sheet[];
  /** Digest of what the page shows. */
  readonly digest: string;
  readonly leftOut: readonly LeftOut[];
  /** How to install all of it; undefined where nobody knows. */
  readonly install: Html | undefined;
  /** What became of a skill since what it is compared with. */
  readonly state: (sheet: Sheet) => string | undefined;
}

/** The page of a catalog, or of one group: every skill below it, by group. */
export function writeOverview({ path, title, skills, digest, leftOut, install, state }: Overview): Html {
  const up = toTop(path);
  const groups = [...groupBy(skills, ({ group }) => group)].sort(([a], [b]) => (a < b ? -1 : 1));
  const files = skills.reduce((sum, sheet) => sum + sheet.files.length, 0);
  const bytes = skills.reduce((sum, sheet) => sum + sheet.bytes, 0);
  const isGrouped = groups.length > 1;
  return html`${path !== 'index.html' && writeTrail(path.replace(/\/index\.html$/, ''), up)}
<h1>${title}</h1>
<p class="meta"><span>${countSkills(skills.length)}</span><span>${countFiles(files)}</span><span>${formatSize(bytes)}</span><span class="mono digest">${digest}</span></p>
${
  leftOut.length > 0 &&
  html`<p class="box"><strong class="error">${countOf(leftOut.length, 'skill')} left out</strong> because of errors: <a href="${up}problems.html">what is wrong</a></p>`
}
${install}
${
  isGrouped &&
  html`<nav class="toc" aria-label="Groups"><ul>${groups.map(
    ([group, members]) =>
      html`<li><a href="#${toAnchor(group)}">${toTitle(group)}</a> <span class="soft">${members.length}</span></li>`,
  )}</ul></nav>`
}
${groups.map(
  ([group, members]) => html`<section aria-labelledby="${toAnchor(group)}">
<h2 id="${toAnchor(group)}">${
    isGrouped && group !== ''
      ? html`<a href="${up}${group}/index.html">${toTitle(group)}</a>`
      : isGrouped
        ? toTitle(group)
        : 'Skills'
  }</h2>
${listSkills(members, up, state)}
</section>
`,
)}${skills.length === 0 && html`<p>No skill is published.</p>`}`;
}

/** Links to the groups above a page. */
export function writeTrail(path: string, up: string): Html {
  const names = path.split('/').slice(0, -1);
  return html`<nav aria-label="Groups above"><ul>
<li><a href="${up}index.html">All skills</a></li>
${names.map((name, at) => html`<li><a href="${up}${names.slice(0, at + 1).join('/')}/index.html">${name}</a></li>`)}
</ul></nav>`;
}

function toTitle(group: string): string {
  return group === '' ? 'Without a group' : group;
}

function toAnchor(group: string): string {
  return `in-${group}`;
}

function countSkills(count: number): string {
  return `${formatNumber(count)} skill${count === 1 ? '' : 's'}`;
}
