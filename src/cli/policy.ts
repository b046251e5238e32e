import { resolve } from 'node:path';
import { toSkillPath } from '../catalog/catalog.ts';
import { createDecider, type Decision } from '../policy/decide.ts';
import { PolicyError } from '../policy/fault.ts';
import type { Policy, PolicyCaller } from '../policy/policy.ts';
import { readPolicy, toPrincipal } from '../policy/read.ts';
import { countOf } from '../text/count.ts';
import { escapeLines } from '../text/escape.ts';
import { requireRoots } from './here.ts';
import { type PublishOptions, publishRoots } from './publish.ts';
import { readTextFile } from './sides.ts';
import { CommandError, EXIT, type Terminal } from './terminal.ts';

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
  for (const { glob, line, column } of decider.idle) {
    const severity = options.strict === true ? 'error' : 'warning';
    terminal.error.write(escapeLines(`${options.policy}:${line}:${column}: ${severity}: "${glob}" matches no skill\n`));
  }
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

/** @throws CommandError with the place of what is wrong */
async function readPolicyFile(file: string, { cwd }: Terminal): Promise<Policy> {
  const text = await readTextFile(resolve(cwd, file), file);
  try {
    return readPolicy(text);
  } catch (error) {
    if (!(error instanceof PolicyError)) throw error;
    throw new CommandError(EXIT.usage, `${file}:${error.line}:${error.column}: ${error.message}`, { cause: error });
  }
}
