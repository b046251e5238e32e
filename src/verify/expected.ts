import type { ManifestEntry } from '../catalog/foreign.ts';
import { countOf } from '../text/count.ts';
import type { Fault } from './checks.ts';
import type { ServedSkill } from './entry.ts';

/** Compares what a server serves with what a lock file holds: the same skills, with the same files of the same digests. */
export function judgeExpected(skills: readonly ServedSkill[], expected: readonly ManifestEntry[]): Fault[] {
  const served = new Map(skills.map((skill) => [skill.uri, skill]));
  const known = new Set(expected.map(({ uri }) => uri));
  const missing = expected
    .filter(({ uri }) => !served.has(uri))
    .map(
      ({ uri }): Fault => ({
        code: 'lock-differs',
        message: 'the lock file has this skill, and the server does not',
        skill: uri,
      }),
    );
  const found = skills.flatMap((skill): Fault[] => {
    const lock = expected.find(({ uri }) => uri === skill.uri);
    if (!known.has(skill.uri) || lock === undefined) {
      return [
        { code: 'lock-differs', message: 'the server has this skill, and the lock file does not', skill: skill.uri },
      ];
    }
    return compareFiles(skill, lock);
  });
  return [...missing, ...found];
}

function compareFiles({ uri: skill, resources }: ServedSkill, lock: ManifestEntry): Fault[] {
  const message = 'the content is dynamic, and the lock file has digests';
  if (resources === 'dynamic') return [{ code: 'lock-differs', message, skill }];
  const locked = new Map(lock.resources.map((file) => [file.uri, file.digest]));
  const served = new Map(resources.map((file) => [file.uri, file.digest]));
  const changed = [...served].filter(([uri, digest]) => locked.has(uri) && locked.get(uri) !== digest);
  const added = [...served.keys()].filter((uri) => !locked.has(uri));
  const removed = [...locked.keys()].filter((uri) => !served.has(uri));
  const counts = [
    [changed.length, 'changed'],
    [added.length, 'added'],
    [removed.length, 'removed'],
  ] as const;
  const what = counts.flatMap(([count, how]) => (count === 0 ? [] : `${countOf(count, 'file')} ${how}`));
  const [first] = [...changed.map(([uri]) => uri), ...added, ...removed];
  if (first === undefined) return [];
  return [{ code: 'lock-differs', message: `the skill is not the locked one: ${what.join(', ')}`, skill, file: first }];
}
