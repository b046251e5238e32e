import { lstatSync, readdirSync } from 'node:fs';
import { SKILL_FILE } from './manifest.ts';
import { isBuildFolder } from './names.ts';
import { compareText } from './problems.ts';
import { joinPath, type WalkedFolder } from './walk.ts';

/** How many entries of a hidden folder are looked at. */
const ENTRIES_SEEN = 1000;

/** Hidden folders that hold skills: those of agents (`.agents/skills`), and those that a collection keeps out of sight (`.curated`). */
export function findHiddenSkills(folder: string, root: WalkedFolder): { path: string; skills: number }[] {
  const found: { path: string; skills: number }[] = [];
  const visit = (walked: WalkedFolder) => {
    for (const name of walked.hidden.filter((each) => each.endsWith('/') && each !== '.git/')) {
      const hidden = joinPath(walked, name.slice(0, -1));
      for (const path of [hidden, `${hidden}/skills`]) {
        const skills = countSkills(`${folder}/${path}`);
        if (skills > 0) found.push({ path, skills });
      }
    }
    for (const child of walked.folders) if (!isBuildFolder(child.name)) visit(child);
  };
  visit(root);
  return found.sort((a, b) => b.skills - a.skills || compareText(a.path, b.path));
}

/** How many folders directly in a folder have a SKILL.md; no link is followed. */
function countSkills(folder: string): number {
  try {
    if (!lstatSync(folder).isDirectory()) return 0;
    const entries = readdirSync(folder, { withFileTypes: true }).slice(0, ENTRIES_SEEN);
    return entries.filter(
      (entry) =>
        entry.isDirectory() &&
        lstatSync(`${folder}/${entry.name}/${SKILL_FILE}`, { throwIfNoEntry: false })?.isFile() === true,
    ).length;
  } catch {
    return 0;
  }
}
