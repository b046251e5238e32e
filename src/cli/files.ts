import type { RootReport } from '../catalog/load.ts';
import { SKILL_FILE } from '../catalog/manifest.ts';
import type { CheckedSkill } from '../report/json.ts';

/** The files of each skill with their sizes, so that one that should not be public is seen before it is. */
export function formatFiles(reports: readonly RootReport[], skills: readonly CheckedSkill[]): string {
  const published = new Set(skills.filter((skill) => skill.published).map(({ uri }) => uri));
  const lines = reports.flatMap((report) =>
    report.skills.flatMap(({ uri, resources }) => {
      const width = Math.max(0, ...resources.map(({ size }) => String(size).length));
      return [
        `${uri}${published.has(uri) ? '' : '  (not published)'}`,
        ...resources.map(
          (file) => `  ${String(file.size).padStart(width)}  ${file.uri.slice(uri.length - SKILL_FILE.length)}`,
        ),
      ];
    }),
  );
  return lines.map((line) => `${line}\n`).join('');
}
