import type { Where } from './hosts.ts';
import { PACKAGE, toRootKey } from './launch.ts';
import { pick } from './mapping.ts';

/** What an entry was started with and would not be any more, each as it is typed. */
export interface Lost {
  roots: string[];
  /** Options with their values, and a pinned version. */
  options: string[];
}

// What may stand before the package in a command line: launchers, their subcommands and options.
const LAUNCHER = /^(?:.*[\\/])?(?:cmd|npx|npm|pnpm|pnpx|yarn|bun|bunx|node)(?:\.exe|\.cmd)?$/i;
const BETWEEN = /^(?:\/[cC]|-.*|exec|dlx|x)$/;
const OURS = new RegExp(`^(?:.*[\\\\/])?${PACKAGE}(?:@[^\\\\/]+|\\.js|\\.cmd)?$`);
const PINNED = /.@[^\\/]+$/;

/** Whether an entry starts this server, however its host spells a command line. */
export function isOurs(entry: unknown): boolean {
  return readStart(entry) !== undefined;
}

/** What gets lost when one entry takes the place of another. */
export function findLost(before: unknown, after: unknown, where: Where): Lost {
  const old = readStart(before);
  const now = readStart(after);
  if (old === undefined || now === undefined) return { roots: [], options: [] };
  const isUnpinned = PINNED.test(old.server) && !PINNED.test(now.server);
  const toKey = (root: string) => toRootKey(root, where);
  // A word behind an option is its value, or a root where the option takes none.
  const given = [...now.options, ...now.roots.map(toKey)];
  const isGiven = (option: string) => {
    const [name = '', value] = option.split(/ (.*)/s);
    return take(given, [option]) || (value !== undefined && take(given, [name, toKey(value)]));
  };
  return {
    options: [...(isUnpinned ? [old.server] : []), ...old.options.filter((option) => !isGiven(option))],
    roots: old.roots.filter((root) => !take(given, [toKey(root)])),
  };
}

/** Takes items out of a list, if it has all of them. */
function take(list: string[], items: readonly string[]): boolean {
  if (!items.every((item) => list.includes(item))) return false;
  for (const item of items) list.splice(list.indexOf(item), 1);
  return true;
}

/** A command line of this server, taken apart; undefined for another's. */
function readStart(entry: unknown): { server: string; roots: string[]; options: string[] } | undefined {
  const words = [pick(entry, 'command'), pick(entry, 'cmd'), pick(entry, 'args')]
    .flat()
    .filter((word): word is string => typeof word === 'string');
  const at = words.findIndex((word) => !LAUNCHER.test(word) && !BETWEEN.test(word));
  const server = words[at];
  if (server === undefined || !OURS.test(server)) return undefined;
  const roots: string[] = [];
  const options: string[] = [];
  const rest = words.slice(words[at + 1] === 'serve' ? at + 2 : at + 1);
  for (let place = 0; place < rest.length; place++) {
    const word = rest[place] ?? '';
    const next = rest[place + 1];
    if (!word.startsWith('--')) roots.push(word);
    else if (word.includes('=')) options.push(word.replace('=', ' '));
    else if (next === undefined || next.startsWith('--')) options.push(word);
    else {
      options.push(`${word} ${next}`);
      place++;
    }
  }
  return { server, roots, options };
}
