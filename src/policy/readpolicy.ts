import type { Pattern, Policy, Principal, Rule } from './policy.ts';
import { parsePolicyText, type Value } from './yamlfile.ts';

/** Names of groups: none of the other forms of a principal looks like one. */
const GROUP = /^[A-Za-z0-9][\w.-]*$/;

type Groups = ReadonlyMap<string, readonly Principal[]>;

/**
 * Reads a policy, in YAML 1.2 or JSON.
 *
 * @throws PolicyError for the first thing that is wrong, with its place
 */
export function readPolicy(text: string): Policy {
  const root = parsePolicyText(text);
  const members = root.members(['version', 'default', 'groups', 'rules']);
  const version = need(root, members, 'version');
  if (version.scalar() !== 1) throw version.fault('the "version" is not 1');
  const fallback = need(root, members, 'default');
  const chosen = fallback.scalar();
  if (chosen !== 'none' && chosen !== 'all') {
    throw fallback.fault('the "default" is not "none" or "all": it is for callers that no rule names');
  }
  const groups = readGroups(members.get('groups'));
  const rules = need(root, members, 'rules');
  return { fallback: chosen, rules: rules.items().map((rule) => readRule(rule, groups)), place: rules.place };
}

function need(owner: Value, members: ReadonlyMap<string, Value>, name: string): Value {
  const value = members.get(name);
  if (value === undefined) throw owner.fault(`${owner.what} has no "${name}"`);
  return value;
}

function readGroups(groups: Value | undefined): Groups {
  const entries = [...(groups?.entries() ?? [])];
  return new Map(
    entries.map(([name, group]) => {
      if (!GROUP.test(name)) {
        throw group.fault(`"${name}" is not a name for a group: use letters, digits, "_", "." and "-"`);
      }
      const members = group.members(['tokens', 'scopes', 'claims']);
      const principals = [
        ...(members.get('tokens')?.texts() ?? []).map(({ text }) => ({ kind: 'token', name: text }) as const),
        ...(members.get('scopes')?.texts() ?? []).map(({ text }) => ({ kind: 'scope', name: text }) as const),
        ...[...(members.get('claims')?.entries() ?? [])].flatMap(([claim, patterns]) =>
          patterns.texts().map(({ text }) => ({ kind: 'claim', name: claim, pattern: text }) as const),
        ),
      ];
      if (principals.length === 0) throw group.fault(`the group "${name}" has no member`);
      return [name, principals] as const;
    }),
  );
}

function readRule(rule: Value, groups: Groups): Rule {
  const members = rule.members(['allow', 'deny', 'to', 'except']);
  const [allow, deny] = [members.get('allow'), members.get('deny')];
  const patterns = allow ?? deny;
  if (patterns === undefined) throw rule.fault(`${rule.what} has neither "allow" nor "deny"`);
  if (allow !== undefined && deny !== undefined) {
    throw deny.fault(`${rule.what} has both "allow" and "deny": make two rules of it`);
  }
  const to = need(rule, members, 'to').texts();
  return {
    effect: allow === undefined ? 'deny' : 'allow',
    patterns: readPatterns(patterns),
    except: readPatterns(members.get('except')),
    to: to.flatMap(({ text, value }) => readPrincipal(text, value, groups)),
    line: rule.place.line,
  };
}

function readPatterns(value: Value | undefined): readonly Pattern[] {
  return (value?.texts() ?? []).map(({ text, value: each }) => {
    const path = text.replace(/^skill:\/\//, '').replace(/\/SKILL\.md$/, '');
    if (path !== text) throw each.fault(`"${text}" is a URI: write the path of the skill, "${path}"`);
    if (/^\.?\/|\/$/.test(text)) {
      throw each.fault(`"${text}" begins or ends with a slash: write "${text.replace(/^\.?\/+|\/+$/g, '')}"`);
    }
    return { glob: text, ...each.place };
  });
}

function readPrincipal(text: string, value: Value, groups: Groups): readonly Principal[] {
  if (text === '*') return [{ kind: 'everyone' }];
  if (text === 'anonymous') return [{ kind: 'anonymous' }];
  const principal = toPrincipal(text);
  if (principal !== undefined) return [principal];
  const group = groups.get(text);
  if (group !== undefined) return group;
  const known = [...groups.keys()];
  const names = known.length === 0 ? 'there are no groups' : `the groups are ${known.join(', ')}`;
  throw value.fault(`"${text}" is not a group, token:NAME, scope:NAME, claim:NAME=VALUE, anonymous or *; ${names}`);
}

/** A principal as it is typed, without groups; undefined for what is none. */
export function toPrincipal(text: string): Principal | undefined {
  const [, kind, rest = ''] = /^(token|scope|claim):(.+)$/s.exec(text) ?? [];
  if (kind === 'token' || kind === 'scope') return { kind, name: rest };
  const [, name, pattern] = kind === 'claim' ? (/^([^=]+)=(.+)$/s.exec(rest) ?? []) : [];
  return name === undefined || pattern === undefined ? undefined : { kind: 'claim', name, pattern };
}
