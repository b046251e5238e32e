/** What a link in a file of a skill leads to. */
export type LinkTarget =
  | { readonly kind: 'elsewhere'; readonly url: string }
  /** A file of the skill. */
  | { readonly kind: 'file'; readonly path: string }
  /** A heading of the same page. */
  | { readonly kind: 'heading'; readonly id: string }
  /** A link that no page follows: to nothing, out of the skill, or of another scheme. */
  | { readonly kind: 'none' };

const NONE: LinkTarget = { kind: 'none' };

/** Says where a link leads; `hasFile` says whether the skill has a file. Only http, https and mailto lead out of the site. */
export function readTarget(href: string, hasFile: (path: string) => boolean): LinkTarget {
  if (href.startsWith('#')) return { kind: 'heading', id: decode(href.slice(1)) };
  if (/^[a-z][a-z0-9+.-]*:/i.test(href)) return toElsewhere(href);
  if (/^[/\\]|[\0-\x20\\]/.test(href)) return NONE;
  const path = walk(decode(href.replace(/[?#].*$/s, '')));
  return path !== undefined && hasFile(path) ? { kind: 'file', path } : NONE;
}

function toElsewhere(href: string): LinkTarget {
  const url = URL.canParse(href) ? new URL(href) : undefined;
  if (url === undefined || !/^(?:https?|mailto):$/.test(url.protocol)) return NONE;
  return { kind: 'elsewhere', url: url.href };
}

/** The path without `.` and `..`; undefined where it leaves the skill. */
function walk(written: string): string | undefined {
  const segments: string[] = [];
  for (const segment of written.split('/')) {
    if (segment === '..' && segments.pop() === undefined) return undefined;
    if (segment !== '' && segment !== '.' && segment !== '..') segments.push(segment);
  }
  return segments.join('/');
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
