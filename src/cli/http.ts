import type { SkillCatalog } from '../catalog/catalog.ts';
import type { AuthOptions } from '../http/auth.ts';
import { publishByCaller } from '../http/bycaller.ts';
import { judgeOptions } from '../http/exposure.ts';
import { type RunningHttp, serveHttp } from '../http/listen.ts';
import { publishLive, type ServedLive } from '../http/livecatalog.ts';
import { type OpenPublication, summarizeCatalog } from '../http/publication.ts';
import { serveUntil } from '../http/until.ts';
import type { Follower } from '../live/follow.ts';
import type { ToStandIn } from '../mcp/methods.ts';
import { countOf } from '../text/count.ts';
import { escapeText } from '../text/escape.ts';
import type { PageFacts } from './browsing.ts';
import type { HttpFlags } from './flags.ts';
import type { ServedSource } from './opening.ts';
import type { Policing } from './policing.ts';
import type { ReloadLog } from './reloads.ts';
import { CommandError, EXIT, type Terminal } from './terminal.ts';

/** What a command line asks for over HTTP. */
interface PreparedHttp {
  /** Whether callers show a token. */
  readonly hasAuth: boolean;
  /** Serves live skills until the process is told to end; `page` is shown to people. */
  readonly publish: (
    live: Follower,
    served: Served,
    page: Omit<PageFacts, 'problems'>,
    policing?: Policing,
  ) => Promise<number>;
}

/** How skills are served. */
interface Served extends Pick<ServedLive, 'describePrompts'>, Pick<ReloadLog, 'ask'> {
  /** Makes a server for what a caller sees, or for all live skills. */
  readonly createServer: (
    skills: SkillCatalog | Follower,
    toStandIn: ToStandIn,
  ) => ReturnType<ServedLive['createServer']>;
  readonly facts: ServedFacts;
}

/** What is shown of a catalog beside its numbers. */
export interface ServedFacts {
  /** Present where it has to be equal to a lock. */
  readonly locked?: true;
  /** Where it is from now, beside folders; undefined where it is from folders alone. */
  readonly sources: readonly ServedSource[] | undefined;
}

/** A hang-up reads the skills and the policy as well as the tokens; what comes of it is in the log. */
function withSkills(
  running: RunningHttp,
  live: Follower,
  { ask }: Pick<ReloadLog, 'ask'>,
  policing?: Policing,
): RunningHttp {
  return {
    ...running,
    async reload() {
      await Promise.allSettled([running.reload(), policing?.reload(live.catalog)]);
      await ask(live).catch(() => undefined);
    },
  };
}

/** Judges the options for HTTP; what comes back publishes a catalog until the process is told to end. */
export function prepareHttp(
  address: string,
  flags: HttpFlags & { readonly cacheScope: 'private' | 'public' },
  terminal: Terminal,
): PreparedHttp {
  const { allowHost, auth, trustProxy, log = 'text', metrics, grace, rate } = flags;
  const options = {
    ...parseAddress(address),
    allowHosts: allowHost,
    allowOrigins: toOrigins(address, flags),
    auth: toAuth(flags, terminal.env['MCP_SKILLS_TOKEN']),
    noAuth: !auth,
    log,
    stderr: terminal.error,
    cacheScope: flags.cacheScope,
    ...(trustProxy === undefined ? {} : { trustProxy }),
    ...(metrics === undefined ? {} : { metrics }),
    ...(rate === undefined ? {} : { limits: { requestsPerSecond: rate, burst: rate * 10 } }),
    ...(grace === undefined ? {} : { graceSeconds: grace }),
  };
  const { hasAuth } = judgeOptions(options);
  const publish: PreparedHttp['publish'] = async (live, served, page, policing) => {
    const { error: stderr, signal, hangups } = terminal;
    const pages = flags.page === true ? await import('./browsing.ts') : undefined;
    const toSite = pages?.createServedSites();
    const addRoutes =
      toSite &&
      pages?.createPages(({ catalog }, needsToken) => {
        const { status } = live;
        // under a policy, when something was loaded tells of skills that are not seen
        const note = policing ? undefined : pages.describeGeneration(status);
        const facts = { ...page, problems: policing ? catalog.problems : status.problems };
        return toSite(catalog, facts, { server: toPublicUrl(flags) ?? running.url, hasAuth: needsToken, note });
      });
    const running = await serveHttp({
      ...options,
      publish: policing ? openByCaller(live, served, policing) : openForAll(live, served),
      ...(addRoutes && { addRoutes }),
    });
    // what was written to the policy since it was read
    void live.start().then(() => policing?.reload(live.catalog));
    // Listens to signals before anybody is told that it serves.
    const over = serveUntil(signal, withSkills(running, live, served, policing), hangups);
    const summary = { ...summarizeCatalog(live.catalog), ...served.facts };
    const from = served.facts.sources?.map(({ root, revision }) => `${root} (${revision})`).join(', ');
    if (log === 'text') {
      const what = `${countOf(summary.skills, 'skill')}${from === undefined ? '' : ` from ${escapeText(from)}`}`;
      stderr.write(`Serving ${what} at ${running.url}\n`);
    } else stderr.write(`${JSON.stringify({ time: new Date().toISOString(), url: running.url, ...summary })}\n`);
    await over;
    await live.close();
    return EXIT.well;
  };
  return { hasAuth, publish };
}

function openForAll(live: Follower, { createServer, describePrompts, facts }: Served): OpenPublication {
  return publishLive(live, { createServer: (toStandIn) => createServer(live, toStandIn), describePrompts, facts });
}

/** What is known of the sources is not shown: it changes with skills that not everybody sees. */
function openByCaller(live: Follower, served: Served, { sights }: Policing): OpenPublication {
  const { createServer, describePrompts, facts } = served;
  const shown = facts.locked === undefined ? {} : { locked: facts.locked };
  return publishByCaller(live, sights, { createServer, describePrompts, facts: shown });
}

/** Where clients reach the server, as far as the options say. */
function toPublicUrl({ oauthAudience, allowHost: [name] }: HttpFlags): string | undefined {
  return oauthAudience ?? (name === undefined ? undefined : `https://${name}/mcp`);
}

/** The origins that may send requests: the pages of this server, too, which browsers name in the form of signing in. */
function toOrigins(address: string, { allowOrigin, allowHost, page }: HttpFlags): readonly string[] {
  if (page !== true) return allowOrigin;
  const { port } = parseAddress(address);
  return [
    ...allowOrigin,
    ...allowHost.flatMap((name) => [`https://${name}`, `http://${name}`, `http://${name}:${port}`]),
  ];
}

function parseAddress(address: string): { host?: string; port: number } {
  const [, host, digits] = /^(?:(\[[0-9a-fA-F:.]+\]|[^:[\]]+):)?(\d+)$/.exec(address) ?? [];
  const port = Number(digits);
  if (digits === undefined || port > 65_535) {
    throw new CommandError(EXIT.usage, `--http takes a port or HOST:PORT, not "${address}": --http 127.0.0.1:3000`);
  }
  return { port, ...(host === undefined ? {} : { host }) };
}

function toAuth(flags: HttpFlags, token: string | undefined): AuthOptions {
  const { tokenFile, oauthIssuer: issuer, oauthAudience: audience, oauthScope: scopes } = flags;
  if ((issuer === undefined) !== (audience === undefined) || (scopes.length > 0 && issuer === undefined)) {
    throw new CommandError(EXIT.usage, '--oauth-issuer and --oauth-audience go together; --oauth-scope needs both');
  }
  return {
    ...(tokenFile === undefined ? {} : { tokenFile }),
    ...(token === undefined ? {} : { token }),
    ...(issuer === undefined || audience === undefined ? {} : { oauth: { issuer, audience, scopes } }),
  };
}
