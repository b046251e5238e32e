import { toRootLabel } from '../disk/roots.ts';
import type { RootReport } from '../judge/judge.ts';
import type { SkillReport } from '../judge/skill.ts';
import { type Said, say } from '../messages/say.ts';
import { CODES, compareText, type Problem, type ProblemCode, toProblem } from '../problems.ts';
import { countOf } from '../text/count.ts';
import { groupBy } from '../text/grouping.ts';

/** What a host takes at most, where it takes less than the specifications allow. Sizes are in bytes; without one there is no limit. */
export interface HostProfile {
  /** As a sentence names it. */
  readonly title: string;
  readonly skills: number;
  /** Of the entries of a listing together, each as JSON. */
  readonly listingSize?: number;
  /** Of a skill, SKILL.md included. */
  readonly files?: number;
  /** Of all files of a skill together. */
  readonly skillSize?: number;
  readonly skillFileSize?: number;
  /** Of any other file. */
  readonly fileSize?: number;
  readonly uniqueNames: boolean;
  /** Whether a scan may refuse archives and files that are no text. */
  readonly scansFiles: boolean;
  /** Whether one skill that it does not import costs all the others as well. Otherwise it takes the first ones of a listing. */
  readonly allOrNothing: boolean;
  /** What else a person should know, a sentence each. */
  readonly notes: readonly string[];
}

const KIB = 1024;
const MIB = 1024 * KIB;

/**
 * The hosts that `check --host` knows. The OpenAI importer also follows 10 pages of a listing at most: 5 skills never fill as many,
 * whatever the size of a page. Claude Code follows 20: at 100 entries a page, which is the default, its limit of skills comes first.
 */
export const PROFILES = {
  openai: {
    title: "ChatGPT's import",
    skills: 5,
    files: 100,
    skillSize: 5 * MIB,
    skillFileSize: 256 * KIB,
    fileSize: MIB,
    uniqueNames: true,
    scansFiles: false,
    allOrNothing: true,
    notes: [],
  },
  'claude-code': {
    title: 'Claude Code',
    skills: 100,
    listingSize: 512 * KIB,
    uniqueNames: false,
    scansFiles: true,
    allOrNothing: false,
    notes: [
      'according to texts in its program (not observed), skills over MCP need a login and a plan that has the feature, are not available in "claude -p", and need a server name of letters, digits, - and _',
    ],
  },
} as const satisfies Record<string, HostProfile>;

export type HostName = keyof typeof PROFILES;

/** What of the skills a host would not take: for each root its problems. All roots count as one server. */
export function judgeHost(reports: readonly RootReport[], host: HostProfile): Problem[][] {
  const skills = reports.flatMap((report) => report.skills);
  const byName = groupBy(skills, toName);
  return reports.map((report, at) =>
    [
      ...(at === 0 ? (host.allOrNothing ? judgeCount(skills.length, host) : judgeListing(skills, host)) : []),
      ...report.skills.flatMap((skill) => [
        ...judgeName(skill, byName.get(toName(skill)) ?? [], host),
        ...judgeSizes(skill, host),
        ...(host.scansFiles ? judgeKinds(skill, host) : []),
      ]),
    ].map((problem) => ({ ...problem, root: toRootLabel(report.root) })),
  );
}

function toName({ pinned, name }: SkillReport): string {
  return pinned?.entry.frontmatter.name ?? name;
}

function judgeCount(count: number, host: HostProfile): Problem[] {
  if (count <= host.skills) return [];
  const args = { host: host.title, most: host.skills, skills: count };
  return [toProblem({ ...say('host-skill-count', args), path: '.' })];
}

/**
 * How many entries of a listing a host takes, from its beginning.
 *
 * @param entries - in the order of the listing
 */
export function countTaken(entries: readonly object[], { skills, listingSize = Infinity }: HostProfile): number {
  let bytes = 0;
  const cut = entries.findIndex((entry, at) => {
    bytes += Buffer.byteLength(JSON.stringify(entry));
    return at >= skills || bytes > listingSize;
  });
  return cut === -1 ? entries.length : cut;
}

/** A host that takes what fits reaches the rest by address: the first skill that is cut off is named, in the order of a listing. */
function judgeListing(skills: readonly SkillReport[], host: HostProfile): Problem[] {
  const entries = skills.flatMap(({ pinned }) => pinned?.entry ?? []).sort((a, b) => compareText(a.uri, b.uri));
  const cut = countTaken(entries, host);
  const first = entries[cut];
  if (first === undefined) return [];
  const args = { host: host.title, taken: cut, all: entries.length, first: first.uri };
  const said =
    cut >= host.skills
      ? say('host-listing-cut/count', args)
      : say('host-listing-cut/size', { ...args, most: host.listingSize ?? 0 });
  return [toProblem({ ...said, path: '.' })];
}

/** How many skills of the same name a problem spells out. */
const OTHERS_SHOWN = 3;

function judgeName(skill: SkillReport, same: readonly SkillReport[], host: HostProfile): Problem[] {
  if (!host.uniqueNames || same.length < 2) return [];
  const others = same
    .slice(0, OTHERS_SHOWN + 1)
    .filter((other) => other !== skill)
    .map(({ uri }) => uri)
    .sort(compareText)
    .slice(0, OTHERS_SHOWN);
  const more = same.length - 1 - others.length;
  const said = say('host-name-twice', { host: host.title, name: toName(skill), others, more });
  return [toProblem({ ...said, path: skill.path, skill: skill.uri })];
}

const ARCHIVE = /\.(?:zip|tar|gz|tgz|bz2|xz|7z|rar|jar|skill)$/i;

/** Reports archives and files that are no text, once for each skill. */
function judgeKinds({ uri, path, pinned }: SkillReport, host: HostProfile): Problem[] {
  if (pinned === undefined) return [];
  const folder = uri.slice(0, uri.lastIndexOf('/') + 1);
  const archives: string[] = [];
  const binaries: string[] = [];
  pinned.entry.resources.forEach((resource, at) => {
    const name = resource.uri.slice(folder.length);
    if (ARCHIVE.test(name)) archives.push(name);
    else if (pinned.files[at]?.isText === false) binaries.push(name);
  });
  const report = (key: 'host-archive-file' | 'host-binary-file', files: readonly string[]): Problem[] =>
    files.length === 0 ? [] : [toProblem({ ...say(key, { host: host.title, files }), path, skill: uri })];
  return [...report('host-archive-file', archives), ...report('host-binary-file', binaries)];
}

function judgeSizes({ uri, path, files, bytes, resources }: SkillReport, host: HostProfile): Problem[] {
  const problems: Problem[] = [];
  const report = (said: Said, place: string) => problems.push(toProblem({ ...said, path: place, skill: uri }));
  const { title } = host;
  if (host.files !== undefined && files > host.files) {
    report(say('host-file-count', { host: title, most: host.files, files }), path);
  }
  if (host.skillSize !== undefined && bytes > host.skillSize) {
    report(say('host-skill-size', { host: title, most: host.skillSize, bytes }), path);
  }
  for (const resource of resources) {
    const isSkillFile = resource.uri === uri;
    const most = isSkillFile ? host.skillFileSize : host.fileSize;
    if (most === undefined || resource.size <= most) continue;
    const key = isSkillFile ? 'host-skill-file-size' : 'host-file-size';
    const place = `${path}/${resource.uri.slice(uri.lastIndexOf('/') + 1)}`;
    report(say(key, { host: title, most, bytes: resource.size }), place);
  }
  return problems;
}

/** Why a host would not take everything, one reason a line, and what else there is to know of it. */
export function explainHost(problems: readonly Problem[], host: HostProfile, name: string): string[] {
  return [...explainReasons(problems, host, name), ...host.notes.map((note) => `  ${note}`)];
}

function explainReasons(problems: readonly Problem[], host: HostProfile, name: string): string[] {
  // not the severity of the problem: to a host, --strict is nothing
  const reasons = problems.filter(({ code }) => CODES[code].severity === 'error' || code.startsWith('host-'));
  if (reasons.length === 0) return [`${host.title} would take all of it (--host ${name})`];
  const broken = new Set(reasons.map(({ skill, path }) => skill ?? path));
  const byCode = new Map<ProblemCode, number>();
  for (const { code } of reasons) byCode.set(code, (byCode.get(code) ?? 0) + 1);
  const what = host.allOrNothing ? 'would take none of it, because one failure costs all' : 'may not take all of it';
  return [
    `${host.title} ${what}; ${countOf(reasons.length, 'reason')} in ${countOf(broken.size, 'place')} (--host ${name}):`,
    ...[...byCode]
      .sort((a, b) => compareText(a[0], b[0]))
      .map(([code, count]) => `  ${count} x ${code}: ${CODES[code].title}`),
  ];
}
