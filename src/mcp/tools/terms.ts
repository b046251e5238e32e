/** UTF-16 units of one term: a longer run of letters is cut, in the index and in a query alike. */
const LONGEST_TERM = 64;

const ASCII = /^[\0-\x7f]*$/;
/** What can hold a run; the exact rule costs three times as much, and texts are mostly ASCII. */
const PIECES = /[A-Za-z0-9\u0080-\uffff]+/g;
const RUNS = /[\p{L}\p{M}\p{N}]+/gu;

/** Scripts that set no spaces between words, and Hangul, whose words carry their particles with them. */
const UNSPACED = '\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}\\p{sc=Hang}\\p{sc=Thai}\\p{sc=Laoo}\\p{sc=Khmr}\\p{sc=Mymr}ー';
const IS_UNSPACED = new RegExp(`[${UNSPACED}]`, 'u');
const PARTS = new RegExp(`[${UNSPACED}]+|[^${UNSPACED}]+`, 'gu');

/** Where a run that is written in camelCase has its parts: `parseJSONFile` is parse, JSON, File. */
const HUMPS = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;

/** Terms of pieces that were seen before: texts repeat their words, and a word costs more to stem than to look up. */
export type TermMemo = Map<string, readonly string[]>;

/** Pieces of text that a memo keeps. */
const MOST_KEPT = 50_000;

/**
 * The terms of a text, in its order: runs of letters, marks and digits after NFKC, in lower case and without their English endings; the
 * parts of camelCase beside the whole; pairs of neighbours where a script sets no spaces.
 *
 * @param most - UTF-16 units of the text that are read
 */
export function toTerms(text: string, most: number, memo: TermMemo = new Map()): string[] {
  const cut = text.slice(0, most);
  // cut again: one character can become eighteen
  const pieces = cut.normalize('NFKC').slice(0, most).match(PIECES) ?? [];
  const terms: string[] = [];
  for (const piece of pieces) {
    let found = memo.get(piece);
    if (found === undefined) {
      found = ASCII.test(piece) ? splitWord(piece) : (piece.match(RUNS) ?? []).flatMap(splitRun);
      if (memo.size < MOST_KEPT && piece.length <= LONGEST_TERM) memo.set(piece, found);
    }
    for (const term of found) terms.push(term);
  }
  return terms;
}

function splitRun(run: string): string[] {
  if (!IS_UNSPACED.test(run)) return splitWord(run);
  return (run.match(PARTS) ?? []).flatMap((part) => (IS_UNSPACED.test(part) ? toPairs(part) : splitWord(part)));
}

/** A word, and what camelCase joins in it. */
function splitWord(word: string): string[] {
  const cut = word.slice(0, LONGEST_TERM);
  const parts = cut.split(HUMPS);
  return (parts.length > 1 ? [cut, ...parts] : [cut]).map((part) => stem(part.toLowerCase()));
}

function toPairs(run: string): string[] {
  const characters = [...run];
  if (characters.length === 1) return [run];
  return characters.slice(1).map((character, at) => `${characters[at]}${character}`);
}

/** Endings of English words, and what they become; the first that fits, of each step. `least` letters must be left before it. */
const STEPS: readonly (readonly (readonly [ending: string, becomes: string, least: number])[])[] = [
  [
    ['ies', 'y', 2],
    ['apis', 'api', 0],
    ['sses', 'ss', 2],
    ['xes', 'x', 2],
    ['ches', 'ch', 2],
    ['shes', 'sh', 2],
    ['ss', 'ss', 0],
    ['us', 'us', 0],
    ['ysis', 'ys', 2],
    ['is', 'is', 0],
    ['s', '', 3],
  ],
  [
    ['ying', 'y', 2],
    ['ied', 'y', 2],
    ['ing', '', 3],
    ['eed', 'eed', 0],
    ['ed', '', 3],
    ['ly', '', 4],
    ['tion', 't', 2],
  ],
  [['e', '', 3]],
  [
    ['yz', 'ys', 2],
    ['at', '', 5],
  ],
];

const VOWEL = /[aeiouy]/;

/** A consonant that an ending doubles, as in `committing`; `fill` keeps its own, and is not `file`. */
const DOUBLED = /.{2}([^aeioulsz])\1$|.{4}ll$/;

/** A word without its usual English endings; words of other scripts, short ones and those with digits stay as they are. */
export function stem(word: string): string {
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word;
  let stemmed = word;
  for (const step of STEPS) {
    const rule = step.find(([ending, , least]) => {
      if (!stemmed.endsWith(ending)) return false;
      const rest = stemmed.slice(0, stemmed.length - ending.length);
      return rest.length >= least && (ending === 's' || least === 0 || VOWEL.test(rest));
    });
    if (rule !== undefined) stemmed = stemmed.slice(0, stemmed.length - rule[0].length) + rule[1];
  }
  return DOUBLED.test(stemmed) ? stemmed.slice(0, -1) : stemmed;
}

/** Words that say how something is asked, not what about. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a an and any are as at be by can could do does for from get has have help how i if in into is it its ' +
    'me my need no not of on or our please should so some that the their these this to ' +
    'use using want was we what when where which will with would you your'
  )
    .split(' ')
    .map(stem),
);
