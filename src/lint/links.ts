import { SKILL_FILE } from '../catalog/manifest.ts';
import type { SkillTree } from '../disk/skilltree.ts';
import type { PlacedSkill } from '../judge/placement.ts';
import { type Said, say } from '../messages/say.ts';
import type { Problem } from '../problems.ts';
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

/** Bare words that are files and folders of skills and repositories; another is more often a placeholder than a file. */
const FILE_WORD =
  /^(?:licen[cs]e|notice|readme|changelog|contributing|copying|authors|makefile|dockerfile|scripts|references|assets)$/i;

/** Files that a skill copies or shows: their links lead from where they are put. */
const SAMPLE = /(?:^|\/)(?:assets|templates?|examples?|samples?|fixtures|expected[-_]outputs?|evals?|tests?)\//i;

/** No hidden folder, and no character that a URI would have to escape. */
const PUBLISHABLE = /^(?:(?!\.)[A-Za-z0-9._~-]+\/)*(?!\.)[A-Za-z0-9._~-]+$/;

/** Characters of a path that a hint tells to add. */
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
    problems.add(() => page.report({ start, end }, describe(target, found)));
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

  function describe(target: string, found: Extract<Target, { path: unknown }>): Said {
    if (found.kind === 'outside') return describeOutside(tree, target, found.path);
    if (found.kind === 'lost') return describeLost(target, found.path);
    return say('broken-link/around', { target, repair: toWritten(found.path) });
  }

  function describeLost(target: string, path: string): Said {
    const spelling = contents.findSpelling(path);
    if (spelling !== undefined) return say('broken-link/case', { target, file: spelling, repair: toWritten(spelling) });
    const slashed = path.replaceAll('\\', '/');
    if (slashed !== path && contents.has(slashed)) {
      return say('broken-link/backslashes', { target, repair: toWritten(slashed) });
    }
    return describeUnpublished(target, path) ?? describeMissing(target, path);
  }

  /** What is on the disk and is not published. */
  function describeUnpublished(target: string, path: string): Said | undefined {
    const seen = lookBelow(tree, toOuter(skill, path));
    if (seen === undefined) return undefined;
    const hidden = path.split('/').find((segment) => segment.startsWith('.'));
    if (hidden !== undefined) return say('broken-link/hidden', { target, hidden });
    if (seen.kind === 'link') return say('broken-link/symlink', { target });
    return say(seen.kind === 'folder' ? 'broken-link/folder' : 'broken-link/excluded', { target });
  }

  function describeMissing(target: string, path: string): Said {
    const alike = contents.findAlike(path);
    if (alike !== undefined) return say('broken-link/missing', { target, repair: toWritten(alike) });
    // what could not be published is not to be added
    const isPublishable = path.length <= SHOWN && PUBLISHABLE.test(path) && !/(?:^|\/)SKILL\.md$/i.test(path);
    return say('broken-link/missing', { target, repair: isPublishable ? { add: toOuter(skill, path) } : {} });
  }

  /** A path of the skill as a link of the page has it. */
  function toWritten(path: string): { readonly path: string } {
    const from = page.path.split('/').slice(0, -1);
    const to = path.split('/');
    let same = 0;
    while (same < from.length && same < to.length - 1 && from[same] === to[same]) same++;
    return { path: [...from.slice(same).map(() => '..'), ...to.slice(same)].join('/') };
  }
}

function describeOutside(tree: SkillTree, target: string, path: string | undefined): Said {
  if (!isAnotherSkill(tree, path)) return say('broken-link/outside', { target });
  return say('broken-link/skill', { target, name: path?.split('/').at(-2) ?? '' });
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
