import { resolve } from 'node:path';
import type { SkillCatalog } from '../catalog/catalog.ts';
import type { CallerSights } from '../http/bycaller.ts';
import type { Caller } from '../http/caller.ts';
import type { Policy, PolicyCaller } from '../policy/policy.ts';
import { createSights, type Sights } from '../policy/sights.ts';
import { escapeLines, toJsonLine } from '../text/escape.ts';
import { describeIdle, readPolicyFile } from './policycommand.ts';
import { CommandError, EXIT, type Terminal } from './terminal.ts';

/** A policy that is served under, and read again when it changes. */
export interface Policing {
  readonly sights: CallerSights;
  /** What the following of the skills needs: the file, and what keeps a catalog from being served. */
  readonly following: { readonly beside: readonly string[]; readonly accept: Accept };
  /** Reports patterns that match no skill. @returns the status to leave with, where they are errors */
  check(catalog: SkillCatalog): number | undefined;
  /** Reads the file again. One that cannot be used changes nothing, and is reported. */
  reload(catalog: SkillCatalog): Promise<void>;
}

type Accept = (catalog: SkillCatalog) => Promise<string | undefined>;

/** How a policy is used. */
export interface PolicingOptions {
  /** As it was typed. */
  readonly policy: string;
  readonly cacheScope: 'private' | 'public';
  readonly strict?: boolean | undefined;
  readonly log?: 'text' | 'json' | undefined;
  /** Whether callers show a token. */
  readonly hasAuth: boolean;
}

/**
 * Reads the policy that is served under.
 *
 * @throws CommandError for one that cannot be used, or not with the other options
 */
export async function loadPolicing(options: PolicingOptions, { cwd, error }: Terminal): Promise<Policing> {
  const { policy: file, strict = false, hasAuth } = options;
  if (options.cacheScope === 'public') {
    const why = 'under --policy, responses differ by caller, and shared caches would give them to others';
    throw new CommandError(EXIT.usage, `${why}: leave --cache-scope public out`);
  }
  const read = async () => {
    const policy = await readPolicyFile(file, { cwd });
    if (!hasAuth) requireAnonymous(policy, file);
    return policy;
  };
  let policy = await read();
  let sights = createSights(policy);
  let fault: string | undefined;
  let reported = '';
  const listeners = new Set<() => void>();
  const note = createNote(options.log ?? 'text', (text) => error.write(text));

  const take = (next: Policy, made: Sights) => {
    [policy, sights] = [next, made];
    note('info', `the policy was read again: ${file}`);
    for (const listener of listeners) listener();
  };
  const refuse = (why: string) => {
    if (fault !== why) note('error', `the policy stays as it was: ${why}`);
    fault = why;
  };
  const listIdle = (of: Sights, catalog: SkillCatalog) =>
    of.listIdle(catalog).map((each) => describeIdle(file, each, strict ? 'error' : 'warning'));
  const reportIdle = (catalog: SkillCatalog, write: (line: string) => void) => {
    const idle = listIdle(sights, catalog);
    if (idle.join('\n') === reported) return;
    reported = idle.join('\n');
    for (const line of idle) write(line);
  };
  /** Takes a policy whose patterns are as they have to be for a catalog. */
  const consider = (next: Policy, catalog: SkillCatalog) => {
    const made = createSights(next);
    const [idle] = strict ? listIdle(made, catalog) : [];
    if (idle === undefined) {
      fault = undefined;
      take(next, made);
      return;
    }
    refuse(idle);
  };
  let reading: Promise<void> = Promise.resolve();
  const reload = (catalog: SkillCatalog) => {
    reading = reading.then(async () => {
      try {
        const next = await read();
        if (JSON.stringify(next) !== JSON.stringify(policy)) {
          consider(next, catalog);
          if (!strict) reportIdle(catalog, (line) => note('info', line));
        } else fault = undefined;
      } catch (cause) {
        refuse(cause instanceof Error ? cause.message : String(cause));
      }
    });
    return reading;
  };

  return {
    sights: {
      find: (caller) => sights.find(toPolicyCaller(caller, hasAuth)),
      onExchange(listener) {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    },
    following: {
      beside: [resolve(cwd, file)],
      // what skills come under a policy that nobody can read is not known: they wait for it
      async accept(catalog) {
        await reload(catalog);
        if (fault !== undefined) return fault;
        if (strict) return listIdle(sights, catalog)[0];
        reportIdle(catalog, (line) => note('info', line));
        return undefined;
      },
    },
    check(catalog) {
      reportIdle(catalog, (line) => error.write(`${escapeLines(line)}\n`));
      if (!strict || reported === '') return undefined;
      error.write('mcp-server-skills: nothing is published, because of a pattern of the policy\n');
      return EXIT.problems;
    },
    reload,
  };
}

/** What the rules of a policy can know of a caller. */
function toPolicyCaller({ token, auth, claims }: Caller, hasAuth: boolean): PolicyCaller {
  return { token, scopes: auth?.scopes, claims, isAnonymous: !hasAuth };
}

/** @throws CommandError where every caller is anonymous and no rule is about that */
function requireAnonymous({ rules, place }: Policy, file: string): void {
  if (rules.some(({ to }) => to.some(({ kind }) => kind === 'anonymous'))) return;
  const where = `${file}:${place.line}:${place.column}`;
  const hint = 'give them tokens with --token-file, or add a rule with "to: [anonymous]"';
  throw new CommandError(EXIT.usage, `${where}: no rule is for anonymous callers, and without tokens all are: ${hint}`);
}

function createNote(format: 'text' | 'json', write: (text: string) => void) {
  return (level: 'info' | 'error', message: string) => {
    if (format === 'json') write(`${toJsonLine({ time: new Date().toISOString(), level, message })}\n`);
    else write(`${escapeLines(message)}\n`);
  };
}
