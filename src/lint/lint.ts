import { SKILL_FILE } from '../catalog/manifest.ts';
import type { SkillTree, TreeEntry } from '../disk/skilltree.ts';
import type { PlacedSkill } from '../judge/placement.ts';
import type { Lint } from '../judge/skill.ts';
import { say } from '../messages/say.ts';
import { compareText, type Problem, toProblem } from '../problems.ts';
import { lintComments } from './comments.ts';
import { listContents } from './contents.ts';
import { lintLinks } from './links.ts';
import { lintPaths } from './missing.ts';
import { type Page, readPage } from './prose.ts';
import { lintSecrets } from './secrets.ts';
import { lintVariables } from './variables.ts';
import { lintNames } from './windows.ts';

/** The size of a SKILL.md in bytes from which on hosts cut it, or hand it to the model in parts. */
const MAX_BYTES = 20 * 1024;

/** What `check` looks for beside errors, in the skills of one root. Nothing found does not mean that a skill is safe. */
export function toLint(tree: SkillTree): Lint {
  const findOwner = toOwnerFinder(tree);
  return (skill, judgement) => {
    const contents = listContents(skill);
    const problems = [...lintNames(skill)];
    for (const file of skill.files) {
      const run = (lint: () => readonly Problem[]) => {
        for (const problem of guardLint(skill, file.path, lint)) problems.push(problem);
      };
      run(() => lintSecrets(file, skill.uri));
      let page: Page | undefined;
      run(() => {
        page = readPage(skill, file, judgement);
        return [];
      });
      if (page !== undefined) for (const lint of toPageLints(page)) run(lint);
    }
    return problems;

    function toPageLints(page: Page): (() => readonly Problem[])[] {
      const links = () => lintLinks(tree, skill, contents, page);
      if (!page.isSkillFile) return [links];
      return [
        links,
        () => lintPaths(tree, skill, contents, page, findOwner),
        () => lintVariables(skill, page),
        () => lintComments(page),
        () => lintLength(page),
      ];
    }
  };
}

/**
 * What a lint finds in a file. A file is anybody's, and one that makes a lint throw costs what that lint would have found in it, and
 * nothing else.
 */
export function guardLint(
  { uri }: Pick<PlacedSkill, 'uri'>,
  path: string,
  lint: () => readonly Problem[],
): readonly Problem[] {
  try {
    return lint();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return [
      toProblem({
        ...say('lint-failed', { reason, repair: { path } }),
        path,
        skill: uri,
      }),
    ];
  }
}

function lintLength({ text, report }: Page): Problem[] {
  const bytes = Buffer.byteLength(text);
  if (bytes <= MAX_BYTES) return [];
  return [report(undefined, say('skill-long', { bytes, most: MAX_BYTES }))];
}

/** Finds the skill of the root that has a file, by its path in that skill. The root is looked through when the first path is missing. */
function toOwnerFinder(tree: SkillTree): (path: string) => string | undefined {
  let owners: Map<string, string> | undefined;
  return (path) => {
    owners ??= listOwners(tree);
    return owners.get(path);
  };
}

function listOwners(tree: SkillTree): Map<string, string> {
  const paths = [...listFiles(tree, '')];
  const skills = new Set(paths.filter((path) => path.endsWith(`/${SKILL_FILE}`)).map((path) => toFolder(path)));
  const owners = new Map<string, string>();
  for (const path of paths.sort(compareText)) {
    const inner = /(?:^|\/)((?:references|scripts|assets)\/.*)$/s.exec(path)?.[1] ?? '';
    const owner = path.slice(0, -inner.length - 1);
    if (inner !== '' && skills.has(owner) && !owners.has(inner)) owners.set(inner, owner);
  }
  return owners;
}

/** The files below a folder, without those of packages and those whose names begin with a dot. */
function* listFiles(tree: SkillTree, folder: string): Generator<string> {
  for (const { name, kind } of listEntries(tree, folder)) {
    if (name.startsWith('.') || name === 'node_modules') continue;
    const path = folder === '' ? name : `${folder}/${name}`;
    if (kind === 'file') yield path;
    else if (kind === 'folder') yield* listFiles(tree, path);
  }
}

function listEntries(tree: SkillTree, folder: string): Iterable<TreeEntry> {
  try {
    return tree.list(folder).entries;
  } catch {
    return [];
  }
}

function toFolder(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}
