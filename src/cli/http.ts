import type { Server } from '@modelcontextprotocol/server';
import type { AuthOptions } from '../http/auth.ts';
import { judgeOptions } from '../http/exposure.ts';
import { ServeError } from '../http/fault.ts';
import { serveHttp } from '../http/listen.ts';
import type { CatalogSummary } from '../http/metrics.ts';
import { createFindSubject } from '../http/subject.ts';
import { serveUntil } from '../http/until.ts';
import { warmUp } from '../http/warm.ts';
import type { Follower } from '../live/follow.ts';
import { createLongContents } from '../mcp/long.ts';
import type { ToStandIn } from '../mcp/methods.ts';
import { countOf } from '../text/count.ts';
import { escapeText } from '../text/escape.ts';
import type { HttpFlags } from './flags.ts';
import type { ServedSource } from './opening.ts';
import { CommandError, EXIT, type Terminal } from './terminal.ts';

/** Serves a catalog over HTTP until the process is told to end; `facts` are shown by /healthz. */
type PublishHttp = (
  live: Follower,
  createServer: (toStandIn: ToStandIn) => Server,
  facts?: Pick<CatalogSummary, 'locked'> & {
    /** Where it is from now. */ readonly sources?: () => readonly ServedSource[];
  },
) => Promise<number>;

/** Judges the options for HTTP; what comes back publishes a catalog until the process is told to end. */
export function prepareHttp(
  address: string,
  flags: HttpFlags & { readonly cacheScope: 'private' | 'public' },
  terminal: Terminal,
): PublishHttp {
  const { allowHost, allowOrigin, auth, trustProxy, log = 'text', metrics, grace, rate } = flags;
  const options = {
    ...parseAddress(address),
    allowHosts: allowHost,
    allowOrigins: allowOrigin,
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
  try {
    judgeOptions(options);
  } catch (error) {
    throw toCommandError(error);
  }
  return async (live, create, facts = {}) => {
    const { catalog } = live;
    const { toStandIn, fill } = createLongContents();
    const createServer = () => create(toStandIn);
    const { error: stderr, signal, hangups } = terminal;
    const files = catalog.skills.flatMap(({ resources }) => resources);
    const summary = {
      digest: catalog.digest,
      skills: catalog.skills.length,
      files: files.length,
      bytes: files.reduce((sum, { size }) => sum + size, 0),
      ...(facts.locked === undefined ? {} : { locked: facts.locked }),
      get sources() {
        const now = facts.sources?.() ?? [];
        return now.length === 0 ? undefined : now;
      },
    };
    await warmUp(createServer);
    const running = await serveHttp({
      ...{ ...options, createServer, fill, catalog: summary },
      findSubject: createFindSubject(catalog),
    }).catch((error: unknown) => {
      throw toCommandError(error);
    });
    // Listens to signals before anybody is told that it serves.
    const served = serveUntil(signal, running, hangups);
    const count = countOf(summary.skills, 'skill');
    const from = (summary.sources ?? []).map(({ root, revision }) => `${root} (${revision})`).join(', ');
    if (log === 'text') {
      stderr.write(`Serving ${count}${from === '' ? '' : ` from ${escapeText(from)}`} at ${running.url}\n`);
    } else stderr.write(`${JSON.stringify({ time: new Date().toISOString(), url: running.url, ...summary })}\n`);
    await served;
    return EXIT.well;
  };
}

function toCommandError(error: unknown): unknown {
  if (!(error instanceof ServeError)) return error;
  return new CommandError(error.kind === 'usage' ? EXIT.usage : EXIT.failure, error.message, { cause: error });
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
