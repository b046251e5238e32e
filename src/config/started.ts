import type { Where } from './host.ts';
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
/** Options of `serve` that take no value: what stands behind one is a root. */
const BARE = /^--(?:no-.*|strict|prompts|instructions|legacy-index|trust-proxy|metrics|wrap|wrap-prompts)$/;

/** Whether an option of `serve` stands alone. */
export function isBare(option: string): boolean {
  return BARE.test(option);
}

/** Whether an entry starts this server, however its host spells a command line. */
export function isOurs(entry: unknown): boolean {
  return readStart(entry) !== undefined;
}

/** What gets lost when one entry takes the place of another: all, where the other starts nothing. */
export function findLost(before: unknown, after: unknown, where: Where): Lost {
  const old = readStart(before);
  const now = readStart(after);
  if (old === undefined) return { roots: [], options: [] };
  const pinned = PINNED.test(old.server) ? [old.server] : [];
  if (now === undefined) return { roots: old.roots, options: [...pinned, ...old.options] };
  const toKey = (root: string) => toRootKey(root, where);
  const [options, roots] = [[...now.options], now.roots.map(toKey)];
  return {
    options: [...(PINNED.test(now.server) ? [] : pinned), ...old.options.filter((option) => !take(options, option))],
    roots: old.roots.filter((root) => !take(roots, toKey(root))),
  };
}

/** Takes an item out of a list, once, if it has it. */
function take(list: string[], item: string): boolean {
  const at = list.indexOf(item);
  if (at !== -1) list.splice(at, 1);
  return at !== -1;
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
    if (word === '--') {
      // the command of a server that is wrapped
      options.push(rest.slice(place).join(' '));
      break;
    }
    if (!word.startsWith('--')) roots.push(word);
    else if (word.includes('=')) options.push(word.replace('=', ' '));
    else if (next === undefined || next.startsWith('--') || isBare(word)) options.push(word);
    else {
      options.push(`${word} ${next}`);
      place++;
    }
  }
  return { server, roots, options };
}
