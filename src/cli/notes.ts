import type { RootReport } from '../judge/judge.ts';
import { countOf } from '../text/count.ts';

/** How many skills a note names. */
const SHOWN = 3;

/**
 * What fields do here that some hosts act on when they load skills themselves. They are no mistake, so this is no problem: `--strict`
 * would refuse what their author meant.
 */
export function describeInvocation(reports: readonly RootReport[]): string[] {
  const entries = reports.flatMap(({ skills }) => skills.flatMap(({ pinned }) => pinned?.entry.frontmatter ?? []));
  return [
    ...describe(
      entries.filter((entry) => entry['disable-model-invocation'] === true),
      'disable-model-invocation: true',
      'not named in instructions and tools, but listed, and offered as a prompt',
    ),
    ...describe(
      entries.filter((entry) => entry['user-invocable'] === false),
      'user-invocable: false',
      'not offered as a prompt',
    ),
  ];
}

function describe(entries: readonly { readonly name: string }[], field: string, effect: string): string[] {
  if (entries.length === 0) return [];
  const more = entries.length > SHOWN ? ` and ${entries.length - SHOWN} more` : '';
  const names = entries.slice(0, SHOWN).map(({ name }) => name);
  return [`${countOf(entries.length, 'skill')} with ${field}: ${effect} (${names.join(', ')}${more})`];
}
