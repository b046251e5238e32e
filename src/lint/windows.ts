import type { PlacedSkill } from '../judge/placement.ts';
import { say } from '../messages/say.ts';
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
      if (findWindowsFault(segment) === undefined) continue;
      const place = path.slice(0, end);
      problems.set(place, toWindowsName(place, segment, place.length >= skill.path.length ? skill.uri : undefined));
      break;
    }
  }
  return [...problems.values()];
}

/** Why Windows cannot hold a name; undefined where it can. */
export function findWindowsFault(segment: string): string | undefined {
  const device = findDevice(segment);
  if (device !== undefined) return `is the device ${device} on Windows`;
  return segment.endsWith('.') && segment !== '.' ? 'ends with a dot, which Windows drops' : undefined;
}

function findDevice(segment: string): string | undefined {
  return DEVICE.exec(segment)?.[0].replace(/\.$/, '').toUpperCase();
}

function toWindowsName(path: string, segment: string, skill: string | undefined): Problem {
  const device = findDevice(segment);
  const shorter = segment.replace(/\.+$/, '');
  const said =
    device === undefined
      ? say('windows-name/dot', { name: segment, repair: DEVICE.test(shorter) ? {} : { name: shorter } })
      : say('windows-name/device', { name: segment, device });
  return toProblem({ ...said, path, ...(skill === undefined ? {} : { skill }) });
}
