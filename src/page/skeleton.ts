import { Html, html, type Value } from './html.ts';
import { STYLE, STYLE_SOURCE } from './style.ts';

/** What is the same on all pages of a site. */
export interface Surroundings {
  readonly title: string;
  /** Links of the navigation: a path of the site, and its name. */
  readonly links: readonly (readonly [path: string, name: string])[];
  /** The address of the site, which ends in a slash; undefined where nobody knows it. */
  readonly baseUrl?: string | undefined;
  /** What a server says of itself: lines at the end of each page. */
  readonly notes?: readonly string[] | undefined;
  /** Whether pages have forms: that of signing in, or of signing out. Default: false. */
  readonly hasForms?: boolean | undefined;
  /** Where the form of signing out is sent; relative to the site. Undefined where there is no session. */
  readonly signOut?: string | undefined;
}

/** One page. */
export interface PageInit {
  /** Of the site, without a slash at the beginning. */
  readonly path: string;
  /** Undefined for the first page, whose title is that of the site. */
  readonly title?: string;
  readonly body: Value;
}

/** The policy of a page: no script, no frame, no request but for images of the site. */
export function toPolicy(formAction: "'none'" | "'self'" = "'none'"): string {
  return `default-src 'none'; style-src ${STYLE_SOURCE}; img-src 'self'; form-action ${formAction}; base-uri 'none'`;
}

const styled = new Html(`<style>${STYLE}</style>`);

/** A whole page. Every link of it is relative, so that the site works below any address, and from a disk. */
export function layOut({ path, title, body }: PageInit, site: Surroundings): string {
  const up = toTop(path);
  const hasForms = site.hasForms === true || site.signOut !== undefined;
  const policy = toPolicy(hasForms ? "'self'" : "'none'");
  const address = site.baseUrl === undefined ? undefined : site.baseUrl + path.replace(/(?:^|(?<=\/))index\.html$/, '');
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${new Html(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="${hasForms ? 'same-origin' : 'no-referrer'}">
<meta name="color-scheme" content="light dark">
<title>${title === undefined ? site.title : `${title} - ${site.title}`}</title>
${
  address !== undefined &&
  html`<link rel="canonical" href="${address}">
`
}${styled}
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header>
<a href="${up}index.html">${site.title}</a>
<nav aria-label="Site"><ul>${site.links.map(
    ([target, name]) =>
      html`<li><a href="${up}${target}"${target === path && new Html(' aria-current="page"')}>${name}</a></li>`,
  )}</ul></nav>
</header>
<main id="main">
${body}
</main>
<footer>
${site.notes?.map((note) => html`<p>${note}</p>`)}
<p>Made by mcp-server-skills from the skills as they are published. Skills are instructions for a model: read one before you use it.</p>
${
  site.signOut !== undefined &&
  html`<form method="post" action="${up}${site.signOut}"><button name="end" value="session">Sign out</button></form>`
}
</footer>
</body>
</html>
`.text;
}

/** From a page of the site to its first folder: `../../`. */
export function toTop(path: string): string {
  return '../'.repeat(path.split('/').length - 1);
}
