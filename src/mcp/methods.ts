import {
  decodeText,
  type PinnedFile,
  peekFile,
  type Skill,
  type SkillCatalog,
  toSkillPath,
} from '../catalog/catalog.ts';
import { toBase64 } from '../text/base64.ts';
import { type Audience, isForModel } from './audience.ts';
import { countBytes, createPages, type Page, type PageLimits } from './pages.ts';

/** The identifier of the Skills extension (SEP-2640). */
export const EXTENSION = 'io.modelcontextprotocol/skills';

/** The one resource template: every file of every skill. */
export const TEMPLATE = 'skill://{+path}';

/** Bytes of entries on one page, at the most: with what stands around them, an answer stays below 1 MiB. */
export const PAGE_BYTES = 1024 * 1024 - 4096;

/** What every answer needs to know of the request beside its parameters. */
export interface Caller {
  /** Whether the request is of revision 2026-07-28 or later. */
  readonly isModern: boolean;
  /** Whether the client declared the Skills extension itself. */
  readonly knowsSkills: boolean;
  /** The name that the client gives itself, where it is known. */
  readonly client: string | undefined;
}

/** Parameters as they came, not judged yet. */
export type Params = Readonly<Record<string, unknown>>;

/** A result as it goes out, without what the SDK adds. */
export type Result = Record<string, unknown>;

/** Answers one method, or throws {@link InvalidParams}. */
export type Answer = (params: Params, caller: Caller) => Result;

/** How the methods answer. */
export interface MethodOptions {
  /** `ttlMs` of answers on 2026-07-28, in milliseconds. */
  readonly ttlMs: number;
  readonly cacheScope: 'private' | 'public';
  /** Entries a page. */
  readonly pageSize: number;
  /** Whether SKILL.md files are listed as resources. */
  readonly resources: boolean;
  /** What stands in a result instead of the content of a file, which is put there later. Default: nothing does. */
  readonly toStandIn?: ToStandIn | undefined;
  /** The skill of a file that was served until a while ago, by the URI of its SKILL.md. Default: finds none. */
  readonly findWithdrawn?: ((uri: string) => string | undefined) | undefined;
}

/** Undefined for a file whose content is to stand in the result itself. */
export type ToStandIn = (file: PinnedFile) => string | undefined;

/** A request whose parameters name nothing that is served: JSON-RPC error -32602. */
export class InvalidParams extends Error {
  override readonly name = 'InvalidParams';
  readonly code = -32602;
  readonly data: unknown;

  constructor(message: string, data?: unknown) {
    super(message);
    this.data = data;
  }
}

/** A resource as it is listed (MCP, `Resource`). */
interface ListedResource {
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType: string;
  /** In bytes. */
  readonly size?: number;
  readonly annotations?: { readonly audience: readonly string[]; readonly priority: number };
}

/** The methods of the extension and the resource methods, answered from a catalog as values: no SDK, no connection. */
export interface Methods {
  /** `skills/list` */
  readonly listSkills: Answer;
  /** `skills/get` */
  readonly getSkill: Answer;
  /** `resources/read`, for URIs of the `skill` scheme */
  readonly readResource: Answer;
  /** `resources/directory/read` */
  readonly readDirectory: Answer;
  /** `resources/list`: the SKILL.md files */
  readonly listResources: Answer;
  /** Whether a cursor of `resources/list` names a resource that is listed here. */
  readonly namesResource: (cursor: string) => boolean;
  /** `resources/templates/list` */
  readonly listTemplates: Answer;
}

/** Makes the methods for a catalog. Cheap; what costs is made at the first request that needs it. */
export function createMethods(catalog: SkillCatalog, { listed }: Audience, options: MethodOptions): Methods {
  const limits: PageLimits = { entries: options.pageSize, bytes: PAGE_BYTES };
  const skills = createPages(listed, limits, { kind: 'skills/list', toKey: toUri, measure: measureSkill });
  const resources = createPages(options.resources ? listed : [], limits, {
    kind: 'resources/list',
    toKey: toUri,
    measure: (skill) => countBytes(toListedResource(catalog, skill)),
  });

  const { ttlMs, cacheScope } = options;
  const cacheable = (result: Result, { isModern }: Caller): Result =>
    isModern ? Object.assign(result, { ttlMs, cacheScope }) : result;

  return {
    listSkills(params, caller) {
      return cacheable(toListing('skills', takePage(skills.page(readCursor(params)), params)), caller);
    },
    getSkill(params, caller) {
      const uri = readUri(params);
      const skill = catalog.get(toKnownSpelling(uri));
      if (skill === undefined)
        throw new InvalidParams(`no skill is served at ${uri}${explainUri(catalog, uri)}`, { uri });
      return cacheable({ skill }, caller);
    },
    readResource(params, caller) {
      const uri = readUri(params);
      const file = peekFile(catalog, toKnownSpelling(uri));
      if (file === undefined) {
        const skill = options.findWithdrawn?.(toKnownSpelling(uri));
        if (skill !== undefined) throw toWithdrawn(catalog, uri, skill);
        throw new InvalidParams(`no file is served at ${uri}${explainUri(catalog, uri)}`, { uri });
      }
      return cacheable({ contents: [toContent(uri, file, options.toStandIn?.(file))] }, caller);
    },
    // the extension's page asks for no cache fields here; the official client refuses an answer without them
    readDirectory(params, caller) {
      const uri = readUri(params);
      const children = catalog.readDirectory(toKnownSpelling(uri));
      if (children === undefined) {
        const reason =
          peekFile(catalog, toKnownSpelling(uri)) === undefined ? 'is not served' : 'is a file, not a directory';
        const slash = uri.endsWith('/') ? '; a directory is written without a slash at its end' : '';
        throw new InvalidParams(`${uri} ${reason}${slash}`, { uri });
      }
      const pages = createPages(children, limits, {
        kind: `resources/directory/read ${toKnownSpelling(uri)}`,
        toKey: toUri,
      });
      return cacheable(toListing('resources', takePage(pages.page(readCursor(params)), params)), caller);
    },
    namesResource: (cursor) => resources.names(cursor),
    listResources(params, caller) {
      const { items, ...page } = takePage(resources.page(readCursor(params)), params);
      const shown = items.map((skill) => toListedResource(catalog, skill));
      return cacheable(toListing('resources', { ...page, items: shown }), caller);
    },
    listTemplates(params, caller) {
      if (readCursor(params) !== undefined) throw new InvalidParams(UNKNOWN_CURSOR);
      const template = {
        uriTemplate: TEMPLATE,
        name: 'skill-file',
        title: 'Skill file',
        description: 'A file of a published skill, by the path of the skill and the path of the file in it',
      };
      return cacheable({ resourceTemplates: [template] }, caller);
    },
  };
}

/** Whether a URI is of the scheme that skills are served under, in any case of its letters (RFC 3986, 3.1). */
export function isSkillUri(uri: unknown): uri is string {
  return typeof uri === 'string' && /^skill:\/\//i.test(uri);
}

/** A cursor names an item, whatever it is called where it comes from. */
function toUri({ uri }: { readonly uri: string }): string {
  return uri;
}

const UNKNOWN_CURSOR = 'unknown cursor: this listing has not given it, so list again from the start';

/** The cursor of a request for a listing. */
export function readCursor(params: Params): string | undefined {
  const { cursor } = params;
  if (cursor !== undefined && typeof cursor !== 'string') throw new InvalidParams('the cursor is not a string');
  return cursor;
}

/** A page, or the error for a cursor that is not one of the listing. */
export function takePage<T>(page: Page<T> | undefined, params: Params): Page<T> {
  if (page === undefined) throw new InvalidParams(UNKNOWN_CURSOR, { cursor: params['cursor'] });
  return page;
}

/** A page as a result: the items under their field, and a cursor only where there is a next page. */
export function toListing<T>(field: string, page: Page<T>): Result {
  return page.nextCursor === undefined ? { [field]: page.items } : { [field]: page.items, nextCursor: page.nextCursor };
}

function readUri(params: Params): string {
  const { uri } = params;
  if (typeof uri !== 'string') throw new InvalidParams('the parameter "uri" is missing or is not a string');
  return uri;
}

/** A scheme has no case (RFC 3986, 3.1); everything behind it is looked up as it was written. */
export function toKnownSpelling(uri: string): string {
  return isSkillUri(uri) ? `skill${uri.slice('skill'.length)}` : uri;
}

/** The error for a file that a client may have listed and that is gone: where the skill is still there, its entry says what is there now. */
function toWithdrawn(catalog: SkillCatalog, uri: string, skill: string): InvalidParams {
  const why =
    catalog.get(skill) === undefined
      ? `its skill ${skill} is no longer published`
      : `its skill changed; ask skills/get for ${skill}`;
  return new InvalidParams(`no resource is served at ${uri} any more: ${why}`, { uri, skill });
}

/** Why a URI that looks right finds nothing, where the catalog can tell. */
function explainUri(catalog: SkillCatalog, uri: string): string {
  const known = toKnownSpelling(uri);
  if (known.endsWith('/')) return '; it ends in a slash';
  if (known.includes('%')) return '; URIs are not percent-decoded, and none that is served needs it';
  if (catalog.readDirectory(known) !== undefined) return '; it is a directory: use resources/directory/read';
  return peekFile(catalog, known) === undefined ? '' : '; it is a file of a skill, not its SKILL.md';
}

const RESOURCE_BYTES = countBytes({ uri: '', digest: '', size: 0 });

/** Bytes of an entry as JSON, for a page: what a URI and a digest are made of needs no escape, so files are only counted. */
export function measureSkill({ uri, frontmatter, resources }: Skill): number {
  return resources.reduce(
    // the digit of the size that is counted twice makes room for the comma
    (bytes, file) => bytes + RESOURCE_BYTES + file.uri.length + file.digest.length + String(file.size).length,
    countBytes({ uri, frontmatter, resources: [] }) - 1,
  );
}

function toContent(uri: string, { mimeType, bytes, isText }: PinnedFile, standIn: string | undefined): Result {
  return isText
    ? { uri, mimeType, text: standIn ?? decodeText(bytes) }
    : { uri, mimeType, blob: standIn ?? toBase64(bytes) };
}

function toListedResource(catalog: SkillCatalog, skill: Skill): ListedResource {
  const { uri, frontmatter, resources } = skill;
  const size = resources.find((resource) => resource.uri === uri)?.size;
  return {
    uri,
    name: frontmatter.name,
    title: toSkillPath(uri),
    description: frontmatter.description,
    mimeType: peekFile(catalog, uri)?.mimeType ?? 'text/markdown',
    ...(size === undefined ? {} : { size }),
    annotations: { audience: [isForModel(skill) ? 'assistant' : 'user'], priority: 1 },
  };
}
