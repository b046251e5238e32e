import type { SkillCatalog } from '../../catalog/catalog.ts';
import { compareText, type Problem } from '../../problems.ts';
import type { Feed } from '../feed.ts';
import { createPages } from '../pages.ts';
import { describeRefused, findRefused } from '../refused.ts';
import type { Room } from './room.ts';

/** Problems that are shown, at the most. */
const MOST_PROBLEMS = 50;

/** What is known of problems, and to whom it is shown. */
export interface UnpublishedOptions {
  /** Of live skills: what their last reading found. */
  readonly feed?: Pick<Feed, 'status'> | undefined;
  /** Whether problems are only counted. */
  readonly hidesPaths?: boolean | undefined;
}

/** What is not published, or not as it is on disk, under a line that says whose words the paths are; nothing where all is. */
export function describeUnpublished(
  catalog: SkillCatalog,
  room: Room,
  { feed, hidesPaths = false }: UnpublishedOptions,
): readonly string[] {
  const status = feed?.status;
  const problems =
    status === undefined ? findRefused(catalog) : status.problems.filter(({ severity }) => severity === 'error');
  if (problems.length === 0) return [];
  if (status !== undefined && hidesPaths) return ['Not published because of errors:', ...countCodes(problems)];
  const isKept = ({ skill }: Problem) =>
    status !== undefined && skill !== undefined && catalog.get(skill) !== undefined;
  const described = problems
    .slice(0, MOST_PROBLEMS)
    .map((problem) => describeRefused(problem) + (isKept(problem) ? '; served: previous version' : ''));
  const limits = { entries: MOST_PROBLEMS, bytes: room.page / 4 };
  const lines = createPages(described, limits, { kind: '', toKey: (line) => line }).page(undefined)?.items ?? [];
  return [
    'Not published because of errors, which "mcp-server-skills check" shows whole. The names in quotes are those of refused files:',
    ...lines.map((line) => `- ${line}`),
    ...(problems.length > lines.length ? [`and ${problems.length - lines.length} more`] : []),
  ];
}

function countCodes(problems: readonly Problem[]): string[] {
  const counts = new Map<string, number>();
  for (const { code } of problems) counts.set(code, (counts.get(code) ?? 0) + 1);
  return [...counts].sort(([a], [b]) => compareText(a, b)).map(([code, count]) => `- ${code}: ${count}`);
}
