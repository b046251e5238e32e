import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { loadSkills as loadWithSdk } from '@modelcontextprotocol/server/ext/skills/node';
import { judgeSkills, publishReports } from '../../src/judge/judge.ts';
import { toLint } from '../../src/lint/lint.ts';
import { loadSkills } from '../../src/load.ts';
import { writeSite } from '../../src/page/output.ts';
import { createSite } from '../../src/page/site.ts';

/** Loads a folder once and says how long it took: `node load.cjs ours|sdk|floor FOLDER`; `site` also writes its pages. */
const [loader, folder = '.'] = process.argv.slice(2);

/** What no loader can do without: walk, read, hash, keep. */
function loadNothing(directory: string, files: Map<string, { digest: string; bytes: Uint8Array }>): void {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = `${directory}/${entry.name}`;
    if (entry.isDirectory()) {
      loadNothing(path, files);
      continue;
    }
    const bytes = readFileSync(path);
    files.set(path, { digest: hash('sha256', bytes, 'hex'), bytes });
  }
}

/** What the command does: it looks for everything that `check` reports, makes the pages, and writes them. */
async function makeSite(): Promise<unknown> {
  const reports = await judgeSkills(folder, { toLint });
  const problems = reports.flatMap((report) => report.problems);
  const site = createSite(publishReports(reports), { title: 'Skills', install: { hosts: [] }, problems });
  writeSite(site, `${folder}-site-${process.pid}`, folder);
  return site;
}

async function load(): Promise<unknown> {
  if (loader === 'site') return await makeSite();
  if (loader === 'ours') return await loadSkills(folder);
  if (loader === 'sdk') return await loadWithSdk(folder);
  const files = new Map<string, { digest: string; bytes: Uint8Array }>();
  loadNothing(folder, files);
  return files;
}

const start = performance.now();
load().then((kept) => {
  process.stdout.write(JSON.stringify({ ms: performance.now() - start, kept: kept !== undefined }));
});
