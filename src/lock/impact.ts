import { countOf } from '../text/count.ts';
import type { SkillChange } from './compare.ts';

/** What a reviewer has to see first: what hosts act on, then what is new, then what is gone, then the rest. */
export function rankChange(change: SkillChange): number {
  if (change.isRefused === true) return 0;
  if (change.kind === 'changed' || change.kind === 'renamed') return listEffects(change).length > 0 ? 1 : 4;
  return change.kind === 'added' ? 2 : 3;
}

/** What of a change decides what a host does, or what a model reaches. */
export function listEffects({ kind, fields = [], files, links = [], frontmatter, ...change }: SkillChange): string[] {
  if (kind === 'removed') return change.isRefused === true ? ['not published any more: it has errors'] : [];
  const effects = fields.map(({ name }) => name).filter(isFirst);
  if (kind === 'added') {
    if (change.isRefused === true) effects.push('published again: it had errors');
    if (frontmatter !== undefined && 'allowed-tools' in frontmatter) effects.push('allowed-tools');
  }
  for (const how of ['added', 'changed', 'removed'] as const) {
    const count = files.filter((file) => file.isScript && file.kind === how).length;
    if (count > 0) effects.push(`${countOf(count, 'script')}${kind === 'added' ? '' : ` ${how}`}`);
  }
  if (links.length > 0)
    effects.push(`links to ${countOf(links.length, 'host')}${kind === 'added' ? '' : ' not linked before'}`);
  return effects;
}

/** Whether a field is one that hosts act on. */
export function isFirst(name: string): boolean {
  return name === 'allowed-tools' || name === 'description';
}
