import { isUtf8 } from 'node:buffer';
import { decodeText, toSkillPath } from '../catalog/catalog.ts';
import { type DiffOptions, type DiffSide, formatDiff } from '../report/patch.ts';
import type { Comparable } from './comparable.ts';
import type { FileChange, SkillChange } from './compare.ts';

/** The two sides of a difference, which have the contents. */
export interface Sides {
  readonly before: Comparable;
  readonly after: Comparable;
}

/** Bytes of a file that is compared line by line. */
const MAX_TEXT = 1024 * 1024;

/** The differences of all files of a skill, one after another; the paths are those of its URI. */
export function formatPatches(change: SkillChange, sides: Sides, options: DiffOptions = {}): string {
  return change.files.map((file) => formatPatch(change, file, sides, options)).join('');
}

/** The difference of a file as a unified diff; of one that is not text, or too long, that there is one. */
export function formatPatch(
  { uri, oldUri = uri }: SkillChange,
  file: FileChange,
  { before, after }: Sides,
  options: DiffOptions = {},
): string {
  const old = file.before && readSide(before, oldUri, file.path);
  const now = file.after && readSide(after, uri, file.path);
  if (isText(old) && isText(now)) return formatDiff(old, now, options);
  const [from, to] = [old && `a/${old.path}`, now && `b/${now.path}`].map((path) => path ?? '/dev/null');
  return `Binary files ${from} and ${to} differ\n`;
}

type PatchSide = DiffSide | { readonly path: string };

function isText(side: PatchSide | undefined): side is DiffSide | undefined {
  return side === undefined || 'text' in side;
}

function readSide(side: Comparable, skill: string, path: string): PatchSide {
  const bytes = side.read?.(`${skill.slice(0, skill.lastIndexOf('/') + 1)}${path}`)?.bytes;
  const shown = `${toSkillPath(skill)}/${path}`;
  if (bytes === undefined || bytes.length > MAX_TEXT || !isUtf8(bytes)) return { path: shown };
  return { path: shown, text: decodeText(bytes) };
}

/** How many lines a unified diff adds and removes. */
export function countLines(patch: string): { added: number; removed: number } {
  const hunks = patch
    .split(/^@@ .*$/m)
    .slice(1)
    .join('');
  return { added: hunks.match(/^\+/gm)?.length ?? 0, removed: hunks.match(/^-/gm)?.length ?? 0 };
}
