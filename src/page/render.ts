import MarkdownIt from 'markdown-it';
import { Html, html, markText } from './html.ts';
import { type LinkTarget, readTarget } from './linked.ts';

/** What is known of the skill that a text is from. */
export interface RenderContext {
  /** Where a file of the skill is published, relative to the page; undefined for what is no file of it. */
  readonly hrefOf: (path: string) => string | undefined;
}

/** Longer texts are shown as they are written. */
const LONGEST = 128 * 1024;

/** Levels by which headings are lowered: those of a skill are below the heading of their part of the page. */
const LOWERED = 2;

/** Before the ids of headings, so that none is one of the page's own. */
const ID = 'md-';

/** Images that every browser shows. An SVG is a document of its own, and is published as text. */
const IMAGE = /\.(?:png|jpe?g|gif|webp|avif|bmp|ico)$/i;

interface Env extends RenderContext {
  /** For each open link, how it is closed. */
  readonly closings: string[];
  /** The ids of headings, in their order. */
  readonly ids: string[];
  readonly known: ReadonlySet<string>;
  /** How many there were, and the level of the last one. */
  readonly headings: { count: number; level: number };
}

type Token = ReturnType<MarkdownIt['parse']>[number];
type Rule = (tokens: readonly Token[], index: number, env: Env) => string;

let renderer: MarkdownIt | undefined;

/**
 * The Markdown of a skill as HTML: no HTML of its own, which is shown as text, no script, and no request but for images of the skill. Links lead to
 * http, https and mailto, to files of the skill, and to its headings; of any other link only the text is left.
 */
export function renderMarkdown(text: string, context: RenderContext): Html {
  if (text.length > LONGEST) {
    return html`<p class="soft">This text is too long to be laid out. It begins like this:</p>
<pre class="wrap" tabindex="0">${text.slice(0, LONGEST)}</pre>`;
  }
  renderer ??= createRenderer();
  const tokens = renderer.parse(text, {});
  const ids = nameHeadings(tokens);
  const env: Env = { ...context, closings: [], ids, known: new Set(ids), headings: { count: 0, level: LOWERED } };
  return new Html(renderer.renderer.render(tokens, renderer.options, env));
}

function createRenderer(): MarkdownIt {
  const markdown = new MarkdownIt({ html: false, linkify: false, typographer: false });
  const rules: Record<string, Rule> = {
    text: (tokens, index) => markText(contentOf(tokens, index)),
    text_special: (tokens, index) => markText(contentOf(tokens, index)),
    code_inline: (tokens, index) => `<code>${markText(contentOf(tokens, index))}</code>`,
    code_block: (tokens, index) => toCode(contentOf(tokens, index)),
    fence: (tokens, index) => toCode(contentOf(tokens, index)),
    link_open: openLink,
    link_close: (_, __, { closings }) => closings.pop() ?? '',
    image: toImage,
    heading_open: openHeading,
    heading_close: (_, __, { headings }) => `</h${headings.level}>\n`,
    table_open: () => '<div class="scroll" role="group" aria-label="Table" tabindex="0"><table>\n',
    table_close: () => '</table></div>\n',
    th_open: toCell,
    td_open: toCell,
  };
  for (const [name, rule] of Object.entries(rules)) {
    markdown.renderer.rules[name] = (tokens, index, _, env: Env) => rule(tokens, index, env);
  }
  return markdown;
}

function contentOf(tokens: readonly Token[], index: number): string {
  return tokens[index]?.content ?? '';
}

function toCode(content: string): string {
  return `<pre tabindex="0"><code>${markText(content)}</code></pre>\n`;
}

/** The level below that of the heading before it at most: who listens to a page counts them. */
function openHeading(tokens: readonly Token[], index: number, { ids, headings }: Env): string {
  headings.level = Math.min(6, Number(tokens[index]?.tag.slice(1)) + LOWERED, headings.level + 1);
  return html`<h${headings.level} id="${ID}${ids[headings.count++]}">`.text;
}

/** The policy of the page lets no style through that is written at an element. */
function toCell(tokens: readonly Token[], index: number): string {
  const { tag = 'td', attrGet } = tokens[index] ?? {};
  const align = /right|center/.exec(String(attrGet?.call(tokens[index], 'style')))?.[0];
  return `<${tag}${align === undefined ? '' : ` class="${align.charAt(0)}"`}>`;
}

function openLink(tokens: readonly Token[], index: number, env: Env): string {
  const href = tokens[index]?.attrGet('href') ?? '';
  const opening = toOpening(find(href, env), env);
  env.closings.push(opening === undefined ? '</span>' : '</a>');
  return opening ?? html`<span class="soft" title="${`not a link that is followed: ${href}`}">`.text;
}

function toOpening(target: LinkTarget, { hrefOf, known }: Env): string | undefined {
  if (target.kind === 'elsewhere') return html`<a href="${target.url}" rel="noreferrer noopener nofollow">`.text;
  if (target.kind === 'file') return html`<a href="${hrefOf(target.path)}">`.text;
  return target.kind === 'heading' && known.has(target.id) ? html`<a href="#${ID + target.id}">`.text : undefined;
}

function toImage(tokens: readonly Token[], index: number, env: Env): string {
  const token = tokens[index];
  const src = token?.attrGet('src') ?? '';
  const alt = (token?.children ?? []).map(({ content }) => content).join('');
  const target = find(src, env);
  if (target.kind === 'file' && IMAGE.test(target.path)) {
    return html`<img src="${env.hrefOf(target.path)}" alt="${alt}" loading="lazy">`.text;
  }
  const name = `image: ${alt === '' ? src : alt}`;
  // a link inside a link is none
  const opening = env.closings.includes('</a>') ? undefined : toOpening(target, env);
  return opening === undefined
    ? html`<span class="soft" title="${src}">[${name}]</span>`.text
    : `${opening}${markText(name)}</a>`;
}

function find(href: string, { hrefOf }: Env): LinkTarget {
  return readTarget(href, (path) => hrefOf(path) !== undefined);
}

/** An id for each heading, as GitHub names them; no two are the same. */
function nameHeadings(tokens: readonly Token[]): string[] {
  const counts = new Map<string, number>();
  const ids = new Set<string>();
  tokens.forEach(({ type }, index) => {
    if (type !== 'heading_open') return;
    const text = (tokens[index + 1]?.children ?? []).map(({ content }) => content).join('');
    const slug = text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{M}\p{N}_ -]/gu, '')
      .trim()
      .replaceAll(' ', '-');
    let count = counts.get(slug) ?? 0;
    let id = slug;
    while (ids.has(id) || id === '') id = `${slug}-${++count}`;
    counts.set(slug, count);
    ids.add(id);
  });
  return [...ids];
}
