import { isUtf8 } from 'node:buffer';
import { decodeText, type SkillResource } from '../catalog/catalog.ts';
import { sha256 } from '../judge/skill.ts';
import { compareText } from '../problems.ts';
import type { JsonObject, JsonValue } from '../text/jsonvalue.ts';
import type { Comparable, ComparedSkill } from './comparable.ts';

/** A field of the frontmatter that differs. */
export interface FieldChange {
  readonly name: string;
  /** Absent where the side does not have the field. */
  readonly before?: JsonValue;
  readonly after?: JsonValue;
}

/** A link to a host that the old side does not name. */
export interface NewLink {
  /** With the port where the URL has one; an international name is in its ASCII form. */
  readonly host: string;
  /** Without its query and fragment. */
  readonly url: string;
  /** The first file that has it, relative to the skill. */
  readonly path: string;
}

/** What changes what a host does, before everything else. */
const FIRST = ['allowed-tools', 'description'];

/** The fields that differ, the ones that hosts act on first; undefined where the frontmatter of a side is not known. */
export function findFieldChanges(
  before: JsonObject | undefined,
  after: JsonObject | undefined,
): FieldChange[] | undefined {
  if (before === undefined || after === undefined) return undefined;
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const rank = (name: string) => (FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length);
  return names
    .sort((a, b) => rank(a) - rank(b) || compareText(a, b))
    .flatMap((name): FieldChange[] => {
      const [old, now] = [before, after].map((side) => (Object.hasOwn(side, name) ? side[name] : undefined));
      if (isEqualJson(old, now)) return [];
      return [{ name, ...(old === undefined ? {} : { before: old }), ...(now === undefined ? {} : { after: now }) }];
    });
}

/** Whether two values of JSON are equal, whatever the order of keys. */
function isEqualJson(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [left, right] = [a, b] as [JsonObject, JsonObject];
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && isEqualJson(left[key], right[key]))
  );
}

/** Endings of files that a system or an interpreter runs. */
const SCRIPT_ENDING =
  /\.(?:sh|bash|zsh|fish|ksh|ps1|psm1|bat|cmd|vbs|py|pyw|rb|pl|pm|php|lua|tcl|r|js|mjs|cjs|jsx|ts|mts|cts|tsx|go|rs|swift|kts|groovy|scpt|applescript|exe|com|dll|so|dylib|bin|wasm|jar|app|msi|deb|rpm|appimage)$/i;

/** Endings of data, which nothing runs by itself. What is not here counts as a script in a folder of scripts. */
const DATA_ENDING =
  /\.(?:md|markdown|rst|txt|csv|tsv|json|jsonl|ndjson|xml|xsd|dtd|png|jpe?g|gif|webp|bmp|ico|tiff?|avif|pdf|docx|xlsx|pptx|ttf|otf|woff2?|mp3|wav|ogg|mp4|webm|mov)$/i;

/** Files of data whose content names what a tool installs or runs. */
const ORDERS =
  /(?:^|\/)(?:(?:package|package-lock|deno|composer|hooks|plugin|\.?mcp|tasks|launch|settings(?:\.local)?)\.json|[^/]*(?:requirements|constraints)[^/]*\.txt|cmakelists\.txt|pom\.xml|build\.xml)$/i;

/** Whether a file is one that may be executed. A `#!` in its first line says so, too. */
export function isScript(path: string, bytes?: Uint8Array): boolean {
  if (SCRIPT_ENDING.test(path)) return true;
  if (/^(?:scripts|bin|hooks)\//i.test(path) && (!DATA_ENDING.test(path) || ORDERS.test(path))) return true;
  return bytes?.[0] === 0x23 && bytes[1] === 0x21;
}

/** Whether two files differ in their line ends alone; undefined where that is not known. */
export function findLineEnds(
  { a, b }: { a: SkillResource; b: SkillResource },
  { before, after }: { before: Comparable; after: Comparable },
): true | undefined {
  const isOther = (bytes: Uint8Array | undefined, digest: string) => {
    if (bytes === undefined || !isUtf8(bytes)) return false;
    const lf = decodeText(bytes).replaceAll('\r\n', '\n');
    return [lf, lf.replaceAll('\n', '\r\n')].some((text) => `sha256:${sha256(text)}` === digest);
  };
  return isOther(after.read?.(b.uri)?.bytes, a.digest) || isOther(before.read?.(a.uri)?.bytes, b.digest) || undefined;
}

/** A skill with what reads its files. */
interface SkillSide {
  readonly skill: ComparedSkill;
  readonly side: Comparable;
}

/**
 * A URL with a host, or one without a scheme where Markdown and HTML have one. Bounded in every part: the time is linear in the text.
 */
const URL_TEXT = /(?:\b([a-z][a-z0-9+.-]{1,15}):|(?<=[("'=<]))\/\/([^\s"'<>`\\^{}|()[\]]{1,2000})/gi;

/** A name with a dot, or an address; anything else is a placeholder or this machine. */
const HOST = /^(?:[a-z0-9-]+\.)+[a-z0-9-]+(?::\d+)?$|^\[/;

/** Schemes of what does not leave the machine, or names no host. */
const OWN_SCHEMES = new Set(['file', 'skill', 'data', 'urn', 'about', 'chrome', 'vscode', 'app']);

/** Links to hosts that no text of the old side names; undefined where the contents of a side are not known. */
export function findNewLinks(before: SkillSide | undefined, after: SkillSide): NewLink[] | undefined {
  if (after.side.read === undefined || (before !== undefined && before.side.read === undefined)) return undefined;
  const known = new Set(before === undefined ? [] : listLinks(before).map(({ host }) => host));
  const links = new Map<string, NewLink>();
  for (const link of listLinks(after)) if (!known.has(link.host) && !links.has(link.host)) links.set(link.host, link);
  return [...links.values()].sort((a, b) => compareText(a.host, b.host));
}

/** The links of a skill, those of SKILL.md first. */
function listLinks({ skill, side }: SkillSide): NewLink[] {
  const folder = skill.uri.lastIndexOf('/') + 1;
  const uris = [skill.uri, ...skill.resources.map(({ uri }) => uri).filter((uri) => uri !== skill.uri)];
  return uris.flatMap((uri) => {
    const bytes = side.read?.(uri)?.bytes;
    if (bytes === undefined || !isUtf8(bytes)) return [];
    return findUrls(decodeText(bytes)).map((link) => ({ ...link, path: uri.slice(folder) }));
  });
}

/** The first URL of each host in a text. */
function findUrls(text: string): Omit<NewLink, 'path'>[] {
  const found = new Map<string, string>();
  for (const [, scheme = 'https', rest = ''] of text.matchAll(URL_TEXT)) {
    const url = OWN_SCHEMES.has(scheme.toLowerCase()) ? undefined : parseUrl(scheme, rest);
    if (url === undefined || !HOST.test(url.host) || found.has(url.host)) continue;
    found.set(url.host, `${scheme}://${url.host}${url.pathname === '/' ? '' : url.pathname}`);
  }
  return [...found].map(([host, url]) => ({ host, url }));
}

/** Of a scheme that URLs have no rules for, the host is read as that of the web. */
function parseUrl(scheme: string, rest: string): URL | undefined {
  const known = /^(?:https?|wss?|ftp)$/i.test(scheme) ? scheme : 'https';
  try {
    return new URL(`${known}://${rest.replace(/[.,;:!?*_~]+$/, '')}`);
  } catch {
    return undefined;
  }
}
