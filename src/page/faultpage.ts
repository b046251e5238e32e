import type { Problem } from '../problems.ts';
import { type Html, html } from './html.ts';
import { describeProblems, listProblems } from './lists.ts';
import type { Sheets } from './sheet.ts';

/** The page of all problems: what is left out and why, then what the published skills have. */
export function writeProblems({ skills, leftOut, others }: Sheets): Html {
  const faulty = skills.filter(({ problems }) => problems.length > 0);
  const isClean = leftOut.length === 0 && others.length === 0 && faulty.length === 0;
  return html`<h1>Problems</h1>
${isClean && html`<p>No problems.</p>`}
${
  leftOut.length > 0 &&
  html`<section aria-labelledby="left-out">
<h2 id="left-out">Left out because of errors</h2>
${leftOut.map(({ uri, problems }) => writeGroup(html`<code>${uri}</code>`, problems))}
</section>
`
}${
  others.length > 0 &&
  html`<section aria-labelledby="beside">
<h2 id="beside">Beside skills</h2>
${listProblems(others)}
</section>
`
}${
  faulty.length > 0 &&
  html`<section aria-labelledby="published">
<h2 id="published">In published skills</h2>
${faulty.map(({ path, problems }) => writeGroup(html`<a href="${path}/index.html">${path}</a>`, problems))}
</section>
`
}`;
}

function writeGroup(title: Html, problems: readonly Problem[]): Html {
  return html`<h3>${title} <span class="soft">(${describeProblems(problems)})</span></h3>
${listProblems(problems)}
`;
}
