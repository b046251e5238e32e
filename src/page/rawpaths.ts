import mime from 'mime';
import { toBaseName } from '../text/names.ts';

/** Types that a browser runs, or may run, when it is sent them. */
const ACTIVE = /\/(?:html|xml|xsl)\b|\+xml$|shockwave|^(?:multipart|message)\//;

/** Endings that some hosts serve as one of those types, or run themselves. */
const ACTIVE_ENDING =
  /\.(?:[a-z]?html?|xht|svgz?|xslt?|xml|rdf|rss|atom|mml|mhtml?|hta|htc|swf|php\d?|phtml|phar|aspx?|jspx?|cgi|cfm|fcgi|shtm)$/i;

/** Characters of a name that is changed, without what is appended. */
const LONGEST = 230;

/**
 * The paths under which files of a skill are published, by their own. What a host could serve as an active page, or would let the browser
 * guess at because nobody knows the ending, gets `.txt` appended.
 *
 * @param paths - of one skill, which do not differ in case alone
 */
export function toRawPaths(paths: readonly string[]): ReadonlyMap<string, string> {
  const taken = new Set(paths.map((path) => path.toLowerCase()));
  return new Map(
    paths.map((path) => {
      if (isInert(path)) return [path, path];
      // no disk takes a longer name than 255 bytes
      const over = Math.max(0, toBaseName(path).length - LONGEST);
      let raw = `${path.slice(0, path.length - over)}.txt`;
      while (taken.has(raw.toLowerCase())) raw += '.txt';
      taken.add(raw.toLowerCase());
      return [path, raw];
    }),
  );
}

function isInert(path: string): boolean {
  const name = toBaseName(path);
  if (!name.includes('.') || ACTIVE_ENDING.test(name)) return false;
  const type = mime.getType(name);
  return type !== null && !ACTIVE.test(type);
}
