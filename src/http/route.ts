import type { Answer } from '../mcp/protocol.ts';
import { admit, refuseFlood } from './admit.ts';
import { type Deps, ENDPOINT, isEndpoint, refuse, type Turn } from './context.ts';
import { answerEndpoint } from './endpoint.ts';
import { METRICS_TYPE } from './metrics.ts';
import { toPreflightHeaders } from './origin.ts';

const GREETING = `This is mcp-server-skills, an MCP server for Agent Skills. Connect an MCP client to ${ENDPOINT} on this host.\n`;
const JSON_TYPE = { 'content-type': 'application/json' };

/** Answers by path, after the checks of `Host` and `Origin`; undefined when the client is gone. */
export async function answerPath(turn: Turn, deps: Deps): Promise<Answer | undefined> {
  const { request, response, entry } = turn;
  const { path, verb } = entry;
  const isHealth = path === '/healthz' || path === '/readyz';
  const verdict = deps.guard.check(request, isHealth || path === '/metrics');
  for (const [name, value] of Object.entries(verdict.headers)) response.setHeader(name, value);
  const isPassed = verdict.refused === undefined && verb !== 'OPTIONS';
  const isMetrics = path === '/metrics' && deps.metrics !== undefined;
  const isProbe = isPassed && isHealth && (verb === 'GET' || verb === 'HEAD');
  // Those two take from the allowance of the token, once it is known.
  if (!isPassed || !(isEndpoint(path) || isMetrics)) {
    const wait = deps.limiter.take(isProbe ? `probe ${turn.client}` : turn.client);
    // A refused probe would have the server restarted, and costs as much as an answered one: too many are only not logged.
    if (isProbe) turn.isQuiet = wait > 0;
    else if (wait > 0) return refuseFlood(entry, wait);
  }
  if (verdict.refused !== undefined) return refuse(entry, 403, verdict.refused);
  if (!isPassed) return { status: 204, headers: toPreflightHeaders(request), body: undefined };

  if (isEndpoint(path)) return answerEndpoint(turn, deps);
  const isMetadata = deps.auth?.oauth?.metadataPaths.includes(path) === true;
  if (!isMetrics && !isMetadata && !isHealth) {
    if (path === '/') return toText(404, GREETING);
    return refuse(entry, 404, `nothing is here: the endpoint is ${ENDPOINT}`);
  }
  if (verb !== 'GET' && verb !== 'HEAD') {
    return refuse(entry, 405, 'this path is only read', { Allow: 'GET, HEAD, OPTIONS' });
  }
  if (isMetadata) return toJson(200, deps.auth?.oauth?.metadata, { 'cache-control': 'max-age=3600' });
  if (isMetrics) {
    const { refusal } = await admit(turn, deps);
    return refusal ?? toText(200, deps.metrics?.render(deps.gauges()) ?? '', METRICS_TYPE);
  }
  if (path === '/readyz' && deps.isDraining()) return toJson(503, { status: 'draining' });
  return toJson(200, { status: 'ok', ...(path === '/healthz' && deps.catalog) });
}

function toText(status: number, text: string, type = 'text/plain; charset=utf-8'): Answer {
  return { status, headers: { 'content-type': type, 'cache-control': 'no-store' }, body: Buffer.from(text) };
}

function toJson(
  status: number,
  value: unknown,
  headers: Record<string, string> = { 'cache-control': 'no-store' },
): Answer {
  return { status, headers: { ...JSON_TYPE, ...headers }, body: Buffer.from(JSON.stringify(value)) };
}
