import { SKILL_FILE } from '../catalog/manifest.ts';
import type { RootReport } from '../judge/judge.ts';
import type { CheckedSkill } from '../report/json.ts';
import { escapeText } from '../text/escape.ts';

/** The files of each skill with their sizes, so that one that should not be public is seen before it is. */
export function formatFiles(reports: readonly RootReport[], skills: readonly CheckedSkill[]): string {
  const published = new Set(skills.filter((skill) => skill.published).map(({ uri }) => uri));
  const lines = reports.flatMap((report) =>
    report.skills.flatMap(({ uri, resources }) => {
      const width = resources.reduce((most, { size }) => Math.max(most, String(size).length), 0);
      return [
        `${escapeText(uri)}${published.has(uri) ? '' : '  (not published)'}`,
        ...resources.map(
          (file) =>
            `  ${String(file.size).padStart(width)}  ${escapeText(file.uri.slice(uri.length - SKILL_FILE.length))}`,
        ),
      ];
    }),
  );
  return lines.map((line) => `${line}\n`).join('');
}
