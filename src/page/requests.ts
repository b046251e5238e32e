import { splitTools } from '../judge/warnings.ts';
import type { JsonValue } from '../text/jsonvalue.ts';
import { type Html, html } from './html.ts';

/** What tools that several hosts have can do, by their names in lower case. */
const KNOWN: Readonly<Record<string, string>> = {
  bash: 'runs commands',
  shell: 'runs commands',
  powershell: 'runs commands',
  execute: 'runs commands',
  read: 'reads files',
  glob: 'lists files',
  grep: 'searches files',
  ls: 'lists files',
  write: 'creates and replaces files',
  edit: 'changes files',
  multiedit: 'changes files',
  notebookedit: 'changes notebooks',
  webfetch: 'fetches web pages',
  websearch: 'searches the web',
  task: 'starts other agents',
  agent: 'starts other agents',
  '*': 'every tool',
};

/** What `allowed-tools` asks for; undefined where it asks for nothing. */
export function describeTools(value: JsonValue | undefined): Html | undefined {
  const tools = typeof value === 'string' ? splitTools(value) : [];
  if (tools.length === 0) return undefined;
  return html`<p>With <code>allowed-tools</code>, the skill asks its host to allow these without a question. Hosts decide whether they do.</p>
<ul>
${tools.map(
  (tool) => html`<li><code>${tool}</code>${describe(tool)}</li>
`,
)}</ul>`;
}

function describe(tool: string): Html | undefined {
  const [, name = '', bounds] = /^([^(]*)(?:\((.*)\))?$/s.exec(tool) ?? [];
  const known = Object.hasOwn(KNOWN, name.toLowerCase()) ? KNOWN[name.toLowerCase()] : undefined;
  if (known === undefined) return undefined;
  const isAll = bounds === undefined || /^[*:\s]*$/.test(bounds);
  return html`: ${known}${isAll ? (name === '*' ? '' : ', without a limit') : html`, for <code>${bounds}</code>`}`;
}
