import { existsSync, lstatSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { SKILL_FILE } from '../catalog/manifest.ts';
import { type Problem, type ProblemInit, toProblem } from '../catalog/problems.ts';
import type { ScannedSkill } from '../catalog/scan.ts';
import type { Link } from './markdown.ts';
import { toPlacer } from './place.ts';

/** What a link leads to, for one who follows it from SKILL.md. */
type Target =
  | { readonly kind: 'file' | 'elsewhere' | 'placeholder' }
  /** `around`: a file of the skill, by a way through the folder above it. */
  | { readonly kind: 'outside' | 'around' | 'lost'; readonly path: string };

type Note = Pick<ProblemInit, 'message' | 'hint'>;

/** Bare words that are files and folders of skills and repositories; another is more often a placeholder than a file. */
const FILE_WORD =
  /^(?:licen[cs]e|notice|readme|changelog|contributing|copying|authors|makefile|dockerfile|scripts|references|assets)$/i;

/** Reports links of SKILL.md that lead to no file of the skill, each target once. `folder` is the absolute folder of the root. */
export function lintLinks(folder: string, skill: ScannedSkill, text: string, links: readonly Link[]): Problem[] {
  const published = toPaths(skill);
  const spellings = new Map([...published].map((path) => [path.toLowerCase(), path]));
  const toPlace = toPlacer(text);
  const seen = new Set<string>();
  const problems: Problem[] = [];
  for (const { target, start, end } of links) {
    const found = readTarget(target, skill.path, published);
    if (!('path' in found) || seen.has(found.path)) continue;
    seen.add(found.path);
    const note = describe(target, found);
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

  function describe(target: string, { kind, path }: Extract<Target, { path: string }>): Note | undefined {
    if (kind === 'outside') return describeOutside(folder, skill, target);
    if (kind === 'lost') return describeLost(target, path);
    return {
      message: `the link "${target}" leaves the skill and comes back, and hosts look for a file from the skill's own folder`,
      hint: `write ${path}`,
    };
  }

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
    const stats = lookAt(join(folder, skill.path, path));
    const hidden = path.split('/').find((segment) => segment.startsWith('.'));
    if (hidden !== undefined && stats !== undefined) {
      return {
        message: `${link} leads to a hidden file, and names that begin with a dot are not published`,
        hint: `rename "${hidden}" without the dot`,
      };
    }
    if (stats?.isSymbolicLink()) {
      return {
        message: `${link} leads to a symbolic link, and links are not published`,
        hint: 'put a copy in its place',
      };
    }
    if (stats?.isDirectory()) {
      return {
        message: `${link} leads to a folder in which no file is published`,
        hint: 'add a file to it that is neither hidden nor excluded, or remove the link',
      };
    }
    if (stats !== undefined) {
      return { message: `${link} leads to a file that is left out`, hint: 'do not exclude it, or remove the link' };
    }
    if (!/[./]/.test(path) && !FILE_WORD.test(path)) return undefined;
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

function readTarget(target: string, skill: string, published: ReadonlySet<string>): Target {
  const written = target.replace(/[?#].*$/s, '');
  if (written === '' || /^(?:[A-Za-z][A-Za-z0-9+.-]*:|\/)/.test(written)) return { kind: 'elsewhere' };
  if (/[{}$*<>|]|\.\.\./.test(written)) return { kind: 'placeholder' };
  const home = skill.split('/');
  const segments = [...home];
  let isAround = false;
  for (const segment of decode(written).split('/')) {
    if (segment === '..' && segments.pop() === undefined) return { kind: 'outside', path: target };
    if (segment !== '' && segment !== '.' && segment !== '..') segments.push(segment);
    if (segments.length < home.length) isAround = true;
  }
  if (!home.every((segment, at) => segments[at] === segment)) return { kind: 'outside', path: target };
  const path = segments.slice(home.length).join('/');
  if (path !== '' && !published.has(path)) return { kind: 'lost', path };
  return isAround ? { kind: 'around', path: path === '' ? SKILL_FILE : path } : { kind: 'file' };
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

/** What lies there; nothing where that cannot be said: below a file, behind a loop of links, under a name that is too long. */
function lookAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
