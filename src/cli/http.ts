import type { McpServerFactory } from '@modelcontextprotocol/server';
import type { SkillCatalog } from '../catalog/catalog.ts';
import { countOf } from '../report/count.ts';
import type { AuthOptions } from '../serve/auth.ts';
import { ServeError } from '../serve/error.ts';
import { serveHttp } from '../serve/http.ts';
import { serveUntil } from '../serve/until.ts';
import type { HttpFlags } from './flags.ts';
import { CommandError, EXIT, type Terminal } from './terminal.ts';

/** Publishes a catalog over Streamable HTTP until the process is told to end. */
export async function runHttp(
  address: string,
  catalog: SkillCatalog,
  createServer: McpServerFactory,
  flags: HttpFlags & { readonly cacheScope: 'private' | 'public' },
  terminal: Terminal,
): Promise<number> {
  const { error: stderr, env, signal, hangups } = terminal;
  const files = catalog.skills.flatMap(({ resources }) => resources);
  const summary = {
    digest: catalog.digest,
    skills: catalog.skills.length,
    files: files.length,
    bytes: files.reduce((sum, { size }) => sum + size, 0),
  };
  const { allowHost, allowOrigin, auth, trustProxy, log = 'text', metrics, grace, rate } = flags;
  try {
    const running = await serveHttp({
      ...parseAddress(address),
      createServer,
      catalog: summary,
      allowHosts: allowHost,
      allowOrigins: allowOrigin,
      auth: toAuth(flags, env['MCP_SKILLS_TOKEN']),
      noAuth: !auth,
      log,
      stderr,
      cacheScope: flags.cacheScope,
      ...(trustProxy === undefined ? {} : { trustProxy }),
      ...(metrics === undefined ? {} : { metrics }),
      ...(rate === undefined ? {} : { limits: { requestsPerSecond: rate, burst: rate * 10 } }),
      ...(grace === undefined ? {} : { graceSeconds: grace }),
    });
    const count = countOf(summary.skills, 'skill');
    if (log === 'text') stderr.write(`Serving ${count} at ${running.url}\n`);
    else stderr.write(`${JSON.stringify({ time: new Date().toISOString(), url: running.url, ...summary })}\n`);
    await serveUntil(signal, running, hangups, stderr);
    return EXIT.well;
  } catch (cause) {
    if (!(cause instanceof ServeError)) throw cause;
    throw new CommandError(cause.kind === 'usage' ? EXIT.usage : EXIT.failure, cause.message, { cause });
  }
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
