import { SKILL_FILE } from '../catalog/manifest.ts';
import type { SkillPaths } from '../disk/scan.ts';
import { say } from '../messages/say.ts';
import { type Problem, toProblem } from '../problems.ts';
import { toExclude } from '../text/exclude.ts';
import { groupBy } from '../text/grouping.ts';
import { findBuildFolder, findForeignCharacter, isName, toBaseName } from '../text/names.ts';
import { nameCharacter } from '../text/quote.ts';
import { toLinkProblem, toSpecialProblem, toSubmoduleProblem } from './refusals.ts';

const BUILD_FILE = /\.py[co]$/;

/**
 * Judges the paths of one skill by publishing rules 3 to 5.
 *
 * @param skill - its folder
 * @param skillFile - its SKILL.md as spelled on disk
 * @param nested - what a SKILL.md below it is: a file like any other, or an error (the default)
 */
export function judgePaths(
  skill: string,
  skillFile: string,
  paths: SkillPaths,
  nested: 'refuse' | 'files' = 'refuse',
): Problem[] {
  const inner = paths.files.filter((path) => path.endsWith(`/${SKILL_FILE}`) && path !== `${skill}/${SKILL_FILE}`);
  const file = `${skill}/${skillFile}`;
  const built = groupByBuild(skill, paths.links);
  const links = built.get(undefined) ?? [];
  return [
    skillFile === SKILL_FILE ? [] : toSkillFileCase(skill, skillFile),
    nested === 'files' ? [] : inner.map((path) => toNestedSkill(skill, path)),
    toLinkProblems(skill, links, file),
    [...built].flatMap(([place, inner]) => (place === undefined ? [] : toBuildLinks(place, inner.length))),
    paths.specials.map((path) => toSpecialProblem(path, file)),
    paths.submodules.map(toSubmoduleProblem),
    findForeignPaths(skill, [...paths.files, ...links, ...paths.specials, ...paths.submodules]),
    findCollisions(skill, paths.files),
    findArtifacts(skill, paths.files),
  ].flat();
}

function toSkillFileCase(skill: string, skillFile: string): Problem {
  return toProblem({
    ...say('skill-file-case', { name: skillFile, right: SKILL_FILE }),
    path: `${skill}/${skillFile}`,
  });
}

function toNestedSkill(skill: string, path: string): Problem {
  const inner = path.slice(0, -SKILL_FILE.length - 1);
  return toProblem({ ...say('nested-skill/below', { skill, repair: { inner } }), path });
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
  const codePoint = nameCharacter(character);
  const fixed = segment
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^A-Za-z0-9._~-]+/g, '-')
    .replaceAll(/^[-.]+|-+$/g, '');
  const isNamed = fixed !== '' && fixed.includes('.') === segment.includes('.');
  const repair = { name: isNamed ? fixed : undefined, path };
  return toProblem({ ...say('path-characters', { name: segment, character, codePoint, repair }), path });
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
            ...say('case-collision', { first: first.slice(skill.length + 1), second: path.slice(skill.length + 1) }),
            path,
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
  const built = groupByBuild(skill, files);
  const loose = (built.get(undefined) ?? []).filter((file) => BUILD_FILE.test(file));
  return [...[...built.keys()].filter((place) => place !== undefined), ...loose].map((path) => {
    const name = toBaseName(path);
    const key = BUILD_FILE.test(name) ? 'build-artifact/file' : 'build-artifact/folder';
    return toProblem({ ...say(key, { name, repair: { option: toBuildExclude(path) } }), path });
  });
}

/** One problem for the links of a skill: some have dozens. A SKILL.md that is one is another matter. */
function toLinkProblems(skill: string, links: readonly string[], file: string): Problem[] {
  const others = links.filter((path) => path !== file);
  const own = links.filter((path) => path === file).map((path) => toLinkProblem(path, file));
  if (others.length < 2) return [...own, ...others.map((path) => toLinkProblem(path, file))];
  const inner = others.map((path) => path.slice(skill.length + 1));
  return [...own, toProblem({ ...say('symlink/several', { links: inner, repair: { skill } }), path: skill })];
}

/** The links that a package manager makes, by the hundred: one option leaves them out. */
function toBuildLinks(place: string, count: number): Problem {
  const repair = { option: toBuildExclude(place) };
  return toProblem({ ...say('symlink/built', { name: toBaseName(place), count, repair }), path: place });
}

/** The option that leaves build output out: at any depth, unless a skill could be called that. */
function toBuildExclude(path: string): string {
  const name = toBaseName(path);
  const [ending] = BUILD_FILE.exec(name) ?? [];
  if (ending !== undefined) return `--exclude '*${ending}'`;
  return isName(name) ? toExclude(path) : `--exclude '${name}'`;
}

/** Sorts paths of a skill by the folder of build output that they lie in; undefined for those that lie in none. */
function groupByBuild(skill: string, paths: readonly string[]): Map<string | undefined, string[]> {
  return groupBy(paths, (path) => {
    const inner = findBuildFolder(path.slice(skill.length + 1, path.lastIndexOf('/')));
    return inner === undefined ? undefined : `${skill}/${inner}`;
  });
}

/** Files with credentials; the examples of them that repositories hold have none. */
const ENVIRONMENT = /^\.env(?:rc|\.(?!example$|sample$|template$|dist$).+)?$/i;

/** What repositories, editors and systems keep beside anything: that a text speaks of one by name does not mean that it needs this one. */
const KEPT =
  /^\.(?:git|gitignore|gitkeep|gitattributes|keep|ds_store|editorconfig|npmignore|prettierignore|eslintignore|dockerignore)$/i;

/** Where a skill keeps what it copies into other folders. */
const COPIED = /^(?:assets|templates?)\//;

/**
 * Reports what is left out because its name begins with a dot, where somebody may miss it: files with credentials, and what SKILL.md
 * names.
 *
 * @param hidden - relative to the skill; folders end in `/`
 * @param text - of SKILL.md, where it could be read
 */
export function judgeHidden(
  { path, hidden }: { readonly path: string; readonly hidden: readonly string[] },
  text = '',
): Problem[] {
  if (hidden.length === 0) return [];
  const named = findNames(text);
  const told = hidden.filter((entry) => {
    const inner = entry.replace(/\/$/, '');
    const name = toBaseName(inner);
    if (ENVIRONMENT.test(name) || inner.endsWith('_rels/.rels')) return true;
    return KEPT.test(name) ? COPIED.test(inner) && named.has(inner) : named.has(inner) || named.has(name);
  });
  return told.length === 0 ? [] : [toHiddenSkipped(path, told)];
}

/** The hidden files and folders that a text names, each with the path before it and without. */
function findNames(text: string): Set<string> {
  const names = new Set<string>();
  for (const [word] of text.matchAll(/(?<![\w./-])[\w./-]{0,200}(?<![\w.-])\.[A-Za-z][\w.-]{0,100}[\w]/g)) {
    const path = word.replace(/^\.\//, '');
    for (let end = path.indexOf('/'); end !== -1; end = path.indexOf('/', end + 1)) names.add(path.slice(0, end));
    names.add(path);
    names.add(toBaseName(path));
  }
  return names;
}

function toHiddenSkipped(skill: string, hidden: readonly string[]): Problem {
  return toProblem({ ...say('hidden-skipped', { names: hidden }), path: skill });
}
