import MiniSearch, { type Options, type SearchOptions } from 'minisearch';
import { peekFile, type Skill, type SkillCatalog, toSkillPath } from '../../catalog/catalog.ts';
import { readPart } from './parts.ts';
import { STOP_WORDS, type TermMemo, toTerms } from './terms.ts';

type Field = 'name' | 'description' | 'body';

interface Document extends Readonly<Record<Field, readonly string[]>> {
  /** The place of the skill in the list. */
  readonly id: number;
}

/** Skills of one shard: what one term finds in it is found in a few milliseconds. */
const SHARD = 2000;

/** With more skills than this, bodies are not indexed. */
const MOST_WITH_BODY = 20_000;

/**
 * UTF-16 units of one body that are indexed: what a skill is for is said at its beginning. Twice as much finds nothing better (sets A and
 * B of test/bench/search.js: .56 and .79 with either), and the first query takes half as long again.
 */
const BODY = 4 * 1024;

/** UTF-16 units of all bodies together, in even shares. */
const BODIES = 16 * 1024 * 1024;

/** Distinct terms of one body: natural text of this length has half as many. */
const BODY_TERMS = 1000;

/** Bytes of a SKILL.md in which its frontmatter must end for its body to be indexed. */
const HEAD = 64 * 1024;

const [LINE_FEED, CARRIAGE_RETURN, HYPHEN] = [0x0a, 0x0d, 0x2d];

/** A description is not longer, except in a catalog that was made by hand. */
const DESCRIPTION = 4096;

/** An index over skills, in parts that are searched one after another. It is complete once `addSome` says so. */
export interface Shards {
  readonly parts: readonly MiniSearch<Document>[];
  /** Adds the next skill; false where all are in. */
  addNext(): boolean;
}

/** A shorter term is too near to others. */
const LEAST_MISTYPED = 5;

const split = (terms: string): string[] => terms.split(' ');

const OPTIONS: Options<Document> = {
  fields: ['name', 'description', 'body'],
  // terms are made before, with a memory of the words that texts repeat; the types know only strings
  extractField: (document, field) => document[field as keyof Document] as unknown as string,
  stringifyField: (terms) => terms,
  tokenize: (terms) => terms as unknown as string[],
  processTerm: (term) => term,
  searchOptions: {
    tokenize: split,
    processTerm: (term) => term,
    boost: { name: 2, description: 1.5, body: 1 },
  },
};

/**
 * Makes an index that holds nothing yet. Skills go round the shards, so that the words of a group are as rare in each of them.
 */
export function createShards(catalog: SkillCatalog, skills: readonly Skill[]): Shards {
  const count = Math.ceil(skills.length / SHARD);
  const parts = Array.from({ length: count }, () => new MiniSearch<Document>(OPTIONS));
  const most = skills.length > MOST_WITH_BODY ? 0 : Math.min(BODY, Math.floor(BODIES / skills.length));
  let memo: TermMemo | undefined = new Map();
  let next = 0;
  return {
    parts,
    addNext() {
      const skill = skills[next];
      if (skill === undefined || memo === undefined) {
        memo = undefined;
        return false;
      }
      parts[next % count]?.add(toDocument(catalog, skill, next, most, memo));
      next += 1;
      return true;
    },
  };
}

/** What a term may be where two neighbouring letters changed places, as a query; empty for a short one. */
export function swapLetters(term: string): string {
  if (term.length < LEAST_MISTYPED) return '';
  const swapped = Array.from(
    term.slice(1, -1),
    (letter, at) => `${term.slice(0, at + 1)}${term[at + 2]}${letter}${term.slice(at + 3)}`,
  );
  return swapped.filter((each) => each !== term).join(' ');
}

/** Options for a term that no skill has: what begins with it, and what is spelled almost like it, in names and descriptions. */
export function toNearby(term: string): SearchOptions {
  const [first = ''] = term;
  return {
    fields: ['name', 'description'],
    prefix: term.length >= 3,
    fuzzy: term.length < LEAST_MISTYPED ? false : term.length < 8 ? 1 : 2,
    // typing mistakes are seldom in the first letter, and other words often differ in it: garden, harden
    boostDocument: (_, found) => (found.startsWith(first) ? 1 : 0),
  };
}

function toDocument(catalog: SkillCatalog, skill: Skill, id: number, most: number, memo: TermMemo): Document {
  return {
    id,
    name: toNameTerms(toSkillPath(skill.uri), memo),
    description: toTerms(skill.frontmatter.description, DESCRIPTION, memo),
    body: most === 0 ? [] : keepTelling(toTerms(readBody(catalog, skill.uri, most), most, memo)),
  };
}

/** The terms of a path, and each of its names written as one word: `todo` finds `to-do`. */
function toNameTerms(path: string, memo: TermMemo): string[] {
  const joined = path.split('/').filter((name) => name.includes('-'));
  return [path, ...joined.map((name) => name.replaceAll('-', ''))].flatMap((text) => toTerms(text, text.length, memo));
}

/** Terms without stop words, as far as there are not too many. */
function keepTelling(terms: readonly string[]): string[] {
  const seen = new Set<string>();
  return terms.filter((term) => {
    if (STOP_WORDS.has(term) || (seen.size >= BODY_TERMS && !seen.has(term))) return false;
    seen.add(term);
    return true;
  });
}

/** The beginning of what follows the frontmatter; empty where that is not found. */
function readBody(catalog: SkillCatalog, uri: string, most: number): string {
  const bytes = peekFile(catalog, uri)?.bytes;
  const start = bytes === undefined ? undefined : findBody(bytes);
  if (bytes === undefined || start === undefined) return '';
  // a UTF-16 unit is at most three bytes
  return readPart(bytes, start, most * 3).text.slice(0, most);
}

/** Where the line after the one that ends the frontmatter begins. In bytes, because most of a file is never looked at. */
function findBody(bytes: Uint8Array): number | undefined {
  const head = bytes.subarray(0, HEAD);
  for (let at = head.indexOf(LINE_FEED); at !== -1; at = head.indexOf(LINE_FEED, at + 1)) {
    if (head[at + 1] !== HYPHEN || head[at + 2] !== HYPHEN || head[at + 3] !== HYPHEN) continue;
    const end = head[at + 4] === CARRIAGE_RETURN ? at + 5 : at + 4;
    if (head[end] === LINE_FEED) return end + 1;
  }
  return undefined;
}
