import { realpathSync } from 'node:fs';
import { basename, isAbsolute, relative, resolve, sep } from 'node:path';
import type { SkillCatalog } from '../catalog/catalog.ts';
import { toRemote } from '../config/remote.ts';
import { parseRoot } from '../disk/roots.ts';
import type { RootReport } from '../judge/judge.ts';
import { compareCatalogs } from '../lock/compare.ts';
import { sortByName } from '../page/discovery.ts';
import { requireOutput, writeSite } from '../page/output.ts';
import { toSheets } from '../page/sheet.ts';
import type { Since } from '../page/since.ts';
import { createSite } from '../page/site.ts';
import { parseSource, placeSource } from '../sources/grammar.ts';
import { countOf } from '../text/count.ts';
import { escapeText } from '../text/escape.ts';
import { isRevision, openEarlier } from './earlier.ts';
import { requireRoots } from './here.ts';
import { listInstalls } from './installs.ts';
import { type Judged, judgeRoots } from './judging.ts';
import { type PublishOptions, publishRoots } from './publish.ts';
import { isServer, readSide, type Side, type SideOptions, toRootSide } from './sides.ts';
import { CommandError, EXIT, type Terminal } from './terminal.ts';

/** The options of `site`. */
export interface SiteFlags extends PublishOptions {
  readonly out: string;
  readonly title: string;
  readonly baseUrl?: string;
  readonly server?: string;
  readonly since?: string;
}

/** Writes a static site of what would be published. */
export async function runSite(roots: readonly string[], flags: SiteFlags, terminal: Terminal): Promise<number> {
  const { out, title } = flags;
  if (title.trim() === '') throw new CommandError(EXIT.usage, '--title is empty');
  const baseUrl = flags.baseUrl === undefined ? undefined : toBaseUrl('--base-url', flags.baseUrl);
  const server = flags.server === undefined ? undefined : toPublicUrl('--server', flags.server);
  if (flags.since === '') throw new CommandError(EXIT.usage, '--since is empty: is a variable unset?');
  const path = requireOutput(resolve(terminal.cwd, out), out);
  const given = requireRoots(roots, terminal);
  const loaded = await publishRoots(given, { ...flags, lints: true }, terminal);
  if ('status' in loaded) return loaded.status;
  const { catalog, judged } = loaded;
  requireApart(path, out, judged.reports);
  const since = flags.since === undefined ? undefined : await readSince(flags.since, loaded, flags, terminal);
  const site = createSite(catalog, {
    title,
    since,
    problems: judged.problems,
    install: { server, baseUrl, hosts: listInstalls(given, server) },
  });
  writeSite(site, path, out);
  const { skills } = toSheets(catalog, []);
  const skillCount = countOf(skills.length, 'skill');
  terminal.output.write(`wrote ${countOf(site.size, 'file')} for ${skillCount} to ${escapeText(out)}\n`);
  for (const { path, skill } of sortByName(skills).unlisted) {
    const { name } = skill.frontmatter;
    terminal.error.write(
      `mcp-server-skills: the index lists another skill "${name}", and clients install by name: "${path}" is in the index of its group alone\n`,
    );
  }
  return EXIT.well;
}

/** What changed since a lock, what `list --json` printed, a folder, or a revision of the same roots. */
async function readSince(
  argument: string,
  { catalog, judged }: { readonly catalog: SkillCatalog; readonly judged: Judged },
  flags: SiteFlags,
  terminal: Terminal,
): Promise<Since> {
  const { exclude, nested, pathFrom } = flags;
  const options = { exclude, ...(nested && { nested }), ...(pathFrom && { pathFrom }) };
  const side = isRevision(argument, terminal)
    ? await readEarlier(argument, judged, options, terminal)
    : await readSide(argument, options, terminal);
  return { label: toPublicLabel(argument), diff: compareCatalogs(side.catalog, catalog) };
}

/** A root as a page shows it that everybody reads: an absolute path is of this machine. */
function toPublicLabel(argument: string): string {
  if (isServer(argument)) return argument;
  const { path, prefix } = parseRoot(argument);
  const source = parseSource(path);
  const toName = (place: string) => (isAbsolute(place) ? basename(place) : place);
  const shown = source === undefined ? toName(path) : placeSource(path, source, toName);
  return prefix === undefined ? shown : `${prefix}=${shown}`;
}

async function readEarlier(
  revision: string,
  { opened }: Judged,
  options: SideOptions,
  terminal: Terminal,
): Promise<Side> {
  const roots = await openEarlier(opened, revision, terminal);
  return toRootSide(await judgeRoots([], { ...options, roots }, terminal), revision, '', terminal);
}

/** A site in a folder of skills would be taken for skills, and skills in a site would be removed with it. */
function requireApart(path: string, out: string, reports: readonly RootReport[]): void {
  for (const { root } of reports) {
    if (root.folder === undefined) continue;
    const folder = realpathSync(root.folder);
    if (isBelow(path, folder) || isBelow(folder, path)) {
      throw new CommandError(
        EXIT.usage,
        `--out "${out}" and the root "${root.path}" are one inside the other: a site contains copies of every SKILL.md, so name a folder beside the skills`,
      );
    }
  }
}

function isBelow(path: string, folder: string): boolean {
  const inner = relative(folder, path);
  return inner === '' || (inner !== '..' && !inner.startsWith(`..${sep}`) && resolve(inner) !== inner);
}

function toBaseUrl(option: string, text: string): string {
  return toPublicUrl(option, text).replace(/\/*$/, '/');
}

/** An address that everybody may read. */
function toPublicUrl(option: string, text: string): string {
  const typed = URL.canParse(text) ? new URL(text) : undefined;
  if (typed !== undefined && (typed.username !== '' || typed.password !== '')) {
    throw new CommandError(EXIT.usage, `${option}: everybody reads the page, so leave the user out of the address`);
  }
  let url: URL;
  try {
    url = new URL(toRemote(text, []).url);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    throw new CommandError(EXIT.usage, `${option}: ${error.message}`, { cause: error });
  }
  if (url.search === '' && url.hash === '') return url.href;
  throw new CommandError(
    EXIT.usage,
    `${option} "${text}": everybody reads the page, so leave out what follows "?" and "#"`,
  );
}
