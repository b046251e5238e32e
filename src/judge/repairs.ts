import { SKILL_FILE } from '../catalog/manifest.ts';
import { isSkillFileName } from '../disk/walk.ts';
import type { FolderRepair } from '../messages/pathed.ts';
import type { Problem } from '../problems.ts';
import { isBuildFolder, isName, toBaseName, toFreeName, toName } from '../text/names.ts';
import { findLineStart } from '../text/position.ts';
import type { Finding, TextEdit } from '../yaml/findings.ts';
import { writeName } from '../yaml/plain.ts';
import type { Judgement } from './document.ts';

/**
 * What a repair is made for alone, since only the author can ask for it: `name` and `folder` say which of the two gives way where they
 * differ, `metadata` turns nested values of the metadata into JSON strings.
 */
export type Side = 'name' | 'folder' | 'metadata';

/** The safe repair of one problem: edits of the text of SKILL.md, or a rename. */
export interface Repair {
  readonly problem: Problem;
  /** Absent where every repair makes it. */
  readonly side?: Side;
  readonly edits?: readonly TextEdit[];
  /** Relative to the root. */
  readonly rename?: { readonly from: string; readonly to: string };
}

/** What of a skill a repair of it depends on. */
interface Place {
  /** The folder, relative to the root. */
  readonly path: string;
  readonly name: string;
  readonly skillFile: string;
  readonly problems: readonly Problem[];
}

/** The name that a skill is to have, by what gives way; undefined where nothing of what is written can stay. */
export interface RightNames {
  readonly name: string | undefined;
  readonly folder: string | undefined;
}

/**
 * The one name that a folder and the name in its SKILL.md are to share. Hints and repairs take it from here, so that they agree.
 *
 * @param name - as it is written; undefined where there is none to read
 */
export function findRightNames(folder: string, name: string | undefined): RightNames {
  const isFolderGood = isName(folder);
  const isNameGood = name !== undefined && isName(name);
  if (isFolderGood && isNameGood) return { name: folder, folder: name };
  if (isFolderGood) return { name: folder, folder };
  if (isNameGood) return { name, folder: name };
  const [byFolder, byName] = [toName(folder), name === undefined ? undefined : toName(name)];
  return { name: byFolder ?? byName, folder: byName ?? byFolder };
}

/** Whether something beside a folder has a name. */
export type IsTaken = (name: string) => boolean;

/**
 * What a folder whose name can be no skill's is renamed to.
 *
 * @param name - the one in its SKILL.md
 * @param isTaken - whether a hint to rename to a name could not be followed; default: none is taken
 */
export function chooseFolderName(right: RightNames, name: string | undefined, isTaken?: IsTaken): FolderRepair {
  if (right.name === undefined) return { way: 'none' };
  const free = toFreeName(right.name, isTaken);
  if (free !== right.name) return { way: 'free', free, written: writeName(free), right: right.name };
  if (right.name === name) return { way: 'rename', name };
  const isOther = right.folder !== undefined && right.folder !== right.name && isTaken?.(right.folder) !== true;
  const other = isOther ? right.folder : undefined;
  return { way: 'both', name: right.name, written: writeName(right.name), other };
}

/** The repairs of one skill. `found` are the findings of its SKILL.md, as they are reported. */
export function toRepairs(skill: Place, judgement: Judgement | undefined, found: readonly Finding[]): Repair[] {
  const right = findRightNames(skill.name, judgement?.name);
  const repairs: Repair[] = [];
  for (const { problem, edits, side } of found) {
    if (edits !== undefined) repairs.push({ problem, edits, ...(side === undefined ? {} : { side }) });
    else if (isOfName(problem)) repairs.push(...toNameRepairs(skill, problem, right, judgement));
  }
  for (const problem of skill.problems) {
    if (problem.code === 'skill-file-case') {
      repairs.push({ problem, rename: { from: problem.path, to: `${skill.path}/${SKILL_FILE}` } });
    }
    if (problem.code === 'folder-name') {
      for (const side of ['name', 'folder'] as const)
        repairs.push(...toFolderRename(skill, right[side], side, problem));
    }
  }
  return repairs;
}

/** The renames of groups whose names no group may have: there is nothing that could give way instead. */
export function toGroupRepairs(problems: readonly Problem[]): Repair[] {
  return problems.flatMap((problem) => {
    const { code, path, skill } = problem;
    const name = toBaseName(path);
    if (code !== 'folder-name' || skill !== undefined || isBuildFolder(name) || isSkillFileName(name)) return [];
    const good = toName(name);
    if (good === undefined) return [];
    const rename = { from: path, to: path.slice(0, path.length - name.length) + good };
    return (['name', 'folder'] as const).map((side) => ({ problem, side, rename }));
  });
}

function isOfName({ code }: Problem): boolean {
  return code === 'name-missing' || code === 'name-invalid' || code === 'name-mismatch';
}

function toNameRepairs(
  skill: Place,
  problem: Problem,
  right: RightNames,
  judgement: Judgement | undefined,
): readonly Repair[] {
  if (problem.code === 'name-mismatch') {
    const edits = toNameEdits(right.name, judgement);
    return [
      ...(edits === undefined ? [] : [{ problem, side: 'name', edits } as const]),
      ...toFolderRename(skill, right.folder, 'folder', problem),
    ];
  }
  // one name that both sides lead to is what the hint says
  const sides = right.name === right.folder ? [undefined] : (['name', 'folder'] as const);
  return sides.flatMap((side) => {
    const edits = toNameEdits(right[side ?? 'name'], judgement);
    return edits === undefined ? [] : [{ problem, edits, ...(side === undefined ? {} : { side }) }];
  });
}

/** The name written into its field, in the quotes it had, or in a new first field; undefined where it is not on one line. */
function toNameEdits(name: string | undefined, judgement: Judgement | undefined): readonly TextEdit[] | undefined {
  if (name === undefined || judgement?.text === undefined || judgement.start === undefined) return undefined;
  const { text, start } = judgement;
  const place = judgement.places.get('name');
  if (place === undefined) {
    const feed = text[start - 2] === '\r' ? '\r\n' : '\n';
    return [{ start, end: start, text: `name: ${writeName(name)}${feed}` }];
  }
  const raw = text.slice(place.start, place.end);
  const lead = text.slice(findLineStart(text, place.start), place.start);
  if (!lead.includes(':')) {
    // where nothing is written, the place is the key's
    const colon = /^[ \t]*:(?=[ \t]*(?:#|\r?$))/m.exec(text.slice(place.end))?.[0];
    if (colon === undefined || !text.startsWith(colon, place.end)) return undefined;
    const at = place.end + colon.length;
    return [{ start: at, end: at, text: ` ${writeName(name)}` }];
  }
  if (raw.includes('\n')) return undefined;
  const quote = /^(["']).*\1$/.exec(raw)?.[1] ?? '';
  return [{ start: place.start, end: place.end, text: quote === '' ? writeName(name) : quote + name + quote }];
}

function toFolderRename(skill: Place, name: string | undefined, side: Side, problem: Problem): readonly Repair[] {
  // a root is not renamed: everything else is relative to it
  if (skill.path === '.' || name === undefined || name === skill.name) return [];
  const to = skill.path.slice(0, skill.path.length - skill.name.length) + name;
  return [{ problem, side, rename: { from: skill.path, to } }];
}
