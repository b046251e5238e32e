import picomatch from 'picomatch';
import { createFindRules, type FindRules } from './findrules.ts';
import type { Pattern, Policy, PolicyCaller, Rule } from './policy.ts';

/** Whether a caller sees a skill, and why. */
export interface Decision {
  readonly isVisible: boolean;
  /** The rule that decided; undefined where none did. */
  readonly rule: Rule | undefined;
  /** Whether some rule names the caller: where none does, the default decides. */
  readonly isNamed: boolean;
}

/** Decides for the skills of one catalog. */
export interface Decider {
  /** Decides for one caller: what comes back is asked with the path of a skill. */
  decide(caller: PolicyCaller): (path: string) => Decision;
  /** Decides for all callers whom these rules name. */
  decideFor(named: ReadonlySet<Rule>): (path: string) => Decision;
  /** Patterns that match no skill, in the order of the file. */
  readonly idle: readonly Pattern[];
}

/** What is made of a policy once, whatever the skills are. */
interface Compiled {
  readonly patterns: readonly Pattern[];
  readonly find: (path: string) => ReadonlySet<string>;
  readonly byGlob: RulesByGlob;
  readonly findRules: FindRules;
}

const compiled = new WeakMap<Policy, Compiled>();

/**
 * Prepares the decisions of a policy: which rules match which skill is found once, and each caller costs a walk through the rules that name
 * it.
 *
 * @param paths - of all skills: groups and name, joined by `/`
 */
export function createDecider(policy: Policy, paths: readonly string[]): Decider {
  const { fallback } = policy;
  const { patterns, find, byGlob, findRules } = compiled.get(policy) ?? compile(policy);
  const used = new Set<string>();
  const matching = new Map(
    paths.map((path) => {
      const globs = find(path);
      for (const glob of globs) used.add(glob);
      return [path, toMatching(byGlob, globs)] as const;
    }),
  );
  const decideFor = (named: ReadonlySet<Rule>) => (path: string) => {
    if (named.size === 0) return { isVisible: fallback === 'all', rule: undefined, isNamed: false };
    const mine = (matching.get(path) ?? toMatching(byGlob, find(path))).filter((rule) => named.has(rule));
    const denial = mine.find(({ effect }) => effect === 'deny');
    const rule = denial ?? mine[0];
    return { isVisible: rule !== undefined && denial === undefined, rule, isNamed: true };
  };
  return {
    idle: patterns.filter(({ glob }) => !used.has(glob)),
    decideFor,
    decide: (caller) => decideFor(findRules(caller).rules),
  };
}

function compile(policy: Policy): Compiled {
  const { rules } = policy;
  const patterns = rules.flatMap(({ patterns: own, except }) => [...own, ...except]);
  const find = createFinder([...new Set(patterns.map(({ glob }) => glob))]);
  const made = { patterns, find, byGlob: indexRules(rules), findRules: createFindRules(policy) };
  compiled.set(policy, made);
  return made;
}

type RulesByGlob = ReadonlyMap<string, ReadonlyMap<Rule, number>>;

/** The rules that each glob is part of, with their places. */
function indexRules(rules: readonly Rule[]): RulesByGlob {
  const byGlob = new Map<string, Map<Rule, number>>();
  for (const [place, rule] of rules.entries()) {
    for (const { glob } of rule.patterns) {
      const known = byGlob.get(glob) ?? new Map<Rule, number>();
      byGlob.set(glob, known.set(rule, place));
    }
  }
  return byGlob;
}

/** The rules that are about a skill, in their order, by the globs that match its path. */
function toMatching(byGlob: RulesByGlob, globs: ReadonlySet<string>): readonly Rule[] {
  const found = new Map([...globs].flatMap((glob) => [...(byGlob.get(glob) ?? [])]));
  return [...found]
    .filter(([{ except }]) => !except.some(({ glob }) => globs.has(glob)))
    .sort(([, a], [, b]) => a - b)
    .map(([rule]) => rule);
}

/** A glob that has to be tried on a path, once the path holds what every match of it does. */
interface Trial {
  readonly glob: string;
  readonly regex: RegExp;
  readonly literal: string;
}

/**
 * Finds the globs that match a path. Names, and what ends in a slash and two stars, are looked up; others are tried on the paths that begin
 * or end with their first or last name, where that is plain. So thousands of rules cost little.
 */
function createFinder(globs: readonly string[]): (path: string) => ReadonlySet<string> {
  const known = new Set(globs);
  const trials = new Map<string, Trial[]>();
  for (const glob of globs) {
    if (glob === '**' || isPlain(glob.replace(/\/\*\*$/, ''))) continue;
    const key = toKey(glob);
    const regex = picomatch.makeRe(glob, { dot: true, nonegate: true });
    const kept = trials.get(key) ?? [];
    kept.push({ glob, regex, literal: toLiteral(glob) });
    trials.set(key, kept);
  }
  return (path) => {
    const found = new Set(['**', path].filter((glob) => known.has(glob)));
    for (let folder = path; folder !== ''; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
      if (known.has(`${folder}/**`)) found.add(`${folder}/**`);
    }
    const names = path.split('/');
    for (const key of [`first ${names[0]}`, `last ${names.at(-1)}`, '']) {
      for (const { glob, regex, literal } of trials.get(key) ?? []) {
        if (path.includes(literal) && regex.test(path)) found.add(glob);
      }
    }
    return found;
  };
}

/** Where a glob is kept: by its first or last name, where every match has that. */
function toKey(glob: string): string {
  const names = isSimple(glob) ? glob.split('/') : [];
  const [first = '', last = ''] = [names[0], names.at(-1)];
  if (isPlain(last)) return `last ${last}`;
  return isPlain(first) ? `first ${first}` : '';
}

/** What stands for one of several texts in a glob: sets and lists, and a slash, a star or a question mark. */
const CHOICES = /\{[^{}]*\}|\[[^\]]*\]|[*?/]/;

/** The longest text that every match of a glob holds; empty where that is not easily seen. */
function toLiteral(glob: string): string {
  const parts = /^[A-Za-z0-9*?/,{}[\]-]+$/.test(glob) ? glob.split(CHOICES) : [];
  // what is left of nested lists is none
  if (parts.some((part) => !isPlain(part) && part !== '')) return '';
  return parts.reduce((longest, part) => (part.length > longest.length ? part : longest), '');
}

/** Whether a glob has no other signs than stars, question marks and slashes. */
function isSimple(glob: string): boolean {
  return /^[A-Za-z0-9*?/-]+$/.test(glob);
}

function isPlain(glob: string): boolean {
  return /^[A-Za-z0-9/-]+$/.test(glob);
}
