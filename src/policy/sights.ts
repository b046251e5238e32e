import { type SkillCatalog, toSkillPath } from '../catalog/catalog.ts';
import { createViews, type SkillViews } from '../views.ts';
import { createDecider, type Decider } from './decide.ts';
import { createFindRules } from './findrules.ts';
import type { Pattern, Policy, PolicyCaller, Rule } from './policy.ts';

/** What all callers see whom the same rules name. */
interface Sight {
  /** Equal for callers whom the same rules of one policy name. */
  readonly key: string;
  /** The part of a catalog that they see. */
  see(catalog: SkillCatalog): SkillCatalog;
  /** Whether they see a skill, by its path. */
  sees(path: string): boolean;
}

/** What callers see under one policy. */
export interface Sights {
  find(caller: PolicyCaller): Sight;
  /** Patterns that match no skill of a catalog, in the order of the file. */
  listIdle(catalog: SkillCatalog): readonly Pattern[];
}

/** The views of a catalog are kept under every policy: who sees the same before and after has the same object. */
const views = new WeakMap<SkillCatalog, SkillViews>();

/** Decides what callers see. This is the one place where it is decided: everything that a caller gets is made of what it sees. */
export function createSights(policy: Policy): Sights {
  const findRules = createFindRules(policy);
  const deciders = new WeakMap<SkillCatalog, Decider>();
  const elsewhere = createDecider(policy, []);
  const toDecider = (catalog: SkillCatalog) => {
    const decider =
      deciders.get(catalog) ??
      createDecider(
        policy,
        catalog.skills.map(({ uri }) => toSkillPath(uri)),
      );
    deciders.set(catalog, decider);
    return decider;
  };
  return {
    find(caller) {
      const { key, rules } = findRules(caller);
      return {
        key,
        see: (catalog) => toView(catalog, toDecider(catalog), rules),
        sees: (path) => elsewhere.decideFor(rules)(path).isVisible,
      };
    },
    listIdle: (catalog) => toDecider(catalog).idle,
  };
}

function toView(catalog: SkillCatalog, decider: Decider, rules: ReadonlySet<Rule>): SkillCatalog {
  const known = views.get(catalog) ?? createViews(catalog);
  views.set(catalog, known);
  const decide = decider.decideFor(rules);
  return known.view(({ uri }) => decide(toSkillPath(uri)).isVisible);
}
