import type { PlacedSkill } from '../judge/placement.ts';
import { type Problem, toProblem } from '../problems.ts';

/** Device names, with any ending: Windows opens the device instead of a file. */
const DEVICE = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9]|conin\$|conout\$)(?:\.|$)/i;

/**
 * Reports names of a skill, and of the folders above it, that Windows cannot hold, so that a clone or an unpacked copy lacks the
 * files. Characters that it forbids are errors already (`path-characters`).
 */
export function lintNames(skill: PlacedSkill): Problem[] {
  const problems = new Map<string, Problem>();
  for (const { path } of skill.files) {
    let end = -1;
    for (const segment of path.split('/')) {
      end += segment.length + 1;
      const what = findWindowsFault(segment);
      if (what === undefined) continue;
      const place = path.slice(0, end);
      problems.set(
        place,
        toWindowsName(place, segment, what, place.length >= skill.path.length ? skill.uri : undefined),
      );
      break;
    }
  }
  return [...problems.values()];
}

/** Why Windows cannot hold a name; undefined where it can. */
export function findWindowsFault(segment: string): string | undefined {
  const device = DEVICE.exec(segment)?.[0].replace(/\.$/, '');
  if (device !== undefined) return `is the device ${device.toUpperCase()} on Windows`;
  return segment.endsWith('.') && segment !== '.' ? 'ends with a dot, which Windows drops' : undefined;
}

function toWindowsName(path: string, segment: string, what: string, skill: string | undefined): Problem {
  const shorter = segment.replace(/\.+$/, '');
  return toProblem({
    code: 'windows-name',
    path,
    message: `the name "${segment}" ${what}, so a copy there lacks it`,
    hint: shorter === segment || DEVICE.test(shorter) ? 'rename it' : `rename it to "${shorter}"`,
    ...(skill === undefined ? {} : { skill }),
  });
}
