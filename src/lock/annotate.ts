import { toSkillPath } from '../catalog/catalog.ts';
import { formatCommand } from '../report/github.ts';
import { escapeText } from '../text/escape.ts';
import type { CatalogDiff, SkillChange } from './compare.ts';
import { describeRefusal, summarizeDiff } from './describe.ts';
import { listEffects } from './impact.ts';

/**
 * For a GitHub workflow: one annotation a skill, a warning where hosts do something else now; then a line for the log.
 *
 * @param placeOf - the SKILL.md of a skill in the repository, where it is known
 */
export function formatAnnotations(diff: CatalogDiff, placeOf: (uri: string) => string | undefined): string {
  const lines = diff.changes.map((change) => {
    const file = change.kind === 'removed' ? undefined : placeOf(change.uri);
    const properties: [string, string][] = [
      ...(file === undefined ? [] : ([['file', file]] as [string, string][])),
      ['title', `skill ${change.kind}`],
    ];
    return formatCommand(listEffects(change).length > 0 ? 'warning' : 'notice', properties, describe(change));
  });
  return [...lines, summarizeDiff(diff), ''].join('\n');
}

function describe(change: SkillChange): string {
  const { uri, oldUri, revokes, files } = change;
  const from = oldUri === undefined ? '' : ` from ${toSkillPath(oldUri)}`;
  const effects = listEffects(change);
  return [
    `${toSkillPath(uri)}${from}${describeRefusal(change)}`,
    ...(effects.length === 0 ? [] : [`what hosts act on: ${effects.join(', ')}`]),
    `files: ${files
      .map(({ kind, path }) => `${kind} ${path}`)
      .slice(0, 10)
      .join(', ')}${files.length > 10 ? ', …' : ''}`,
    ...(revokes === undefined ? [] : [`revokes approvals given to ${revokes}`]),
  ]
    .map(escapeText)
    .join('\n');
}
