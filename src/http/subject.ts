import { peekFile, type SkillCatalog, toSkillPath } from '../catalog/catalog.ts';
import { SKILL_FILE } from '../catalog/manifest.ts';
import { isObject } from '../mcp/log.ts';

/** What a message asks for, as it was written. */
export interface Subject {
  method?: string;
  uri?: string;
  /** The name of a tool or a prompt. */
  name?: string;
  /** A skill, as people and models name one. */
  skill?: string;
  /** Paths of files in that skill. */
  files?: string[];
}

/** A published skill that a message is about. */
interface Known {
  /** Its path. */
  readonly skill: string;
  /** Of the files that are asked for, together, as far as they exist. */
  readonly bytes: number;
}

/** Finds what a message is about; undefined where it names no skill that is published. */
export type FindSubject = (subject: Subject) => Known | undefined;

/** Longer texts name nothing that is published. In UTF-16 units. */
const MAX_TEXT = 512;

/** More files than one call may name. */
const MAX_FILES = 8;

/** Methods whose `params` name a tool or a prompt, and have arguments. */
const NAMING: ReadonlySet<string> = new Set(['tools/call', 'prompts/get']);

/** Reads what a message asks for. Nothing of it is looked up, so it may be anything; texts and lists are cut. */
export function readSubject(message: unknown): Subject {
  if (!isObject(message)) return {};
  const params = isObject(message['params']) ? message['params'] : {};
  const method = readText(message['method']);
  const uri = readText(params['uri']);
  const subject: Subject = { ...(method !== undefined && { method }), ...(uri !== undefined && { uri }) };
  if (!NAMING.has(method ?? '')) return subject;
  const args = isObject(params['arguments']) ? params['arguments'] : {};
  const name = readText(params['name']);
  // the one prompt for all skills has the skill as an argument of another name
  const skill = readText(args[method === 'prompts/get' ? 'name' : 'skill']);
  const files = Array.isArray(args['paths']) ? args['paths'].map(readText).filter((path) => path !== undefined) : [];
  return {
    ...subject,
    ...(name !== undefined && { name }),
    ...(skill !== undefined && { skill }),
    ...(files.length > 0 && { files: files.slice(0, MAX_FILES) }),
  };
}

/** Makes the search for the skill that a message is about: by URI, by path, by a name that one skill alone has, or by its prompt. */
export function createFindSubject(catalog: SkillCatalog): FindSubject {
  const byName = new Map<string, string | undefined>();
  for (const { uri, frontmatter } of catalog.skills) {
    byName.set(frontmatter.name, byName.has(frontmatter.name) ? undefined : toSkillPath(uri));
  }
  const findPath = (path: string) => (catalog.get(`skill://${path}/${SKILL_FILE}`) === undefined ? undefined : path);
  const findOwner = (path: string) => {
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      const owner = findPath(path.slice(0, end));
      if (owner !== undefined) return owner;
    }
    return undefined;
  };
  const find = ({ method, uri, name, skill }: Subject) => {
    if (uri !== undefined) return /^skill:\/\//i.test(uri) ? findOwner(uri.slice('skill://'.length)) : undefined;
    const asked = skill
      ?.trim()
      .replace(/^skill:\/\//i, '')
      .replace(/\/(?:SKILL\.md)?$/, '');
    if (asked !== undefined) return findPath(asked) ?? byName.get(asked);
    return method === 'prompts/get' && name !== undefined ? findPath(name.replaceAll('_', '/')) : undefined;
  };
  const sizeOf = (uri: string) => peekFile(catalog, uri)?.bytes.length ?? 0;
  return (subject) => {
    const skill = find(subject);
    if (skill === undefined) return undefined;
    const uris =
      subject.uri === undefined
        ? (subject.files ?? [SKILL_FILE]).map((file) => `skill://${skill}/${file}`)
        : [subject.uri];
    return { skill, bytes: uris.reduce((sum, uri) => sum + sizeOf(uri), 0) };
  };
}

function readText(value: unknown): string | undefined {
  return typeof value === 'string' ? value.slice(0, MAX_TEXT) : undefined;
}
