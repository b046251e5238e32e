import { isUtf8 } from 'node:buffer';
import { decodeText } from '../catalog/catalog.ts';
import type { ReadFile } from '../disk/skilltree.ts';
import type { Judgement } from '../judge/document.ts';
import type { PlacedSkill } from '../judge/placement.ts';
import type { Said } from '../messages/say.ts';
import { type Problem, type ProblemArgs, toProblem } from '../problems.ts';
import { isRecord } from '../text/jsonvalue.ts';
import { readLines } from '../text/position.ts';
import type { Range } from './inline.ts';
import { type Markdown, readMarkdown } from './markdown.ts';
import { toMask } from './secrets.ts';

/** A Markdown file of a skill. */
export interface Page {
  /** Relative to the skill. */
  readonly path: string;
  readonly isSkillFile: boolean;
  readonly text: string;
  /** Where the Markdown begins: after the frontmatter. */
  readonly body: number;
  readonly markdown: Markdown;
  /** A problem of what is at a range of the text, or of the whole file. What looks like a secret is not printed. */
  report(range: Range | undefined, said: Said): Problem;
}

/** Reads a file as Markdown; undefined where it is none, or no text, or where nothing in it can be reported. */
export function readPage(skill: PlacedSkill, file: ReadFile, judgement: Judgement | undefined): Page | undefined {
  const path = toInner(skill, file.path);
  const isSkillFile = path === skill.skillFile;
  const read = isSkillFile ? judgement?.text : readText(file);
  if (read === undefined) return undefined;
  const text = read;
  const body = isSkillFile ? text.length - (judgement?.body ?? text).length : 0;
  const lines = readLines(text);
  let mask: ((text: string) => string) | undefined;
  return {
    path,
    isSkillFile,
    text,
    body,
    markdown: readMarkdown(text, body),
    report(range, { code, args, message, hint }) {
      mask ??= toMask(text);
      return toProblem({
        code,
        path: file.path,
        ...(range === undefined ? {} : lines.placeOf(range.start, range.end)),
        args: maskArgs(args, mask),
        message: mask(message),
        ...(hint === undefined ? {} : { hint: mask(hint) }),
        skill: skill.uri,
      });
    },
  };
}

/** Arguments of a problem that show no secret either. */
function maskArgs(args: ProblemArgs, mask: (text: string) => string): ProblemArgs {
  const maskValue = (value: unknown): unknown => {
    if (typeof value === 'string') return mask(value);
    if (Array.isArray(value)) return value.map(maskValue);
    return isRecord(value) ? maskArgs(value, mask) : value;
  };
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [name, maskValue(value)]));
}

/** The text of a file beside SKILL.md, where it may have a link: nothing else is looked for in it, and most have none. */
function readText({ path, bytes }: ReadFile): string | undefined {
  return /\.md$/i.test(path) && mayHaveLink(bytes) && isUtf8(bytes) ? decodeText(bytes) : undefined;
}

function mayHaveLink(bytes: Uint8Array): boolean {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return buffer.includes('](') || buffer.includes(']:');
}

/** The path of a file of a skill, relative to the skill; in a root that is the skill, it begins with a dot. */
export function toInner(skill: Pick<PlacedSkill, 'path'>, path: string): string {
  return path.slice(skill.path.length + 1);
}

/** The path of a file of a skill, relative to the root. */
export function toOuter(skill: Pick<PlacedSkill, 'path'>, path: string): string {
  return skill.path === '.' ? path : `${skill.path}/${path}`;
}
