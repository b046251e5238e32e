import { SKILL_FILE } from '../catalog/manifest.ts';
import type { ListedEntry } from '../disk/source.ts';

/** Where skills are by habit, in what is more than skills. */
const HABIT = 'skills';

/** The entries below a folder, with paths relative to it. */
export function narrowEntries(entries: readonly ListedEntry[], folder: string): ListedEntry[] {
  if (folder === '') return [...entries];
  const prefix = `${folder}/`;
  return entries
    .filter(({ path }) => path.startsWith(prefix))
    .map((entry) => ({ ...entry, path: entry.path.slice(prefix.length) }));
}

/** The folder that skills are in: the top, or `skills` where the top has no skill and that has one. */
export function findSkillsFolder(entries: readonly ListedEntry[]): string {
  let hasSkills = false;
  for (const { path } of entries) {
    if (!path.endsWith(SKILL_FILE)) continue;
    const depth = path.split('/').length;
    if (path === SKILL_FILE || (depth === 2 && path.endsWith(`/${SKILL_FILE}`))) return '';
    if (path.startsWith(`${HABIT}/`) && path.endsWith(`/${SKILL_FILE}`)) hasSkills = true;
  }
  return hasSkills ? HABIT : '';
}

/** The single folder at the top that holds everything else, as GitHub and npm make it; `''` where there is none. */
export function findTopFolder(entries: readonly ListedEntry[]): string {
  const tops = new Set(entries.map(({ path }) => (path.includes('/') ? path.slice(0, path.indexOf('/')) : '')));
  const [top = ''] = tops;
  return tops.size === 1 ? top : '';
}
