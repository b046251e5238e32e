import { type Html, html } from './html.ts';

/** How one host is connected, as the command `config` says. */
export interface HostInstall {
  readonly id: string;
  readonly title: string;
  /** The file that the entry goes into, as a person reads it. */
  readonly file: string;
  /** A whole file that holds the entry alone; undefined where the host takes no address from a file. */
  readonly text: string | undefined;
  /** The command that writes it. */
  readonly command: string | undefined;
  /** Other ways to the same. */
  readonly shortcuts: readonly { readonly kind: 'link' | 'command'; readonly text: string }[];
  readonly notes: readonly string[];
}

/** What a page of installing shows. */
export interface Install {
  /** The address of a server over HTTP; undefined for one that the reader starts. */
  readonly server?: string | undefined;
  /** The address of this site, which ends in a slash. */
  readonly baseUrl?: string | undefined;
  readonly hosts: readonly HostInstall[];
}

/** The page of installing. */
export function writeInstall({ server, baseUrl, hosts }: Install, up: string): Html {
  return html`<h1>Install</h1>
<h2 id="copies">As copies</h2>
${
  baseUrl === undefined
    ? html`<p>Where this site is published, a host that reads folders gets copies of its skills with <code>npx skills add ADDRESS</code>, where ADDRESS is that of this site. The digests are in <a href="${up}.well-known/agent-skills/index.json">its index</a>.</p>`
    : html`<p>For a host that reads folders. The digests are in <a href="${up}.well-known/agent-skills/index.json">the index</a>.</p>
${toCommand(`npx skills add ${toAddress(baseUrl)}`)}`
}
<h2 id="hosts">From a server, in your host</h2>
${
  server === undefined
    ? html`<p>These configurations start a server of your own for a folder of these skills. Write the path of your folder for <code>/path/to</code>. Each needs Node 20.12 or later.</p>`
    : html`<p>These configurations connect a host to the server at <code>${server}</code>. If it asks for a token, add it in your host's own way, never in a link.</p>`
}
${hosts.map(writeHost)}`;
}

function writeHost({ id, title, file, text, command, shortcuts, notes }: HostInstall): Html {
  return html`<details id="${id}"><summary><h3>${title}</h3></summary>
${shortcuts.map((shortcut) =>
  shortcut.kind === 'link'
    ? html`<p><a href="${shortcut.text}">Add to ${title}</a></p>
`
    : toCommand(shortcut.text),
)}${
  text !== undefined &&
  html`<p>In <code>${file}</code>:</p>
${toCommand(text)}`
}${
  command !== undefined &&
  html`<p>This command writes it, and keeps everything else in the file:</p>
${toCommand(command)}`
}${
  notes.length > 0 &&
  html`<ul>${notes.map((note) => html`<li>${note}</li>`)}</ul>
`
}</details>
`;
}

/** The short form, for the first page and for the pages of skills and groups; undefined where there is nothing to say. */
export function writeInstallBox(
  { server, baseUrl, hosts }: Install,
  up: string,
  place: InstallPlace,
): Html | undefined {
  const links = hosts.flatMap(({ title, shortcuts }) =>
    shortcuts.flatMap(({ kind, text }) => (kind === 'link' ? [{ title, text }] : [])),
  );
  const address = baseUrl && toAddress(baseUrl + ('group' in place && place.group !== '' ? `${place.group}/` : ''));
  const skill = 'skill' in place ? ` --skill ${place.skill}` : '';
  return html`${
    address !== undefined &&
    html`<p>A copy, for a host that reads folders:</p>
${toCommand(`npx skills add ${address}${skill}`)}`
  }<p>${
    server !== undefined && html`From the server at <code>${server}</code>: `
  }${links.map(({ title, text }) => html`<a href="${text}">Add to ${title}</a>, `)}<a href="${up}install.html">${
    links.length > 0 ? 'other hosts' : 'Install in your host'
  }</a></p>`;
}

/** Whose installation is shown: of a whole group, or of one skill in the index of a group. */
export type InstallPlace = { readonly group: string } | { readonly group: string; readonly skill: string };

function toCommand(text: string): Html {
  return html`<pre tabindex="0"><code>${text.trimEnd()}</code></pre>
`;
}

/** An address as a command line takes it, without the slash at its end. */
function toAddress(baseUrl: string): string {
  return baseUrl.replace(/\/$/, '');
}
