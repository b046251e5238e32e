import type { Lint } from '../catalog/judge.ts';
import { type Problem, toProblem } from '../catalog/problems.ts';
import type { ScannedSkill } from '../catalog/scan.ts';
import { lintLinks } from './links.ts';
import { type Markdown, readMarkdown } from './markdown.ts';
import { toPlacer } from './place.ts';
import { lintSecrets } from './secrets.ts';
import { lintNames } from './windows.ts';

/** The most lines of a SKILL.md that the Agent Skills specification recommends. */
const MAX_LINES = 500;

/** What `check` looks for beside errors, in the skills of one root. Nothing found does not mean that a skill is safe. */
export function toLint(folder: string): Lint {
  return (skill, judgement) => {
    const ofFiles = [lintSecrets(skill), lintNames(skill)].flat();
    const text = judgement?.text;
    if (text === undefined) return ofFiles;
    const markdown = readMarkdown(text, text.length - (judgement?.body ?? text).length);
    return [
      ofFiles,
      lintLinks(folder, skill, text, markdown.links),
      lintComments(skill, text, markdown),
      lintLength(skill, text),
    ].flat();
  };
}

function lintComments(skill: ScannedSkill, text: string, { comments }: Markdown): Problem[] {
  const [first] = comments;
  if (first === undefined) return [];
  const { line, column } = toPlacer(text)(first.start);
  const feed = text.slice(first.start, first.end).search(/\r?\n/);
  return [
    toProblem({
      code: 'html-comment',
      path: `${skill.path}/${skill.skillFile}`,
      line,
      column,
      length: feed === -1 ? first.end - first.start : feed,
      message: `an HTML comment${comments.length === 1 ? '' : ` (${comments.length} of them in the file)`}: models read it, and people who look at the rendered text do not`,
      hint: 'write it as text, or remove it',
      skill: skill.uri,
    }),
  ];
}

function lintLength(skill: ScannedSkill, text: string): Problem[] {
  let lines = text.endsWith('\n') || text === '' ? 0 : 1;
  for (let feed = text.indexOf('\n'); feed !== -1; feed = text.indexOf('\n', feed + 1)) lines++;
  if (lines <= MAX_LINES) return [];
  return [
    toProblem({
      code: 'skill-long',
      path: `${skill.path}/${skill.skillFile}`,
      message: `SKILL.md has ${lines} lines, and all of them fill the context whenever the skill is used; ${MAX_LINES} are recommended at most`,
      hint: 'move what is not always needed into files below references/, and link to them',
      skill: skill.uri,
    }),
  ];
}
