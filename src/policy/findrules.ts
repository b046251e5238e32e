import { createHash } from 'node:crypto';
import { hasClaim, type Policy, type PolicyCaller, type Principal, type Rule } from './policy.ts';

/** The rules that name a caller. Equal keys have the same rules. */
interface NamedBy {
  readonly key: string;
  readonly rules: ReadonlySet<Rule>;
}

export type FindRules = (caller: PolicyCaller) => NamedBy;

/** Callers of one kind that are kept. */
const KEPT = 1000;

/** Makes the search for the rules that name a caller. They are looked up, so that thousands of them cost a request little. */
export function createFindRules({ rules }: Policy): FindRules {
  const byPrincipal = new Map<string, number[]>();
  const claims = new Map<string, Extract<Principal, { kind: 'claim' }>>();
  for (const [place, { to }] of rules.entries()) {
    for (const principal of to) {
      const key = toKey(principal);
      if (principal.kind === 'claim') claims.set(key, principal);
      const places = byPrincipal.get(key) ?? [];
      places.push(place);
      byPrincipal.set(key, places);
    }
  }
  const known = new Map<string, NamedBy>();
  return (caller) => {
    const keys = listPrincipals(caller).map(toKey);
    for (const [key, { name, pattern }] of claims) if (hasClaim(caller, name, pattern)) keys.push(key);
    const named = keys.filter((key) => byPrincipal.has(key)).join('\n');
    const found = known.get(named) ?? toNamedBy(rules, new Set(keys.flatMap((key) => byPrincipal.get(key) ?? [])));
    if (known.size >= KEPT) known.clear();
    known.set(named, found);
    return found;
  };
}

/** What a caller is, without its claims. */
function listPrincipals({ token, scopes = [], isAnonymous = false }: PolicyCaller): Principal[] {
  return [
    { kind: 'everyone' },
    ...(isAnonymous ? [{ kind: 'anonymous' } as const] : []),
    ...(token === undefined ? [] : [{ kind: 'token', name: token } as const]),
    ...scopes.map((name) => ({ kind: 'scope', name }) as const),
  ];
}

function toNamedBy(rules: readonly Rule[], places: ReadonlySet<number>): NamedBy {
  const sorted = [...places].sort((a, b) => a - b);
  return {
    key: createHash('sha256').update(sorted.join(' ')).digest('base64'),
    rules: new Set(sorted.flatMap((place) => rules[place] ?? [])),
  };
}

function toKey(principal: Principal): string {
  return JSON.stringify(Object.values(principal));
}
