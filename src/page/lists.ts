import type { Problem } from '../problems.ts';
import { countOf, formatNumber } from '../text/count.ts';
import { Html, html } from './html.ts';
import type { Sheet } from './sheet.ts';
import { formatSize } from './size.ts';

/** `2 errors, 1 warning`; undefined for none. */
export function describeProblems(problems: readonly Problem[]): Html | undefined {
  if (problems.length === 0) return undefined;
  const count = (severity: Problem['severity']) =>
    problems.reduce((sum, problem) => sum + (problem.severity === severity ? (problem.count ?? 1) : 0), 0);
  const [errors, warnings] = [count('error'), count('warning')];
  return html`${errors > 0 && html`<span class="error">${countOf(errors, 'error')}</span>`}${
    errors > 0 && warnings > 0 && ', '
  }${warnings > 0 && html`<span class="warning">${countOf(warnings, 'warning')}</span>`}`;
}

/** Problems with their hints. */
export function listProblems(problems: readonly Problem[]): Html {
  return html`<ul class="plain problems">
${problems.map(({ severity, code, path, line, column, message, hint }) => {
  const place = [path, line, line && column].filter((part) => part !== undefined).join(':');
  return html`<li${severity === 'error' && new Html(' class="e"')}>
<p><strong class="${severity}">${severity}</strong>: ${message} <span class="tag">${code}</span></p>
${
  path !== '.' &&
  html`<p class="meta"><code>${place}</code></p>
`
}${hint !== undefined && html`<p>Hint: ${hint}</p>`}
</li>
`;
})}</ul>`;
}

/**
 * Skills with their names, descriptions and sizes.
 *
 * @param up - from the page to the first folder of the site
 */
export function listSkills(skills: readonly Sheet[], up: string, state: (sheet: Sheet) => string | undefined): Html {
  return html`<ul class="plain skills">
${skills.map((sheet) => {
  const { skill, path, files, bytes, problems, fingerprint } = sheet;
  const found = describeProblems(problems);
  const changed = state(sheet);
  return html`<li>
<h3><a href="${up}${path}/index.html">${skill.frontmatter.name}</a>${changed !== undefined && html` <span class="tag">${changed}</span>`}</h3>
<p>${skill.frontmatter.description}</p>
<p class="meta"><span>${countFiles(files.length)}</span><span>${formatSize(bytes)}</span>${
    found && html`<span>${found}</span>`
  }<span class="mono digest">${fingerprint}</span></p>
</li>
`;
})}</ul>`;
}

/** `1 file`, `1,204 files`. */
export function countFiles(count: number): string {
  return `${formatNumber(count)} file${count === 1 ? '' : 's'}`;
}
