import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The skills whose SKILL.md is measured: the size that is aimed at, in bytes. */
export const SIZES = { bookbinding: 2_000, 'tide-tables': 12_000, 'harbour-rules': 60_000 } as const;

export type Sized = keyof typeof SIZES;

/** The skill that has the other files. */
export const FIGURES = 'brass-figures';

export const SCRIPT = 'scripts/count.py';

export const IMAGE = 'assets/chequers.png';

/** The skill that is there at the second start only. */
export const ADDED = 'kiln-schedule';

/** No word of them is in the prompt, so that a host that shows one has it from the server. */
export const NAMES: readonly string[] = [...Object.keys(SIZES), FIGURES];

export const SCRIPT_TEXT = `import sys

# Counts the lines of each file that is named.
for name in sys.argv[1:]:
    with open(name, encoding="utf-8") as file:
        print(name, sum(1 for _ in file), sep="\\t")
`;

/** 16 by 16 pixels, in base64. */
export const IMAGE_DATA =
  'iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAIAAACQkWg2AAAAIklEQVR42mP4gAROaGjAES5xhkGogRhFyOKDUcNoPAwKDQAf8vQQkL1FSgAAAABJRU5ErkJggg==';

/** Writes the skills below a folder. */
export function writeSkills(folder: string): void {
  for (const [name, size] of Object.entries(SIZES)) write(folder, `${name}/SKILL.md`, toSkill(name, size));
  write(folder, `${FIGURES}/SKILL.md`, toSkill(FIGURES, 700));
  write(folder, `${FIGURES}/${SCRIPT}`, SCRIPT_TEXT);
  write(folder, `${FIGURES}/${IMAGE}`, Buffer.from(IMAGE_DATA, 'base64'));
}

/** Adds one more. */
export function addSkill(folder: string): void {
  write(folder, `${ADDED}/SKILL.md`, toSkill(ADDED, 700));
}

/** How many rules the SKILL.md of a skill has. */
export function countRules(name: Sized): number {
  return toSkill(name, SIZES[name]).split('\n- ').length - 1;
}

/** What marks a rule: no other text has it, and no other rule. */
export function toMark(rule: number): string {
  return `Rule ${String(rule).padStart(4, '0')} says`;
}

/** A passage of every SKILL.md that JSON writes otherwise. */
export const PASSAGE = 'Say "aye" once,\nand nothing else.';

function toSkill(name: string, size: number): string {
  const words = name.replace('-', ' ');
  const head = `---\nname: ${name}\ndescription: How ${words} is done here; use it for every question about ${words}.\n---\n\n# ${words}\n\n${PASSAGE}\n`;
  return [head, ...toRules(name, size - head.length)].join('\n');
}

function toRules(name: string, size: number): string[] {
  const rules: string[] = [];
  for (let left = size; left > 0; ) {
    const rule = `- ${toMark(rules.length + 1)}: what ${name} asks of number ${rules.length + 1} holds, “come what may”, until the next.`;
    rules.push(rule);
    left -= Buffer.byteLength(rule) + 1;
  }
  return rules;
}

function write(folder: string, path: string, content: string | Uint8Array): void {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}
