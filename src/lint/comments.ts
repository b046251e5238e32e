import { say } from '../messages/say.ts';
import type { Problem } from '../problems.ts';
import type { Page } from './prose.ts';

/** Words of somebody who tells a reader what to do; marks of tools contain none of them. */
const INSTRUCTION =
  /\b(?:you|your|must|never|always|ignore|instead|before|make sure|do not|don't|todo|fixme|important)\b/i;

/** What is hidden on purpose, and tells a model nothing. */
const NOTICE = /copyright|licensed under|spdx-license|all rights reserved/i;

/** The fewest words of an instruction. */
const WORDS = 4;

/** Reports comments of SKILL.md that a model would follow or that hide more than a line, once. */
export function lintComments({ isSkillFile, text, markdown, report }: Page): Problem[] {
  if (!isSkillFile) return [];
  const found = markdown.comments.filter(({ start, end }) => isTelling(text.slice(start + 4, end)));
  const [first] = found;
  if (first === undefined) return [];
  const args = { isLong: isLong(text.slice(first.start + 4, first.end)), count: found.length };
  return [report(first, say('html-comment', args))];
}

function isTelling(comment: string): boolean {
  if (NOTICE.test(comment)) return false;
  return isLong(comment) || (INSTRUCTION.test(comment) && countWords(comment) >= WORDS);
}

/** Whether there is more than a line of text. */
function isLong(comment: string): boolean {
  let lines = 0;
  for (const line of comment.split(/\r\n?|\n/)) if (/\p{L}{2}/u.test(line) && ++lines > 1) return true;
  return false;
}

function countWords(comment: string): number {
  return comment.match(/\p{L}+/gu)?.length ?? 0;
}
