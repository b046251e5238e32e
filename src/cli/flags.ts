/** The options of `serve` that only HTTP has. */
export interface HttpFlags {
  /** `[HOST:]PORT` */
  readonly http?: string;
  readonly allowHost: readonly string[];
  readonly allowOrigin: readonly string[];
  readonly tokenFile?: string;
  readonly oauthIssuer?: string;
  readonly oauthAudience?: string;
  readonly oauthScope: readonly string[];
  /** False for `--no-auth`. */
  readonly auth: boolean;
  readonly trustProxy?: boolean;
  readonly log?: 'text' | 'json';
  /** Requests a second that one client may sustain; ten times as many at once. */
  readonly rate?: number;
  readonly metrics?: boolean;
  /** The file that says who sees which skills. */
  readonly policy?: string;
  /** Whether people get pages. */
  readonly page?: boolean;
  /** In seconds. */
  readonly grace?: number;
}

/** The options of `serve` that wrap another server. */
export interface WrapFlags {
  readonly wrap?: boolean;
  /** Whether there is a prompt for each skill beside those of the wrapped server. */
  readonly wrapPrompts?: boolean;
}

/** Names the first option that means nothing without `--http`. */
export function findHttpFlag(flags: HttpFlags): string | undefined {
  const { allowHost, allowOrigin, tokenFile, oauthIssuer, oauthAudience, oauthScope, auth, log, metrics, grace, rate } =
    flags;
  const given: [string, boolean][] = [
    ['--allow-host', allowHost.length > 0],
    ['--allow-origin', allowOrigin.length > 0],
    ['--token-file', tokenFile !== undefined],
    ['--oauth-issuer', oauthIssuer !== undefined],
    ['--oauth-audience', oauthAudience !== undefined],
    ['--oauth-scope', oauthScope.length > 0],
    ['--no-auth', !auth],
    ['--trust-proxy', flags.trustProxy === true],
    ['--log', log !== undefined],
    ['--rate', rate !== undefined],
    ['--metrics', metrics === true],
    ['--policy', flags.policy !== undefined],
    ['--page', flags.page === true],
    ['--grace', grace !== undefined],
  ];
  return given.find(([, isGiven]) => isGiven)?.[0];
}
