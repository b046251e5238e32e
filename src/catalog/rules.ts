import { toExclude, toLinkProblem, toSpecialProblem } from './faults.ts';
import { SKILL_FILE } from './manifest.ts';
import { findForeignCharacter } from './names.ts';
import { type Problem, toProblem } from './problems.ts';

/** The paths below a skill's folder, relative to the root and sorted; `hidden` is relative to the skill. */
export interface SkillPaths {
  readonly files: readonly string[];
  readonly links: readonly string[];
  readonly specials: readonly string[];
  /** Folders end in `/`. */
  readonly hidden: readonly string[];
}

/** Folders that build tools and package managers fill. */
const BUILD_FOLDERS = new Set(['node_modules', '__pycache__', 'target', 'venv', 'bower_components', 'site-packages']);
const BUILD_FILE = /\.py[co]$/;

/** How many hidden names a warning spells out. */
const NAMES_SHOWN = 20;

/** Judges the paths of one skill by publishing rules 3 to 5. `skill` is its folder and `skillFile` its SKILL.md as spelled on disk. */
export function judgePaths(skill: string, skillFile: string, paths: SkillPaths): Problem[] {
  const nested = paths.files.filter((path) => path.endsWith(`/${SKILL_FILE}`) && path !== `${skill}/${SKILL_FILE}`);
  return [
    skillFile === SKILL_FILE ? [] : toSkillFileCase(skill, skillFile),
    nested.map((path) => toNestedSkill(skill, path)),
    paths.links.map(toLinkProblem),
    paths.specials.map(toSpecialProblem),
    findForeignPaths(skill, [...paths.files, ...paths.links, ...paths.specials]),
    findCollisions(skill, paths.files),
    findArtifacts(skill, paths.files),
    paths.hidden.length === 0 ? [] : toHiddenSkipped(skill, paths.hidden),
  ].flat();
}

function toSkillFileCase(skill: string, skillFile: string): Problem {
  return toProblem({
    code: 'skill-file-case',
    path: `${skill}/${skillFile}`,
    message: `the file is called "${skillFile}", and hosts look for "${SKILL_FILE}"`,
    hint: `rename it to ${SKILL_FILE}`,
  });
}

function toNestedSkill(skill: string, path: string): Problem {
  return toProblem({
    code: 'nested-skill',
    path,
    message: `a ${SKILL_FILE} below the skill "${skill}": skills do not nest`,
    hint: `move "${path.slice(0, -SKILL_FILE.length - 1)}" out of "${skill}", or rename the file`,
  });
}

/** One problem for each first segment with a foreign character, however many files lie below it. */
function findForeignPaths(skill: string, paths: readonly string[]): Problem[] {
  const bad = new Map<string, Problem>();
  for (const path of paths) {
    let end = skill.length;
    for (const segment of path.slice(skill.length + 1).split('/')) {
      end += segment.length + 1;
      const character = findForeignCharacter(segment);
      if (character === undefined) continue;
      const place = path.slice(0, end);
      if (!bad.has(place)) bad.set(place, toPathCharacters(place, segment, character));
      break;
    }
  }
  return [...bad.values()];
}

function toPathCharacters(path: string, segment: string, character: string): Problem {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  const fixed = segment
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^A-Za-z0-9._~-]+/g, '-')
    .replaceAll(/^[-.]+|-+$/g, '');
  const isNamed = fixed !== '' && fixed.includes('.') === segment.includes('.');
  const rename = isNamed ? `rename it to "${fixed}"` : 'rename it';
  return toProblem({
    code: 'path-characters',
    path,
    message: `the name "${segment}" has a character that a URI would have to escape: "${character}" (U+${code}); only A-Z a-z 0-9 . _ ~ - are published`,
    hint: `${rename}, or leave it out with ${toExclude(path)}`,
  });
}

/** Paths, folders included, that differ only in case: one of the two could not be kept on many disks. */
function findCollisions(skill: string, files: readonly string[]): Problem[] {
  const spellings = new Map<string, string>();
  const problems = new Map<string, Problem>();
  for (const file of files) {
    for (let end = file.indexOf('/', skill.length + 1); ; end = file.indexOf('/', end + 1)) {
      const path = end === -1 ? file : file.slice(0, end);
      const key = path.toLowerCase();
      const first = spellings.get(key);
      if (first === undefined) spellings.set(key, path);
      else if (first !== path && !problems.has(path)) {
        problems.set(
          path,
          toProblem({
            code: 'case-collision',
            path,
            message: `"${path.slice(skill.length + 1)}" and "${first.slice(skill.length + 1)}" differ only in case, and many disks cannot hold both`,
            hint: 'rename one of the two',
          }),
        );
      }
      if (end === -1) break;
      // what lies below a second spelling of a folder collides or not with what lies below the first
    }
  }
  return [...problems.values()];
}

function findArtifacts(skill: string, files: readonly string[]): Problem[] {
  const problems = new Map<string, Problem>();
  const warn = (place: string, what: string, pattern: string) => {
    if (problems.has(place)) return;
    problems.set(
      place,
      toProblem({
        code: 'build-artifact',
        path: place,
        message: `${what} looks like build output, and is published with the skill`,
        hint: `leave it out with --exclude '${pattern}'`,
      }),
    );
  };
  for (const file of files) {
    const segments = file.slice(skill.length + 1).split('/');
    const at = segments.slice(0, -1).findIndex((segment) => BUILD_FOLDERS.has(segment));
    if (at !== -1) {
      const name = segments[at] ?? '';
      warn(`${skill}/${segments.slice(0, at + 1).join('/')}`, `the folder "${name}"`, name);
    } else if (BUILD_FILE.test(file)) warn(file, `"${segments.at(-1)}"`, '*.pyc');
  }
  return [...problems.values()];
}

function toHiddenSkipped(skill: string, hidden: readonly string[]): Problem {
  const shown = hidden.slice(0, NAMES_SHOWN).join(', ');
  const more = hidden.length > NAMES_SHOWN ? ` and ${hidden.length - NAMES_SHOWN} more` : '';
  const what = hidden.length === 1 ? '1 hidden entry' : `${hidden.length} hidden entries`;
  return toProblem({
    code: 'hidden-skipped',
    path: skill,
    message: `skipped ${what}, because names that begin with a dot are not published: ${shown}${more}`,
    hint: 'rename what the skill needs',
  });
}
