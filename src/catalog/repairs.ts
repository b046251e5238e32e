import type { Finding, TextEdit } from '../frontmatter/findings.ts';
import type { Judgement } from '../frontmatter/judge.ts';
import { writeName } from '../frontmatter/plain.ts';
import { SKILL_FILE } from './manifest.ts';
import { isName } from './names.ts';
import type { Problem } from './problems.ts';
import type { ScannedSkill } from './scan.ts';

/** Which side is right where a name and its folder differ. */
export type Side = 'name' | 'folder';

/** The safe repair of one problem: edits of the text of SKILL.md, or a rename. */
export interface Repair {
  readonly problem: Problem;
  /** What has to give way, where only the author can say so. */
  readonly side?: Side;
  readonly edits?: readonly TextEdit[];
  /** Relative to the root. */
  readonly rename?: { readonly from: string; readonly to: string };
}

type Place = Pick<ScannedSkill, 'path' | 'name' | 'skillFile' | 'problems'>;

/** The repairs of one skill. `found` are the findings of its SKILL.md, as they are reported. */
export function toRepairs(skill: Place, judgement: Judgement | undefined, found: readonly Finding[]): Repair[] {
  const repairs: Repair[] = [];
  for (const { problem, edits } of found) {
    if (problem.code === 'name-mismatch' || problem.code === 'name-invalid') {
      const edit = toNameEdit(skill.name, judgement);
      if (edit !== undefined) repairs.push({ problem, side: 'name', edits: [edit] });
    }
    if (problem.code === 'name-mismatch') repairs.push(...toFolderRename(skill, judgement, problem));
    else if (edits !== undefined) repairs.push({ problem, edits });
  }
  for (const problem of skill.problems) {
    if (problem.code === 'skill-file-case') {
      repairs.push({ problem, rename: { from: problem.path, to: `${skill.path}/${SKILL_FILE}` } });
    }
    if (problem.code === 'folder-name') repairs.push(...toFolderRename(skill, judgement, problem));
  }
  return repairs;
}

/** The name's value replaced by the folder's name, in the quotes it had; undefined where it is no scalar on one line. */
function toNameEdit(name: string, judgement: Judgement | undefined): TextEdit | undefined {
  const place = judgement?.places.get('name');
  if (!isName(name) || place === undefined || judgement?.text === undefined) return undefined;
  const { text } = judgement;
  const raw = text.slice(place.start, place.end);
  // where nothing is written, the place is the key's
  if (!text.slice(text.lastIndexOf('\n', place.start - 1) + 1, place.start).includes(':')) return undefined;
  if (!/^(?:"[^"]*"|'[^']*'|[^"'[\]{}|>&*!%@`#\n][^\n]*)$/.test(raw)) return undefined;
  const quote = raw[0] === '"' || raw[0] === "'" ? raw[0] : '';
  return { start: place.start, end: place.end, text: quote === '' ? writeName(name) : quote + name + quote };
}

function toFolderRename(skill: Place, judgement: Judgement | undefined, problem: Problem): Repair[] {
  const name = judgement?.frontmatter?.['name'];
  // a root is not renamed: everything else is relative to it
  if (skill.path === '.' || typeof name !== 'string' || !isName(name) || name === skill.name) return [];
  const to = skill.path.slice(0, skill.path.length - skill.name.length) + name;
  return [{ problem, side: 'folder', rename: { from: skill.path, to } }];
}
