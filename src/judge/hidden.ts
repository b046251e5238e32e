import { SKILL_FILE } from '../catalog/manifest.ts';
import type { SkillTree } from '../disk/skilltree.ts';
import { joinPath, type WalkedFolder } from '../disk/walk.ts';
import { compareText } from '../problems.ts';
import { isBuildFolder } from '../text/names.ts';
import { toTypedPath } from '../text/typed.ts';

/** How many entries of a hidden folder are looked at. */
const ENTRIES_SEEN = 1000;

/** A hidden folder that contains skills. */
export interface HiddenSkills {
  /** Relative to the root. */
  readonly path: string;
  /** How many. */
  readonly skills: number;
}

/** Hidden folders that contain skills, those with most first: those of agents (`.agents/skills`), and those that a collection keeps out of sight (`.curated`). */
export function findHiddenSkills(tree: SkillTree, root: WalkedFolder): HiddenSkills[] {
  const found: HiddenSkills[] = [];
  const visit = (walked: WalkedFolder) => {
    for (const name of walked.hidden.filter((each) => each.endsWith('/') && each !== '.git/')) {
      const hidden = joinPath(walked, name.slice(0, -1));
      for (const path of [hidden, `${hidden}/skills`]) {
        const skills = countSkills(tree, path);
        if (skills > 0) found.push({ path, skills });
      }
    }
    for (const child of walked.folders) if (!isBuildFolder(child.name)) visit(child);
  };
  visit(root);
  return found.sort((a, b) => b.skills - a.skills || compareText(a.path, b.path));
}

/** How many folders directly in a folder have a SKILL.md; no link is followed. */
function countSkills(tree: SkillTree, folder: string): number {
  if (tree.kindOf(folder) !== 'folder') return 0;
  try {
    const entries = [...tree.list(folder).entries].slice(0, ENTRIES_SEEN);
    return entries.filter(
      ({ name, kind }) => kind === 'folder' && tree.kindOf(`${folder}/${name}/${SKILL_FILE}`) === 'file',
    ).length;
  } catch {
    return 0;
  }
}

/** The folders as somebody types them who typed the root as `label`. */
export function toPlaces(
  hidden: readonly HiddenSkills[],
  label: string,
): { readonly place: string; readonly skills: number }[] {
  return hidden.map(({ path, skills }) => ({ place: toTypedPath(label, path), skills }));
}
