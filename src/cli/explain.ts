import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProblemCode } from '../problems.ts';

/**
 * Reads the sections of `docs/problems.md`, which comes with the package: for a code its Markdown, without the heading. None where
 * the command was put somewhere else without it.
 */
export function readSections(home: string): ReadonlyMap<ProblemCode, string> {
  const sections = new Map<ProblemCode, string>();
  const file = join(home, 'docs', 'problems.md');
  if (!existsSync(file)) return sections;
  const text = readFileSync(file, 'utf8').replaceAll('\r\n', '\n');
  for (const part of text.split(/^### /m).slice(1)) {
    const feed = part.indexOf('\n');
    const body = part.slice(feed + 1).replace(/^## [^\n]*\n[\s\S]*$/m, '');
    sections.set(part.slice(0, feed).trim() as ProblemCode, body.trim());
  }
  return sections;
}
