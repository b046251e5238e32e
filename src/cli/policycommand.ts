import { resolve } from 'node:path';
import { toSkillPath } from '../catalog/catalog.ts';
import { createDecider, type Decision } from '../policy/decide.ts';
import { PolicyError } from '../policy/fault.ts';
import type { Pattern, Policy, PolicyCaller } from '../policy/policy.ts';
import { readPolicy, toPrincipal } from '../policy/readpolicy.ts';
import { countOf } from '../text/count.ts';
import { escapeLines } from '../text/escape.ts';
import { requireRoots } from './here.ts';
import { type PublishOptions, publishRoots } from './publish.ts';
import { CommandError, EXIT, type Terminal } from './terminal.ts';
import { readTextFile } from './textfile.ts';

/** The options of `policy explain`. */
export interface ExplainPolicyOptions extends Pick<PublishOptions, 'exclude' | 'nested' | 'pathFrom' | 'strict'> {
  readonly policy: string;
  /** What is known of the caller. */
  readonly as: readonly string[];
}

/** Prints which skills a caller sees, and the rule that decided for each. */
export async function explainPolicy(
  args: readonly string[],
  options: ExplainPolicyOptions,
  terminal: Terminal,
): Promise<number> {
  const caller = toCaller(options.as);
  const policy = await readPolicyFile(options.policy, terminal);
  const loaded = await publishRoots(
    requireRoots(args, terminal),
    { ...options, invalid: 'skip', strict: false },
    terminal,
  );
  if ('status' in loaded) return loaded.status;
  const paths = loaded.catalog.skills.map(({ uri }) => toSkillPath(uri));
  const decider = createDecider(policy, paths);
  const decide = decider.decide(caller);
  const decisions = paths.map((path) => [path, decide(path)] as const);
  const visible = decisions.filter(([, { isVisible }]) => isVisible).length;
  const who = options.as.length === 0 ? 'a caller of whom nothing is known' : options.as.join(' with ');
  terminal.output.write(
    escapeLines(
      [
        `${who} sees ${visible} of ${countOf(paths.length, 'skill')}`,
        ...decisions.map(
          ([path, decision]) =>
            `${decision.isVisible ? '+' : '-'} ${path}: ${describeDecision(decision, policy, options.policy)}`,
        ),
        '',
      ].join('\n'),
    ),
  );
  const severity = options.strict === true ? 'error' : 'warning';
  for (const each of decider.idle)
    terminal.error.write(escapeLines(`${describeIdle(options.policy, each, severity)}\n`));
  return options.strict === true && decider.idle.length > 0 ? EXIT.problems : EXIT.well;
}

function describeDecision({ isVisible, rule, isNamed }: Decision, { fallback }: Policy, file: string): string {
  if (rule !== undefined) return `${isVisible ? 'allowed' : 'denied'} by the rule at ${file}:${rule.line}`;
  return isNamed ? 'no rule allows it' : `no rule names this caller, and the default is ${fallback}`;
}

/** What is typed of a caller. @throws CommandError */
function toCaller(typed: readonly string[]): PolicyCaller {
  const claims: Record<string, string[]> = {};
  const tokens: string[] = [];
  const scopes: string[] = [];
  for (const text of typed) {
    const principal = toPrincipal(text);
    if (principal?.kind === 'token') tokens.push(principal.name);
    else if (principal?.kind === 'scope') scopes.push(principal.name);
    else if (principal?.kind === 'claim')
      claims[principal.name] = [...(claims[principal.name] ?? []), principal.pattern];
    else if (text !== 'anonymous') {
      throw new CommandError(
        EXIT.usage,
        `--as takes token:NAME, scope:NAME, claim:NAME=VALUE or anonymous, not "${text}"`,
      );
    }
  }
  if (tokens.length > 1) throw new CommandError(EXIT.usage, 'a caller has one token: give --as token:NAME once');
  const isAnonymous = typed.includes('anonymous');
  if (isAnonymous && typed.length > 1)
    throw new CommandError(EXIT.usage, 'an anonymous caller has no token, scope or claim');
  return { token: tokens[0], scopes, claims, isAnonymous };
}

/** Describes a pattern that matches no skill. */
export function describeIdle(file: string, { glob, line, column }: Pattern, severity: 'warning' | 'error'): string {
  return `${file}:${line}:${column}: ${severity}: "${glob}" matches no skill`;
}

/** @throws CommandError with the place of what is wrong */
export async function readPolicyFile(file: string, { cwd }: Pick<Terminal, 'cwd'>): Promise<Policy> {
  try {
    return readPolicy(await readTextFile(resolve(cwd, file), file));
  } catch (error) {
    // without its policy nothing can be explained or served: the file is part of what was typed
    if (error instanceof CommandError) throw new CommandError(EXIT.usage, error.message, { cause: error });
    if (!(error instanceof PolicyError)) throw error;
    throw new CommandError(EXIT.usage, `${file}:${error.line}:${error.column}: ${error.message}`, { cause: error });
  }
}
