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
  /** Where the list of rules is, 1-based. */
  readonly place: { readonly line: number; readonly column: number };
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

/** Whether a claim of a caller is a string, or a list with a string, that a pattern matches from its beginning to its end. */
export function hasClaim({ claims = {} }: PolicyCaller, name: string, pattern: string): boolean {
  const value = Object.hasOwn(claims, name) ? claims[name] : undefined;
  return [value].flat().some((each) => typeof each === 'string' && matches(pattern, each));
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
