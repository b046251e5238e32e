import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The trees of the benchmark: skills x files of a size, SKILL.md included.
 *
 * @typedef {{ skills: number, files: number, size: number }} Tree
 * @typedef {Record<'one' | 'small' | 'middle' | 'flat' | 'large' | 'heavy', Tree>} Trees
 */

/** @param {boolean} isQuick @returns {Trees} */
export function toTrees(isQuick) {
  const part = isQuick ? 20 : 1;
  return {
    one: { skills: 1, files: 1, size: 1024 },
    small: { skills: 100, files: 10, size: 8192 },
    middle: { skills: 2000 / part, files: 10, size: 2048 },
    flat: { skills: 2000 / part, files: 2, size: 1024 },
    large: { skills: 20_000 / part, files: 2, size: 1024 },
    heavy: { skills: 1, files: 512, size: 32_768 },
  };
}

/** A number as a person reads it. @param {number} value */
export function toCount(value) {
  return value.toLocaleString('en-US');
}

/** What a tree is called in the table. @param {Tree} tree */
export function toTitle({ skills, files, size }) {
  return `${toCount(skills)} x ${files} x ${toCount(size / 1024)} KiB`;
}

/** Makes a tree below a folder; the same tree always has the same bytes. @param {string} folder @param {Tree} tree */
export function makeTree(folder, { skills, files, size }) {
  for (let index = 0; index < skills; index += 1) {
    const name = `skill-${String(index).padStart(5, '0')}`;
    const inner = join(folder, name, 'references');
    mkdirSync(inner, { recursive: true });
    const head = [
      '---',
      `name: ${name}`,
      `description: Does the thing number ${index}, and is to be used when somebody asks for just that thing and no other.`,
      'license: Apache-2.0',
      'metadata:',
      '  author: example-org',
      `  version: "1.${index}"`,
      '---',
      '',
      '',
    ].join('\n');
    writeFileSync(join(folder, name, 'SKILL.md'), head + toText(name, size - head.length));
    for (let file = 1; file < files; file += 1) {
      const path = `part-${file}.${file % 4 === 3 ? 'bin' : 'md'}`;
      writeFileSync(join(inner, path), file % 4 === 3 ? toBytes(name + file, size) : toText(name + file, size));
    }
  }
}

/** One skill with a text and a blob of 1 MiB each. @param {string} folder */
export function makeBig(folder) {
  const skill = join(folder, 'big');
  mkdirSync(skill, { recursive: true });
  writeFileSync(join(skill, 'SKILL.md'), '---\nname: big\ndescription: Holds two files of 1 MiB.\n---\n');
  writeFileSync(join(skill, 'text.md'), toText('big', 1024 * 1024));
  writeFileSync(join(skill, 'data.bin'), toBytes('big', 1024 * 1024));
}

/** @param {string} seed @param {number} size */
function toText(seed, size) {
  let text = '';
  for (let line = 0; text.length < size; line += 1)
    text += `Line ${line} of ${seed} says what to do, and why it is so.\n`;
  return text.slice(0, size);
}

/** Bytes that are no UTF-8. @param {string} seed @param {number} size */
function toBytes(seed, size) {
  const bytes = Buffer.alloc(size);
  for (let at = 0, count = 0; at < size; at += 32, count += 1) {
    createHash('sha256').update(`${seed} ${count}`).digest().copy(bytes, at);
  }
  bytes[0] = 0xff;
  return bytes;
}
