import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll } from 'vitest';
import type { Problem } from '../src/problems.ts';

/** A file's content, a link's target, or a folder. */
export type Node = string | Uint8Array | { readonly link: string } | { readonly folder: true };

const made: string[] = [];

afterAll(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** Makes a folder with these paths below it, and removes it after the tests of the file. */
export function makeTree(nodes: Readonly<Record<string, Node>>): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'skills-')));
  made.push(root);
  for (const [path, node] of Object.entries(nodes)) addNode(root, path, node);
  return root;
}

/** Adds one path to a folder. */
function addNode(root: string, path: string, node: Node): void {
  const target = join(root, path);
  mkdirSync(dirname(target), { recursive: true });
  if (typeof node === 'string' || node instanceof Uint8Array) writeFileSync(target, node);
  else if ('link' in node) symlinkSync(node.link, target);
  else mkdirSync(target, { recursive: true });
}

/** A SKILL.md that breaks no rule. */
export function skillMd(
  name: string,
  description = `What ${name} does, and when to use it.`,
  body = `# ${name}\n`,
): string {
  return `---\nname: ${name}\ndescription: ${description}\n---\n\n${body}`;
}

/** A problem on one line, with everything that it holds. */
export function toLine(problem: Problem): string {
  const { path, line, column, length, severity, code, message, hint, skill } = problem;
  const place = line === undefined ? path : `${path}:${line}:${column}+${length}`;
  return `${severity} ${code} ${place} (${skill ?? '-'}) ${message} | ${hint ?? '-'}`;
}
