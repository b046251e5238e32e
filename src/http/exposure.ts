import { CommandError, EXIT } from '../error.ts';
import type { AuthOptions } from './auth.ts';
import { createOAuth } from './oauth.ts';
import { createOriginCheck, isLoopback, type OriginCheck } from './origin.ts';

/** The options that say who may read. */
export interface Exposure {
  /** Default 127.0.0.1. */
  host?: string;
  /** Host names that pass beside the loopback ones, with any port. */
  allowHosts?: readonly string[];
  /** Origins of web pages that pass beside the loopback ones. */
  allowOrigins?: readonly string[];
  auth?: AuthOptions;
  /** Anyone who reaches the port may read. */
  noAuth?: boolean;
  /** What the responses tell caches; `public` contradicts `auth`. Default private. */
  cacheScope?: 'private' | 'public';
}

/**
 * Judges what can be judged of the options before anything is read. Throws a CommandError (`usage`) for those that contradict
 * each other, would be unsafe, or cannot be meant.
 */
export function judgeOptions(options: Exposure): { hasAuth: boolean; origin: OriginCheck } {
  const hasAuth = checkExposure(options);
  if (options.auth?.oauth !== undefined) createOAuth(options.auth.oauth);
  return { hasAuth, origin: createOriginCheck(options.allowHosts ?? [], options.allowOrigins ?? []) };
}

/** Refuses what would publish more than was meant; says whether clients have to show who they are. */
function checkExposure(options: Exposure): boolean {
  const { auth, noAuth = false, host = '127.0.0.1', allowHosts = [] } = options;
  const hasAuth = auth?.token !== undefined || auth?.tokenFile !== undefined || auth?.oauth !== undefined;
  if (hasAuth && noAuth) {
    throw new CommandError(EXIT.usage, '--no-auth contradicts the tokens or OAuth that are set: leave one of them out');
  }
  if (hasAuth && options.cacheScope === 'public') {
    throw new CommandError(
      EXIT.usage,
      '--cache-scope public lets shared caches hand out what needs a token: leave it out',
    );
  }
  if (isLoopback(host)) return hasAuth;
  if (!hasAuth && !noAuth) {
    throw new CommandError(
      EXIT.usage,
      `${host} can be reached from other machines: set --token-file, MCP_SKILLS_TOKEN or --oauth-issuer, or say --no-auth`,
    );
  }
  if (allowHosts.length === 0) {
    throw new CommandError(
      EXIT.usage,
      `${host} can be reached from other machines: name this server with --allow-host NAME`,
    );
  }
  return hasAuth;
}
