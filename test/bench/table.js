/** A loader that takes longer than this, in milliseconds, is not asked again for the same line. */
const SLOW = 15_000;

/** @typedef {'ours' | 'sdk' | 'floor'} Who */
/** @typedef {Partial<Record<Who, number>>} Values */

/**
 * Measures in turns, round by round, so that whatever else the machine does hits all alike.
 *
 * @param {number} rounds
 * @param {Partial<Record<Who, () => Promise<number>>>} subjects
 * @returns {Promise<Values>} the median of each
 */
export async function measure(rounds, subjects) {
  /** @type {Map<Who, number[]>} */
  const values = new Map();
  const slow = new Set();
  const entries = /** @type {[Who, () => Promise<number>][]} */ (Object.entries(subjects));
  for (let round = 0; round < rounds; round += 1) {
    for (const [who, run] of entries) {
      if (slow.has(who)) continue;
      const start = performance.now();
      values.set(who, [...(values.get(who) ?? []), await run()]);
      if (performance.now() - start > SLOW) slow.add(who);
    }
  }
  return Object.fromEntries([...values].map(([who, list]) => [who, toMedian(list)]));
}

/** @param {readonly number[]} values */
export function toMedian(values) {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

/** Collects the lines of one table and prints each as it comes. */
export class Table {
  /** @type {string[]} */
  rows = [
    '| what | unit | this project | official | floor | against official | against floor | target |',
    '| --- | --- | --: | --: | --: | --: | --: | --- |',
  ];

  constructor() {
    console.log(this.rows.join('\n'));
  }

  /**
   * @param {string} what
   * @param {string} unit a rate where it ends in "/s": more is better
   * @param {Values} values
   * @param {{ official?: number, floor?: number, most?: number }} [targets] at least this many times as good as official, at most
   *   this many times the floor, at most this much
   */
  add(what, unit, { ours = Number.NaN, sdk = Number.NaN, floor = Number.NaN }, targets = {}) {
    const better = unit.endsWith('/s') ? ours / sdk : sdk / ours;
    const cost = ours / floor;
    const verdicts = [
      targets.official === undefined
        ? ''
        : `≥ ${targets.official}x official: ${better >= targets.official ? 'met' : 'missed'}`,
      targets.floor === undefined ? '' : `≤ ${targets.floor}x floor: ${cost <= targets.floor ? 'met' : 'missed'}`,
      targets.most === undefined ? '' : `≤ ${toNumber(targets.most)}: ${ours <= targets.most ? 'met' : 'missed'}`,
    ].filter((verdict) => verdict !== '');
    const cells = [
      what,
      unit,
      toNumber(ours),
      toNumber(sdk),
      toNumber(floor),
      toRatio(better),
      toRatio(cost),
      verdicts.join('; '),
    ];
    const row = `| ${cells.join(' | ')} |`;
    this.rows.push(row);
    console.log(row);
  }
}

/** @param {number} value */
function toNumber(value) {
  if (Number.isNaN(value)) return '';
  return value >= 100 ? value.toFixed(0) : value.toFixed(1);
}

/** @param {number} value */
function toRatio(value) {
  return Number.isNaN(value) ? '' : `${value.toFixed(value >= 10 ? 0 : 2)}x`;
}
