import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProblemCode } from '../catalog/problems.ts';

/** Reads the sections of `docs/problems.md`, which comes with the package: for a code its Markdown, without the heading. */
export function readSections(home: string): ReadonlyMap<ProblemCode, string> {
  const sections = new Map<ProblemCode, string>();
  const text = readFileSync(join(home, 'docs', 'problems.md'), 'utf8').replaceAll('\r\n', '\n');
  for (const part of text.split(/^### /m).slice(1)) {
    const feed = part.indexOf('\n');
    const body = part.slice(feed + 1).replace(/^## [^\n]*\n[\s\S]*$/m, '');
    sections.set(part.slice(0, feed).trim() as ProblemCode, body.trim());
  }
  return sections;
}
