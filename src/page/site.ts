import { peekFile, type Skill, type SkillCatalog } from '../catalog/catalog.ts';
import { LOCK_FILE } from '../lock/filename.ts';
import { formatLock, toFingerprint, toLock } from '../lock/lockfile.ts';
import type { Problem } from '../problems.ts';
import { toJson } from '../text/escape.ts';
import { DISCOVERY, formatIndex, sortByName, toArchive, toArchiveDigest, toArchivePath } from './discovery.ts';
import { writeProblems } from './faultpage.ts';
import { writeOverview } from './home.ts';
import type { Html } from './html.ts';
import { type Install, writeInstall, writeInstallBox } from './installpage.ts';
import { listGroups, type Sheet, type Sheets, toSheets } from './sheet.ts';
import { type Since, writeChange, writeChanges } from './since.ts';
import { layOut, type Surroundings } from './skeleton.ts';
import { writeSkill } from './skillpage.ts';

/** A file of a site. */
export interface SiteFile {
  /** `page` and `data` are made here; `raw` is a file of a skill, which anybody may have written. */
  readonly kind: 'page' | 'data' | 'raw';
  /** Its media type. */
  readonly type: string;
  /** Made when it is asked for. */
  readonly toBytes: () => Uint8Array;
}

/** The files of a site by their paths, without a slash at the beginning. What depends on others comes after them. */
export type Site = ReadonlyMap<string, SiteFile>;

/** What a site is made of, beside the catalog. */
export interface SiteOptions extends Pick<Surroundings, 'notes' | 'signOut'> {
  readonly title: string;
  readonly install: Install;
  /** Whether a skill is in lists; its page is there in any case. Default: each is. */
  readonly isListed?: ((skill: Skill) => boolean) | undefined;
  /** All problems that were found, those of skills that are left out included. */
  readonly problems: readonly Problem[];
  readonly since?: Since | undefined;
}

const HTML = 'text/html; charset=utf-8';
const JSON_TYPE = 'application/json';
const TEXT = 'text/plain; charset=utf-8';

/**
 * The pages of a catalog and the files that programs read: pure, so that equal catalogs, problems and options give equal bytes. The paths
 * of pages that are not a skill's have a dot, which no name of a skill or group can have.
 */
export function createSite(catalog: SkillCatalog, options: SiteOptions): Site {
  const { title, install, since, problems } = options;
  const changes = new Map(since?.diff.changes.flatMap((each) => (each.kind === 'removed' ? [] : [[each.uri, each]])));
  const all = toSheets(catalog, problems);
  const sheets = { ...all, skills: all.skills.filter(({ skill }) => options.isListed?.(skill) !== false) };
  const listedSkills = sheets.skills.map(({ skill }) => skill);
  const digest =
    options.isListed === undefined ? catalog.digest : toFingerprint(listedSkills.flatMap(({ resources }) => resources));
  const files = new Map<string, SiteFile>();
  const site: Surroundings = {
    title,
    links: listLinks(sheets, options),
    baseUrl: install.baseUrl,
    notes: options.notes,
    signOut: options.signOut,
  };
  const addPage = (path: string, name: string | undefined, write: () => Html) => {
    const toBytes = () => encode(layOut({ path, body: write(), ...(name === undefined ? {} : { title: name }) }, site));
    files.set(path, { kind: 'page', type: HTML, toBytes });
  };
  const addData = (path: string, write: () => string) => {
    files.set(path, { kind: 'data', type: JSON_TYPE, toBytes: () => encode(write()) });
  };
  const digests = new Map<Sheet, string>();
  const listed = new Set(sortByName(sheets.skills).listed);
  addOverviews();
  addPage('install.html', 'Install', () => writeInstall(install, ''));
  addPage('problems.html', 'Problems', () => writeProblems(sheets));
  if (since !== undefined) addPage('changes.html', 'Changes', () => writeChanges(since));
  for (const sheet of all.skills) addSkill(sheet);
  addData('catalog.json', () => toJson({ digest, skills: listedSkills }));
  addData(LOCK_FILE, () => formatLock(toLock({ skills: listedSkills })));
  addIndexes();
  return files;

  function addOverviews(): void {
    const state = ({ skill }: Sheet) => changes.get(skill.uri)?.kind;
    for (const group of ['', ...listGroups(all.skills)]) {
      const path = group === '' ? 'index.html' : `${group}/index.html`;
      const skills = group === '' ? sheets.skills : findBelow(sheets.skills, group);
      addPage(path, group === '' ? undefined : group, () => {
        const leftOut = sheets.leftOut.filter(({ uri }) => uri?.startsWith(group === '' ? '' : `skill://${group}/`));
        const box = writeInstallBox(install, '../'.repeat(path.split('/').length - 1), { group });
        return writeOverview({
          path,
          title: group === '' ? title : group,
          skills,
          digest: group === '' ? digest : toFingerprint(skills.flatMap(({ files: each }) => each)),
          leftOut,
          install: box,
          state,
        });
      });
    }
  }

  function addSkill(sheet: Sheet): void {
    const { path, skill } = sheet;
    addPage(`${path}/index.html`, path, () => {
      const group = listed.has(sheet) ? '' : sheet.group;
      const up = '../'.repeat(path.split('/').length);
      const box = writeInstallBox(install, up, { group, skill: skill.frontmatter.name });
      return writeSkill({ sheet, catalog, changes: since && writeChange(since, changes.get(skill.uri)), install: box });
    });
    addData(`${path}/entry.json`, () => toJson(skill));
    for (const { uri, href } of sheet.files) {
      const file = peekFile(catalog, uri);
      if (file === undefined) continue;
      const isRenamed = !href.endsWith(uri.slice(uri.lastIndexOf('/')));
      const type = isRenamed || file.isText ? TEXT : file.mimeType;
      files.set(`${path}/${href}`, { kind: 'raw', type, toBytes: () => file.bytes });
    }
    const archive = toArchivePath(sheet);
    if (archive === undefined) return;
    const toBytes = () => {
      const bytes = toArchive(sheet, catalog);
      if (!digests.has(sheet)) digests.set(sheet, toArchiveDigest(bytes));
      return bytes;
    };
    files.set(archive, { kind: 'data', type: 'application/zip', toBytes });
  }

  /** The index of everything, and one of each group, for a client that is given the address of the group. */
  function addIndexes(): void {
    const toArchiveDigestOf = (sheet: Sheet) => digests.get(sheet) ?? toArchiveDigest(toArchive(sheet, catalog));
    for (const group of ['', ...listGroups(sheets.skills)]) {
      const path = `${group === '' ? '' : `${group}/`}${DISCOVERY}/index.json`;
      const skills = group === '' ? sheets.skills : findBelow(sheets.skills, group);
      addData(path, () => formatIndex(path, skills, toArchiveDigestOf));
    }
  }
}

function listLinks(
  { skills, leftOut, others }: Sheets,
  { since }: SiteOptions,
): readonly (readonly [string, string])[] {
  const found = [...skills, ...leftOut].reduce((sum, { problems }) => sum + problems.length, others.length);
  return [
    ['index.html', 'Skills'],
    ['install.html', 'Install'],
    ['problems.html', `Problems (${found})`],
    ...(since === undefined ? [] : [['changes.html', `Changes (${since.diff.changes.length})`] as const]),
  ];
}

function findBelow(skills: readonly Sheet[], group: string): readonly Sheet[] {
  return skills.filter(({ path }) => path.startsWith(`${group}/`));
}

function encode(text: string): Uint8Array {
  return Buffer.from(text);
}
