import { formatNumber } from '../report/count.ts';
import { type Html, html } from './html.ts';

/** What became of a file. */
export interface FileDifference {
  /** Relative to the skill. */
  readonly path: string;
  readonly kind: 'added' | 'removed' | 'changed';
  /** In bytes, as far as there was and is one. */
  readonly before?: number | undefined;
  readonly after?: number | undefined;
}

/** What became of a skill. */
export interface SkillDifference {
  readonly kind: 'added' | 'removed' | 'changed' | 'renamed';
  /** Groups and name; of a removed skill, those that it had. */
  readonly path: string;
  /** Of a renamed skill. */
  readonly from?: string | undefined;
  /** The fingerprint that it had: approvals given to it are void. */
  readonly revoked?: string | undefined;
  readonly files: readonly FileDifference[];
}

/** What changed since a lock or a revision. */
export interface Since {
  /** What is compared with, as a person reads it. */
  readonly label: string;
  /** Of skills that are not what they were. */
  readonly skills: readonly SkillDifference[];
}

/** The page of all changes. */
export function writeChanges({ label, skills }: Since): Html {
  return html`<h1>Changes</h1>
<p>Since <code>${label}</code>.</p>
${skills.length === 0 && html`<p>Nothing changed.</p>`}
${skills.map(
  (difference) => html`<section>
<h2>${
    difference.kind === 'removed'
      ? difference.path
      : html`<a href="${difference.path}/index.html">${difference.path}</a>`
  } <span class="tag">${difference.kind}</span></h2>
${describeDifference(difference)}
</section>
`,
)}`;
}

/** What changed in one skill; undefined for a skill that is what it was. */
export function writeChange({ label, skills }: Since, path: string): Html {
  const difference = skills.find((each) => each.kind !== 'removed' && each.path === path);
  return difference === undefined
    ? html`<p>Nothing changed since <code>${label}</code>.</p>`
    : html`<p><strong>${difference.kind}</strong> since <code>${label}</code></p>
${describeDifference(difference)}`;
}

function describeDifference({ from, revoked, files }: SkillDifference): Html {
  return html`${from !== undefined && html`<p>It was <code>${from}</code>.</p>`}${
    revoked !== undefined && html`<p>Revokes approvals given to <code>${revoked}</code></p>`
  }${
    files.length > 0 &&
    html`<div class="scroll" role="region" aria-label="Table of changed files" tabindex="0"><table>
<thead><tr><th scope="col">File</th><th scope="col">Change</th><th scope="col" class="n">Bytes before</th><th scope="col" class="n">Bytes now</th></tr></thead>
<tbody>${files.map(
      ({ path, kind, before, after }) => html`
<tr><td>${path}</td><td>${kind}</td><td class="n">${toCell(before)}</td><td class="n">${toCell(after)}</td></tr>`,
    )}
</tbody></table></div>`
  }`;
}

function toCell(bytes: number | undefined): string {
  return bytes === undefined ? '' : formatNumber(bytes);
}
