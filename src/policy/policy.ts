/** Who is meant, by one of the things that are known of a caller. */
export type Principal =
  | { readonly kind: 'everyone' }
  | { readonly kind: 'anonymous' }
  | { readonly kind: 'token'; readonly name: string }
  | { readonly kind: 'scope'; readonly name: string }
  /** `pattern` may hold `*` for any characters. */
  | { readonly kind: 'claim'; readonly name: string; readonly pattern: string };

/** A glob on the path of a skill, and where it is written. */
export interface Pattern {
  readonly glob: string;
  /** 1-based. */
  readonly line: number;
  /** 1-based, in UTF-16 units. */
  readonly column: number;
}

/** What some callers may see, or may not. */
export interface Rule {
  readonly effect: 'allow' | 'deny';
  readonly patterns: readonly Pattern[];
  readonly except: readonly Pattern[];
  /** One of them is enough. */
  readonly to: readonly Principal[];
  /** 1-based. */
  readonly line: number;
}

/** Who sees which skills. */
export interface Policy {
  /** For callers that no rule names. */
  readonly fallback: 'none' | 'all';
  readonly rules: readonly Rule[];
}

/** What is known of a caller. */
export interface PolicyCaller {
  /** The name of its token. */
  readonly token?: string | undefined;
  readonly scopes?: readonly string[] | undefined;
  /** Of its access token: strings and lists of strings count. */
  readonly claims?: Readonly<Record<string, unknown>> | undefined;
  /** Whether it sent no token, where none is needed. */
  readonly isAnonymous?: boolean | undefined;
}

/** Whether a principal is one of a caller's. */
export function isPrincipal(principal: Principal, caller: PolicyCaller): boolean {
  if (principal.kind === 'everyone') return true;
  if (principal.kind === 'anonymous') return caller.isAnonymous === true;
  if (principal.kind === 'token') return caller.token === principal.name;
  if (principal.kind === 'scope') return caller.scopes?.includes(principal.name) === true;
  const { claims = {} } = caller;
  const value = Object.hasOwn(claims, principal.name) ? claims[principal.name] : undefined;
  return [value].flat().some((each) => typeof each === 'string' && matches(principal.pattern, each));
}

/** A pattern of a claim: `*` is any characters, and all others are themselves. */
function matches(pattern: string, value: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return value === pattern;
  if (!value.startsWith(first)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = value.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return value.length - last.length >= at && value.endsWith(last);
}
