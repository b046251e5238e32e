import { createHash } from 'node:crypto';
import type { Skill, SkillCatalog } from './catalog/catalog.ts';
import { filterSkills } from './filter.ts';

/** The catalogs that callers see, each kept as one object: what is made for a catalog is made once for all who see the same. */
export interface SkillViews {
  /**
   * The catalog of the skills that a caller sees.
   *
   * @param isVisible - asked once for each skill
   */
  view(isVisible: (skill: Skill) => boolean): SkillCatalog;
}

/** How many views are kept. */
export interface ViewOptions {
  /** The one that was not used for longest is made again when it is asked for. Default: 64. */
  readonly max?: number;
}

/**
 * Makes the views of a catalog. Two callers who see the same skills get the same object, whoever they are.
 *
 * @throws RangeError for a bound that is no whole number from 1
 */
export function createViews(catalog: SkillCatalog, { max = 64 }: ViewOptions = {}): SkillViews {
  if (!Number.isSafeInteger(max) || max < 1) throw new RangeError(`max must be a whole number from 1, not ${max}`);
  const views = new Map<string, SkillCatalog>();
  return {
    view(isVisible) {
      const visible = catalog.skills.map((skill) => isVisible(skill));
      const key = toKey(visible);
      const view = views.get(key) ?? filterSkills(catalog, (_, index) => visible[index] as boolean);
      // the last one used comes last
      views.delete(key);
      views.set(key, view);
      const [oldest] = views.keys();
      if (views.size > max && oldest !== undefined) views.delete(oldest);
      return view;
    },
  };
}

/** A digest of a bit for each skill. */
function toKey(visible: readonly boolean[]): string {
  const bits = new Uint8Array(Math.ceil(visible.length / 8));
  visible.forEach((isSet, index) => {
    if (isSet) bits[index >> 3] = (bits[index >> 3] ?? 0) | (1 << (index & 7));
  });
  return createHash('sha256').update(bits).digest('base64');
}
