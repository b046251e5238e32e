import { countTaken, type HostProfile } from '../lint/importers.ts';
import { countOf, formatNumber } from '../text/count.ts';
import type { Fault } from './checks.ts';
import type { ServedSkill } from './entry.ts';

/** A skill, and its entry as it was received. */
interface ImportedSkill {
  readonly skill: ServedSkill;
  readonly raw: object;
}

/** What of the skills a host would not take, by the limits that `check --host` knows. */
export function judgeImport(served: readonly ImportedSkill[], host: HostProfile): Fault[] {
  const skills = served.map(({ skill }) => skill);
  const entries = served.map(({ raw }) => raw);
  const taken = host.allOrNothing ? Math.min(skills.length, host.skills) : countTaken(entries, host);
  const faults: Fault[] = [];
  if (taken < skills.length) {
    const cut = skills[taken]?.uri;
    const left = host.allOrNothing ? '' : `, and "${cut}" is the first that is left out`;
    faults.push({
      code: 'host-limit',
      message: `${countOf(skills.length, 'skill')}, and ${host.title} takes ${taken}${left}`,
    });
  }
  const names = new Map<unknown, string>();
  for (const skill of skills) {
    const { uri, frontmatter, resources } = skill;
    const add = (message: string, file?: string) =>
      faults.push({ code: 'host-limit', message, skill: uri, ...(file === undefined ? {} : { file }) });
    const twin = names.get(frontmatter['name']);
    if (host.uniqueNames && twin !== undefined)
      add(`the name is also that of "${twin}", and ${host.title} takes each name once`);
    names.set(frontmatter['name'], uri);
    if (resources === 'dynamic') continue;
    const bytes = resources.reduce((sum, { size }) => sum + size, 0);
    if (resources.length > (host.files ?? Infinity))
      add(`${resources.length} files, and ${host.title} takes ${host.files}`);
    if (bytes > (host.skillSize ?? Infinity)) {
      add(`${formatNumber(bytes)} bytes in all, and ${host.title} takes ${formatNumber(host.skillSize ?? 0)}`);
    }
    for (const file of resources) {
      const most = file.uri === uri ? host.skillFileSize : host.fileSize;
      if (most === undefined || file.size <= most) continue;
      add(`${formatNumber(file.size)} bytes, and ${host.title} takes ${formatNumber(most)}`, file.uri);
    }
  }
  return faults;
}
