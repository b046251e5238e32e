import type { Remote } from './remote.ts';

/** How a host starts the server: no shell is between. */
export interface Launch {
  command: string;
  args: readonly string[];
}

/** `project` files are shared with the people who share the folder, `user` files are one person's. */
export type Scope = 'project' | 'user';

/** `json` is read strictly by its host, `jsonc` may hold comments and trailing commas. */
type Format = 'json' | 'jsonc' | 'toml' | 'yaml';

export type Value = string | number | boolean | readonly Value[] | { readonly [key: string]: Value };

export type Entry = { readonly [key: string]: Value };

/** What a path is worked out from; nothing of it is read from the process. */
export interface Where {
  platform: NodeJS.Platform;
  home: string;
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
}

/**
 * How a root is named in a file: `workspace` and `relative` apply to roots inside the working directory, because the host
 * knows that folder or starts the server in it; every other root is absolute.
 */
export type RootForm = 'workspace' | 'relative' | 'absolute';

/** The names in a folder; none where there is no such folder. */
export type ListFolder = (folder: string) => Promise<readonly string[]>;

interface Place {
  /** Candidates: the first that exists is used, else the first. */
  files: (where: Where) => readonly [string, ...string[]];
  /** Files that go before those where they are there, and only a look at the disk can tell their names. */
  find?: (where: Where, list: ListFolder) => Promise<readonly string[]>;
  roots: RootForm;
}

export interface Host {
  title: string;
  format: Format;
  /** The key whose members are the servers. */
  container: string;
  /** The scope that is meant when none is asked for. */
  scope: Scope;
  places: Partial<Record<Scope, Place>>;
  /** The server's entry. */
  toEntry: (launch: Launch, name: string) => Entry;
  /** The entry of a server over HTTP; a string says what to do where the file holds none. */
  toRemoteEntry: ((remote: Remote, name: string) => Entry) | string;
  /** The keys of an entry that say how the server starts: only these are rewritten in an entry that is there already. */
  launchKeys: readonly string[];
  /** What the host replaces in an argument: a folder with such a name would not arrive as it is written. */
  expands?: RegExp;
  /** What a start through npx was seen to cost in this host, where it was. */
  costOfNpx?: string;
  /** What is left to do or to know, for a person. */
  notes: (scope: Scope, where: Where) => readonly string[];
}

/** Variables as most hosts write them. */
export const VARIABLE = /\$\{[^}]*\}/;

/** The entry of a local server in most hosts. */
export const toCommandAndArgs = ({ command, args }: Launch): Entry => ({ command, args });

/** An entry with its headers, where there are any, last. */
export function withHeaders(entry: Entry, { headers }: Remote, key = 'headers'): Entry {
  return Object.keys(headers).length === 0 ? entry : { ...entry, [key]: headers };
}

/** The entry of a server over HTTP that has its address in `url`. */
export const toUrl = (remote: Remote): Entry => withHeaders({ url: remote.url }, remote);

/** The same with a type. */
export function toTypedUrl(type: string): (remote: Remote) => Entry {
  return (remote) => withHeaders({ type, url: remote.url }, remote);
}
