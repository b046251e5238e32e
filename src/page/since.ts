import { toSkillPath } from '../catalog/catalog.ts';
import type { CatalogDiff, FileChange, SkillChange } from '../lock/compare.ts';
import { describeRefusal, describeSize, summarizeDiff } from '../lock/describe.ts';
import type { JsonValue } from '../text/jsonvalue.ts';
import { type Html, html } from './html.ts';

/** What changed since a lock or a revision. */
export interface Since {
  /** What is compared with, as a person reads it. */
  readonly label: string;
  readonly diff: CatalogDiff;
}

/** The page of all changes. */
export function writeChanges({ label, diff }: Since): Html {
  return html`<h1>Changes</h1>
<p>Since <code>${label}</code>: ${summarizeDiff(diff)}.</p>
${diff.changes.map(
  (change) => html`<section>
<h2>${
    change.kind === 'removed'
      ? toSkillPath(change.uri)
      : html`<a href="${toSkillPath(change.uri)}/index.html">${toSkillPath(change.uri)}</a>`
  } <span class="tag">${change.kind}</span></h2>
${describeChange(change)}
</section>
`,
)}`;
}

/** What changed in one skill. */
export function writeChange({ label }: Since, change: SkillChange | undefined): Html {
  if (change === undefined) return html`<p>Nothing changed since <code>${label}</code>.</p>`;
  return html`<p><strong>${change.kind}</strong> since <code>${label}</code></p>
${describeChange(change)}`;
}

function describeChange(change: SkillChange): Html {
  const { oldUri, revokes, fields = [], links = [], files } = change;
  const refusal = describeRefusal(change).replace(/^, /, '');
  return html`${refusal !== '' && html`<p>Only ${refusal}.</p>`}${
    oldUri !== undefined && html`<p>It was <code>${oldUri}</code>.</p>`
  }${revokes !== undefined && html`<p>Revokes approvals given to <code>${revokes}</code></p>`}${
    fields.length > 0 &&
    html`<dl>${fields.map(
      ({ name, before, after }) => html`
<dt>${name}</dt><dd>${before === undefined ? 'new' : html`before: ${showValue(before)}`}<br>${after === undefined ? 'gone' : html`now: ${showValue(after)}`}</dd>`,
    )}
</dl>`
  }${
    links.length > 0 &&
    html`<p>Hosts that it did not name before:</p>
<ul>${links.map(({ host, url, path }) => html`<li>${host} <span class="soft">(<code>${url}</code> in ${path})</span></li>`)}</ul>`
  }${files.length > 0 && writeFileChanges(files)}`;
}

function writeFileChanges(files: readonly FileChange[]): Html {
  return html`<div class="scroll" role="group" aria-label="Table of changed files" tabindex="0"><table class="changes">
<thead><tr><th scope="col">File</th><th scope="col">Change</th><th scope="col">Size</th></tr></thead>
<tbody>${files.map((file) => {
    const { path, kind, isScript, isLineEnds } = file;
    return html`
<tr><td>${path}${isScript && html` <span class="tag warning">script</span>`}</td><td>${kind}${isLineEnds === true && ', only line ends differ'}</td><td>${describeSize(file)}</td></tr>`;
  })}
</tbody></table></div>`;
}

function showValue(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
