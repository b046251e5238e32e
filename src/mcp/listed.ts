import { peekFile, type Skill, type SkillCatalog } from '../catalog/catalog.ts';
import { SKILL_FILE } from '../catalog/manifest.ts';
import { countOf } from '../text/count.ts';

/** The URI of a skill's folder, a slash at its end. */
export function toFolder(skill: Skill): string {
  return skill.uri.slice(0, -SKILL_FILE.length);
}

/** The path of a file relative to its skill. */
export function toFilePath(skill: Skill, uri: string): string {
  return uri.slice(toFolder(skill).length);
}

/**
 * The files below a folder of a skill, one a line; where they are too many, the folder's own files and folders, as far as they fit.
 *
 * @param folder - relative to the skill, with a slash at its end; empty for the skill itself
 * @param bytes - the most of the result
 */
export function listFolder(catalog: SkillCatalog, skill: Skill, folder: string, bytes: number): string {
  const files = skill.resources
    .map(({ uri, size }) => ({ uri, size, path: toFilePath(skill, uri) }))
    .filter(({ path }) => path.startsWith(folder));
  const toLine = ({ uri, size, path }: (typeof files)[number]) =>
    `- ${path} (${peekFile(catalog, uri)?.mimeType ?? ''}, ${countOf(size, 'byte')})`;
  const all = files.map(toLine).join('\n');
  if (all.length <= bytes) return all;

  const counts = new Map<string, number>();
  const lines: { line: string; count: number }[] = [];
  for (const file of files) {
    const inner = file.path.slice(folder.length);
    if (!inner.includes('/')) lines.push({ line: toLine(file), count: 1 });
    else {
      const child = folder + inner.slice(0, inner.indexOf('/') + 1);
      counts.set(child, (counts.get(child) ?? 0) + 1);
    }
  }
  lines.unshift(...[...counts].map(([child, count]) => ({ line: `- ${child} (${countOf(count, 'file')})`, count })));

  const shown: string[] = [];
  let left = bytes;
  let rest = files.length;
  for (const { line, count } of lines) {
    left -= line.length + 1;
    if (left < 0) break;
    shown.push(line);
    rest -= count;
  }
  return [...shown, ...(rest === 0 ? [] : [`and ${countOf(rest, 'file')} more`])].join('\n');
}
