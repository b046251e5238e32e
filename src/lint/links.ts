import { SKILL_FILE } from '../catalog/manifest.ts';
import type { SkillTree } from '../disk/skilltree.ts';
import type { PlacedSkill } from '../judge/placement.ts';
import type { Problem, ProblemInit } from '../problems.ts';
import { collectProblems } from './collect.ts';
import { type Contents, lookBelow } from './contents.ts';
import { type Page, toOuter } from './prose.ts';

/** What a link leads to, for one who follows it from the file that it is in. */
type Target =
  | { readonly kind: 'file' }
  | { readonly kind: 'elsewhere' }
  | { readonly kind: 'placeholder' }
  /** `around`: a file of the skill, by a way through the folder above it. `path` is relative to the skill. */
  | { readonly kind: 'around'; readonly path: string }
  | { readonly kind: 'lost'; readonly path: string }
  /** `path` is relative to the root; undefined where it is not below it. */
  | { readonly kind: 'outside'; readonly path: string | undefined };

type Note = Pick<ProblemInit, 'message' | 'hint'>;

/** Bare words that are files and folders of skills and repositories; another is more often a placeholder than a file. */
const FILE_WORD =
  /^(?:licen[cs]e|notice|readme|changelog|contributing|copying|authors|makefile|dockerfile|scripts|references|assets)$/i;

/** Files that a skill copies or shows: their links lead from where they are put. */
const SAMPLE = /(?:^|\/)(?:assets|templates?|examples?|samples?|fixtures|expected[-_]outputs?|evals?|tests?)\//i;

/** No hidden folder, and no character that a URI would have to escape. */
const PUBLISHABLE = /^(?:(?!\.)[A-Za-z0-9._~-]+\/)*(?!\.)[A-Za-z0-9._~-]+$/;

/** Characters of a link that a message repeats. */
const SHOWN = 200;

/**
 * Reports links that lead to no file of the skill, each target of a page once. A link in another file than SKILL.md is well if it
 * leads to a file from the skill's folder, where hosts look, or from its own, where viewers do.
 *
 * @param tree - of the root
 */
export function lintLinks(tree: SkillTree, skill: PlacedSkill, contents: Contents, page: Page): Problem[] {
  if (SAMPLE.test(page.path)) return [];
  // a target is looked for on the disk, and a text of megabytes may repeat it a million times
  const targets = new Set<string>();
  const seen = new Set<string>();
  const problems = collectProblems();
  for (const { target, start, end } of page.markdown.links) {
    if (targets.has(target)) continue;
    targets.add(target);
    const found = resolve(target);
    if (found.kind === 'file' || found.kind === 'elsewhere' || found.kind === 'placeholder') continue;
    const key = found.kind === 'outside' ? ` ${target}` : found.path;
    if (seen.has(key)) continue;
    seen.add(key);
    problems.add(() => page.report({ start, end }, { code: 'broken-link', ...describe(target, found) }));
  }
  return problems.toList();

  function resolve(target: string): Target {
    const own = readTarget(target, skill, page.path.split('/').slice(0, -1), contents);
    if (own.kind === 'lost' && isWord(own.path) && lookBelow(tree, toOuter(skill, own.path)) === undefined) {
      return { kind: 'placeholder' };
    }
    if (page.isSkillFile || !('path' in own)) return own;
    const fromSkill = readTarget(target, skill, [], contents);
    // written as if it were in SKILL.md
    const isMeant = fromSkill.kind === 'file' || (fromSkill.kind === 'outside' && isAnotherSkill(tree, fromSkill.path));
    return isMeant ? fromSkill : own;
  }

  function describe(target: string, found: Extract<Target, { path: unknown }>): Note {
    const link = `the link "${target.length > SHOWN ? `${target.slice(0, SHOWN)}...` : target}"`;
    if (found.kind === 'outside') return describeOutside(tree, link, found.path);
    if (found.kind === 'lost') return describeLost(link, found.path);
    return {
      message: `${link} leaves the skill and comes back, and hosts look for a file from the skill's own folder`,
      hint: `write ${toWritten(found.path)}`,
    };
  }

  function describeLost(link: string, path: string): Note {
    const spelling = contents.findSpelling(path);
    if (spelling !== undefined) {
      return {
        message: `${link} differs in case from the file "${spelling}"`,
        hint: `write ${toWritten(spelling)}`,
      };
    }
    const slashed = path.replaceAll('\\', '/');
    if (slashed !== path && contents.has(slashed)) {
      return { message: `${link} has backslashes, which are no separators`, hint: `write ${toWritten(slashed)}` };
    }
    return describeUnpublished(link, path) ?? describeMissing(link, path);
  }

  /** What is on the disk and is not published. */
  function describeUnpublished(link: string, path: string): Note | undefined {
    const seen = lookBelow(tree, toOuter(skill, path));
    if (seen === undefined) return undefined;
    const hidden = path.split('/').find((segment) => segment.startsWith('.'));
    if (hidden !== undefined) {
      return {
        message: `${link} leads to a hidden file, and names that begin with a dot are not published`,
        hint: `rename "${hidden}" without the dot`,
      };
    }
    if (seen.kind === 'link') {
      return {
        message: `${link} leads to a symbolic link, and links are not published`,
        hint: 'put a copy in its place',
      };
    }
    if (seen.kind === 'folder') {
      return {
        message: `${link} leads to a folder in which no file is published`,
        hint: 'add a file to it that is neither hidden nor excluded, or remove the link',
      };
    }
    return { message: `${link} leads to a file that is left out`, hint: 'do not exclude it, or remove the link' };
  }

  function describeMissing(link: string, path: string): Note {
    const alike = contents.findAlike(path);
    const message = `${link} does not lead to a file of the skill`;
    if (alike !== undefined) return { message, hint: `write ${toWritten(alike)}` };
    // what could not be published is not to be added
    const isPublishable = path.length <= SHOWN && PUBLISHABLE.test(path) && !/(?:^|\/)SKILL\.md$/i.test(path);
    return { message, hint: `${isPublishable ? `add ${toOuter(skill, path)}, or ` : ''}correct the link` };
  }

  /** A path of the skill as a link of the page has it. */
  function toWritten(path: string): string {
    const from = page.path.split('/').slice(0, -1);
    const to = path.split('/');
    let same = 0;
    while (same < from.length && same < to.length - 1 && from[same] === to[same]) same++;
    return [...from.slice(same).map(() => '..'), ...to.slice(same)].join('/');
  }
}

function describeOutside(tree: SkillTree, link: string, path: string | undefined): Note {
  if (isAnotherSkill(tree, path)) {
    return {
      message: `${link} leads to another skill, and hosts read only the files of this one`,
      hint: `name it instead of linking to it: the skill "${path?.split('/').at(-2)}"`,
    };
  }
  return {
    message: `${link} leads out of the skill, and hosts read only its own files`,
    hint: 'put a copy into the skill, or remove the link',
  };
}

/** Whether a path of the root leads to the SKILL.md of another skill. */
function isAnotherSkill(tree: SkillTree, path: string | undefined): boolean {
  return path?.endsWith(`/${SKILL_FILE}`) === true && lookBelow(tree, path)?.kind === 'file';
}

/** @param folder - of the file that the link is in, relative to the skill */
function readTarget(
  target: string,
  { path: home }: PlacedSkill,
  folder: readonly string[],
  contents: Contents,
): Target {
  const written = target.replace(/[?#].*$/s, '');
  if (written === '' || /^(?:[A-Za-z][A-Za-z0-9+.-]*:|\/)/.test(written)) return { kind: 'elsewhere' };
  if (/[{}$*<>|]|\.\.\.|^\[/.test(written)) return { kind: 'placeholder' };
  const own = home === '' || home === '.' ? [] : home.split('/');
  const segments = [...own, ...folder];
  let isAround = false;
  for (const segment of decode(written).split('/')) {
    if (segment === '..' && segments.pop() === undefined) return { kind: 'outside', path: undefined };
    if (segment !== '' && segment !== '.' && segment !== '..') segments.push(segment);
    if (segments.length < own.length) isAround = true;
  }
  if (!own.every((segment, at) => segments[at] === segment)) return { kind: 'outside', path: segments.join('/') };
  const path = segments.slice(own.length).join('/');
  if (path !== '' && !contents.has(path)) return { kind: 'lost', path };
  return isAround ? { kind: 'around', path: path === '' ? SKILL_FILE : path } : { kind: 'file' };
}

function isWord(path: string): boolean {
  return !/[./]/.test(path) && !FILE_WORD.test(path);
}

/** Markdown's backslashes and a URI's percent signs undone. */
function decode(written: string): string {
  const plain = written.replace(/\\([!-/:-@[-`{-~])/g, '$1');
  try {
    return decodeURIComponent(plain);
  } catch {
    return plain;
  }
}
