import { existsSync, lstatSync } from 'node:fs';
import { join } from 'node:path';
import { type Problem, type ProblemInit, toProblem } from '../catalog/problems.ts';
import type { ScannedSkill } from '../catalog/scan.ts';
import type { Link } from './markdown.ts';
import { toPlacer } from './place.ts';

/** What a link leads to, for one who follows it from SKILL.md. */
type Target =
  | { readonly kind: 'file' | 'elsewhere' | 'placeholder' }
  | { readonly kind: 'outside'; readonly path: string }
  | { readonly kind: 'lost'; readonly path: string };

type Note = Pick<ProblemInit, 'message' | 'hint'>;

/** Reports links of SKILL.md that lead to no file of the skill, each target once. `folder` is the absolute folder of the root. */
export function lintLinks(folder: string, skill: ScannedSkill, text: string, links: readonly Link[]): Problem[] {
  const published = toPaths(skill);
  const spellings = new Map([...published].map((path) => [path.toLowerCase(), path]));
  const toPlace = toPlacer(text);
  const seen = new Set<string>();
  const problems: Problem[] = [];
  for (const { target, start, end } of links) {
    const found = readTarget(target, published);
    if ((found.kind !== 'lost' && found.kind !== 'outside') || seen.has(found.path)) continue;
    seen.add(found.path);
    const note = found.kind === 'outside' ? describeOutside(folder, skill, target) : describeLost(target, found.path);
    if (note === undefined) continue;
    const { line, column } = toPlace(start);
    problems.push(
      toProblem({
        code: 'broken-link',
        path: `${skill.path}/${skill.skillFile}`,
        line,
        column,
        length: end - start,
        ...note,
        skill: skill.uri,
      }),
    );
  }
  return problems;

  function describeLost(target: string, path: string): Note | undefined {
    const link = `the link "${target}"`;
    const spelling = spellings.get(path.toLowerCase());
    if (spelling !== undefined) {
      return { message: `${link} differs in case from the file "${spelling}"`, hint: `write ${spelling}` };
    }
    const slashed = path.replaceAll('\\', '/');
    if (slashed !== path && published.has(slashed)) {
      return { message: `${link} has backslashes, which are no separators`, hint: `write ${slashed}` };
    }
    const isThere = existsOnDisk(join(folder, skill.path, path));
    const hidden = path.split('/').find((segment) => segment.startsWith('.'));
    if (hidden !== undefined && isThere) {
      return {
        message: `${link} leads to a hidden file, and names that begin with a dot are not published`,
        hint: `rename "${hidden}" without the dot`,
      };
    }
    if (isThere) {
      return isLink(join(folder, skill.path, path))
        ? { message: `${link} leads to a symbolic link, and links are not published`, hint: 'put a copy in its place' }
        : {
            message: `${link} leads to a file that is left out`,
            hint: 'do not exclude it, or remove the link',
          };
    }
    // a bare word is more often a placeholder than a file
    if (!/[./]/.test(path)) return undefined;
    return { message: `${link} leads to no file of the skill`, hint: `add ${skill.path}/${path}, or correct the link` };
  }
}

function describeOutside(folder: string, skill: ScannedSkill, target: string): Note {
  const path = join(skill.path, decode(target.replace(/[?#].*$/s, '')));
  const other = /(?:^|[\\/])([^\\/]+)[\\/]SKILL\.md$/.exec(path)?.[1];
  // nothing outside the root is looked for
  const isInside = !/^(?:\.\.(?:[\\/]|$)|[\\/])/.test(path);
  if (other !== undefined && isInside && existsSync(join(folder, path))) {
    return {
      message: `the link "${target}" leads to another skill, and hosts read only the files of this one`,
      hint: `name it instead of linking to it: the skill "${other}"`,
    };
  }
  return {
    message: `the link "${target}" leads out of the skill, and hosts read only its own files`,
    hint: 'put a copy into the skill, or remove the link',
  };
}

/** The files of the skill and the folders that hold them, relative to it. */
function toPaths(skill: ScannedSkill): Set<string> {
  const paths = new Set<string>();
  for (const file of skill.files) {
    const path = file.path.slice(skill.path.length + 1);
    for (let end = path.indexOf('/'); end !== -1; end = path.indexOf('/', end + 1)) paths.add(path.slice(0, end));
    paths.add(path);
  }
  return paths;
}

function readTarget(target: string, published: ReadonlySet<string>): Target {
  const written = target.replace(/[?#].*$/s, '');
  if (written === '' || /^(?:[A-Za-z][A-Za-z0-9+.-]*:|\/)/.test(written)) return { kind: 'elsewhere' };
  if (/[{}$*<>|]|\.\.\./.test(written)) return { kind: 'placeholder' };
  const segments: string[] = [];
  for (const segment of decode(written).split('/')) {
    if (segment === '..' && segments.pop() === undefined) return { kind: 'outside', path: target };
    if (segment !== '' && segment !== '.' && segment !== '..') segments.push(segment);
  }
  const path = segments.join('/');
  return path === '' || published.has(path) ? { kind: 'file' } : { kind: 'lost', path };
}

/** Markdown's backslashes and a URI's percent signs undone. */
function decode(written: string): string {
  const plain = written.replace(/\\([!-/:-@[-`{-~])/g, '$1');
  try {
    return decodeURIComponent(plain);
  } catch {
    return plain;
  }
}

function existsOnDisk(path: string): boolean {
  return isLink(path) || existsSync(path);
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}
