import { type SkillCatalog, toEntryDigest } from '../catalog/catalog.ts';
import { sha256 } from '../judge/skill.ts';
import { toBase64 } from '../text/base64.ts';
import { countOf } from '../text/count.ts';
import { disarmLine, escapeText, toJson } from '../text/escape.ts';
import { requireRoots } from './here.ts';
import { listSources, type ServedSource } from './opening.ts';
import { type PublishOptions, publishRoots } from './publish.ts';
import { EXIT, type Terminal } from './terminal.ts';

/** The options of `list`. */
export interface ListOptions extends PublishOptions {
  readonly json?: boolean;
  readonly bytes?: boolean;
}

/** Prints what would be published: for people, or the wire entries as JSON, with the bytes if asked. */
export async function runList(roots: readonly string[], options: ListOptions, terminal: Terminal): Promise<number> {
  const loaded = await publishRoots(requireRoots(roots, terminal), options, terminal);
  if ('status' in loaded) return loaded.status;
  const { catalog, judged } = loaded;
  const sources = listSources(judged.reports);
  const isJson = options.json === true || options.bytes === true;
  terminal.output.write(isJson ? formatCatalog(catalog, sources, options.bytes === true) : toText(catalog, sources));
  return EXIT.well;
}

function formatCatalog(catalog: SkillCatalog, sources: readonly ServedSource[], withBytes: boolean): string {
  const { digest, skills } = catalog;
  const origin = sources.length === 0 ? {} : { sources };
  if (!withBytes) return toJson({ digest, ...origin, skills });
  const files: Record<string, string> = {};
  for (const { resources } of skills) {
    for (const { uri } of resources) files[uri] = toBase64(catalog.read(uri)?.bytes ?? new Uint8Array());
  }
  const entryDigests = Object.fromEntries(skills.map((skill) => [skill.uri, toEntryDigest(skill, sha256)]));
  return toJson({ digest, ...origin, skills, entryDigests, files });
}

function toText({ skills, digest }: SkillCatalog, sources: readonly ServedSource[]): string {
  const lines = skills.flatMap(({ uri, frontmatter, resources }) => {
    const bytes = resources.reduce((sum, { size }) => sum + size, 0);
    const count = countOf(resources.length, 'file');
    return [`${uri}  (${count}, ${bytes} bytes)`, disarmLine(`    ${escapeText(frontmatter.description)}`)];
  });
  const count = countOf(skills.length, 'skill');
  const origin = sources.map(({ root, revision }) => disarmLine(escapeText(`from ${root} (${revision})`)));
  return `${[...lines, ...origin, `${count}, ${digest}`].join('\n')}\n`;
}
