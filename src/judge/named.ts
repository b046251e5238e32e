import { isName } from '../text/names.ts';
import { judgeFrontmatter } from './document.ts';

/** A `name` line of frontmatter whose other lines may be anything. */
const NAME_LINE = /^---\r?\n(?:(?!---\r?\n)[^\n]*\n)*?name:[ \t]+(["']?)([a-z0-9-]+)\1[ \t]*\r?\n/;

/** The valid name that a SKILL.md gives itself; undefined for any other, and for none. */
export function readName(bytes: Uint8Array): string | undefined {
  const { frontmatter, text = '' } = judgeFrontmatter(bytes);
  // another field that cannot be published does not change what the skill is called
  const name = frontmatter === undefined ? NAME_LINE.exec(text)?.[2] : frontmatter['name'];
  return typeof name === 'string' && isName(name) ? name : undefined;
}
