import type { SkillTree } from '../disk/skilltree.ts';
import type { PlacedSkill } from '../judge/placement.ts';
import { type Said, say } from '../messages/say.ts';
import type { Problem } from '../problems.ts';
import { toBaseName } from '../text/names.ts';
import { collectProblems } from './collect.ts';
import { type Contents, lookBelow } from './contents.ts';
import { type Page, toOuter } from './prose.ts';

/** A path of a file in one of the folders that the Agent Skills specification names; what follows a colon or a hash is no part of it. */
const PATH =
  /^(?:\.\/)?((?:references|scripts|assets)\/[A-Za-z0-9._/-]*[A-Za-z0-9_-]\.[A-Za-z0-9]{1,10})(?:[:#][\w-]*)?$/;

/** Longer ones are no paths. */
const MAX_WORD = 300;

/** Names that stand for any file. */
const PLACEHOLDER =
  /(?:^|[-_./])(?:foo|bar|baz|xxx?|n+|your|my|some|example|sample|placeholder|file-?_?name|script-?_?name|name|topic|todo)(?=[-_.]|$)|YYYY/i;

/** Files of a repository of skills, and of those who keep it. */
const KEEPERS = /^scripts\/(?:.*skill|(?:.*\/)?(?:AGENTS|CLAUDE|REVIEW|README)\.md$)/i;

/** What says, on the same line, that a path is an example, or lies in another place than the skill. */
const ELSEWHERE =
  /\b(?:e\.g|for example|for instance|such as|examples?\b.{0,3}:|import|repo(?:sitory)?|project|plugin|workspace|monorepo|codebase|bundler|CI)\b|[✅❌✓✗]/i;

/** What says, right before a path, that somebody should open it. */
const POINTER =
  /(?:^\s*(?:[-*+>|]|\d{1,3}[.)])?\s*(?:→\s*)?|\b(?:see|read|load|consult|refer to|open|check|use|run)\b[^`]{0,30})(?:\*\*)?$/i;

/**
 * Reports paths in the code spans of SKILL.md that lead to no file of the skill, each once. A skill about skills speaks of the files of
 * others, so it has none.
 *
 * @param tree - of the root
 * @param findOwner - finds the skill that has a file of this path
 */
export function lintPaths(
  tree: SkillTree,
  skill: PlacedSkill,
  contents: Contents,
  page: Page,
  findOwner: (path: string) => string | undefined,
): Problem[] {
  const problems = collectProblems();
  if (/skill/.test(skill.name)) return [];
  const seen = new Set<string>();
  for (const span of page.markdown.spans) {
    for (const { 0: word, index } of page.text.slice(span.start, span.end).matchAll(/[^\s"'`()[\]{},;|<>=]+/g)) {
      const path = word.length > MAX_WORD ? undefined : PATH.exec(word)?.[1];
      if (path === undefined || seen.has(path) || contents.has(path)) continue;
      const start = span.start + index;
      if (PLACEHOLDER.test(path) || KEEPERS.test(path) || !isOwn(path, start)) continue;
      seen.add(path);
      problems.add(() => page.report({ start, end: start + word.length }, describe(path)));
    }
  }
  return problems.toList();

  /** Whether the path is one of the skill, and not of the project that it is used in: both may have scripts and assets. */
  function isOwn(path: string, at: number): boolean {
    const { before, line } = readAround(page.text, at);
    if (ELSEWHERE.test(line) || /\bno\s*$/i.test(before)) return false;
    const owner = findOwner(path);
    if (owner !== undefined && line.split(/[^a-z0-9-]+/).includes(toBaseName(owner))) return false;
    const top = path.slice(0, path.indexOf('/'));
    if (top === 'references' || contents.has(top)) return true;
    const span = page.text.slice(Math.max(0, at - REACH), at);
    // a path among the arguments of a command is as well one of the project
    return COMMAND.test(span) || ((top === 'assets' || span.endsWith('`')) && POINTER.test(before));
  }

  function describe(path: string): Said {
    const alike = contents.findSpelling(path) ?? contents.findAlike(path);
    if (alike !== undefined) return say('missing-path/alike', { file: path, repair: { path: alike } });
    const seen = lookBelow(tree, toOuter(skill, path));
    if (seen?.kind === 'link') return say('missing-path/symlink', { file: path });
    if (seen !== undefined) return say('missing-path/hidden', { file: path, repair: { name: toBaseName(path) } });
    return say('missing-path/none', { file: path, owner: findOwner(path), repair: { add: toOuter(skill, path) } });
  }
}

/** What runs the script that follows it in a code span. */
const COMMAND = /`(?:python3?|uv run|bash|sh|node|bun(?: run)?|deno run|ruby|perl|pwsh|npx tsx) +$/;

/** How far around a path a line is looked at. */
const REACH = 300;

/** The line that an offset is in, and what is before the code span there. */
function readAround(text: string, at: number): { before: string; line: string } {
  const before =
    text
      .slice(Math.max(0, at - REACH), at)
      .split(/[\r\n]/)
      .at(-1) ?? '';
  const after = text.slice(at, at + REACH).split(/[\r\n]/, 1)[0] ?? '';
  return { before: before.slice(0, Math.max(0, before.lastIndexOf('`'))), line: before + after };
}
