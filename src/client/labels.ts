import { SKILL_FILE } from '../catalog/manifest.ts';
import { isName } from '../text/names.ts';
import { quote } from './ask.ts';

/** The extension by which a server publishes skills (SEP-2640). */
export const EXTENSION = 'io.modelcontextprotocol/skills';

const LABEL = /^[a-z0-9][a-z0-9._-]{0,63}$/;
const SCHEME = 'skill://';
const ENDING = `/${SKILL_FILE}`;

/** What is left of a URI's characters (RFC 3986) without `?` and `#`. */
const PATH = /^[\w.~:/[\]@!$&'()*+,;=%-]+$/;
const MAX_PATH = 1024;

/** The server does not declare the Skills extension. No method was tried. */
export class SkillsNotServed extends Error {
  override readonly name = 'SkillsNotServed';
  /** The host's label of the server. */
  readonly label: string;

  /** Makes the error of one server. */
  constructor(label: string) {
    super(`the server "${label}" does not declare the Skills extension, ${EXTENSION}`);
    this.label = label;
  }
}

/**
 * Checks a label, which is the host's own name for a server.
 *
 * @throws RangeError for what is no label
 */
export function assertLabel(label: string): void {
  if (typeof label === 'string' && LABEL.test(label)) return;
  throw new RangeError(
    `the label ${quote(String(label))} is not 1 to 64 of a-z, 0-9, ".", "_" and "-", with a letter or digit first`,
  );
}

/** The name of a served skill: the label, a colon, and the URI without `skill://` and `/SKILL.md`. */
export function toServedName(label: string, uri: string): string {
  const path = uri.endsWith(ENDING) ? uri.slice(0, -ENDING.length) : uri;
  return `${label}:${path.startsWith(SCHEME) ? path.slice(SCHEME.length) : path}`;
}

/** The label and the path of the name of a served skill; undefined for the name of a host's own. */
export function splitName(name: string): { label: string; path: string } | undefined {
  const at = name.indexOf(':');
  return at === -1 ? undefined : { label: name.slice(0, at), path: name.slice(at + 1) };
}

/** Whether a text has only characters that a URI without query and fragment can have. */
export function isPlain(uri: string): boolean {
  return PATH.test(uri);
}

/** The URI of a path in a name; undefined where no skill can have it, or has it under another name. */
export function findServedUri(path: string): string | undefined {
  if (path.length > MAX_PATH || !isPlain(path) || path.startsWith(SCHEME)) return undefined;
  const segments = path.replace(/^[a-z][a-z0-9+.-]*:\/\//, '').split('/');
  if (segments.some((segment) => segment === '' || /^\.+$/.test(segment)) || !isName(segments.at(-1) ?? '')) {
    return undefined;
  }
  return `${path.includes('://') ? '' : SCHEME}${path}${ENDING}`;
}
