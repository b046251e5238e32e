import { randomUUID } from 'node:crypto';
import { type InputRequiredResult, inputRequired, inputResponse, type Server } from '@modelcontextprotocol/server';
import type { SkillCatalog } from '../catalog/catalog.ts';
import { quote } from '../mcp/lookup.ts';
import type { Params } from '../mcp/methods.ts';
import { readOptionalText, readText, readTexts, refuseOthers, WrongInput } from '../mcp/tools/input.ts';
import { escapeText } from '../text/escape.ts';
import type { PinnedGrants, ReadyGrant } from './pinning.ts';
import { MOST_ARGS, type Plan, type RunResult, runPlan, toPlan } from './runplan.ts';
import { describePlan } from './runpreview.ts';
import type { Fence } from './sandbox.ts';
import { createSealer, type Sealer } from './seal.ts';

/** What scripts are run with. */
export interface RunnerOptions {
  readonly catalog: SkillCatalog;
  readonly grants: PinnedGrants;
  readonly fence: Fence;
  /** The environment of the server. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Ends a run when the server ends. */
  readonly signal: AbortSignal;
  /** What the tool is called. */
  readonly name: string;
  /** Default: of a new session. */
  readonly sealer?: Sealer;
}

/** How a client can confirm, and what it said. */
export interface Confirmation {
  /** Whether the client shows a form to its user. */
  readonly hasForm: boolean;
  readonly responses: Record<string, unknown> | undefined;
  readonly state: string | undefined;
  /** Ends this run when the call is cancelled. */
  readonly signal: AbortSignal;
}

/** The result of a tool (MCP, `CallToolResult`). */
interface ToolResult {
  readonly content: { readonly type: 'text'; readonly text: string }[];
  readonly isError?: boolean;
  [name: string]: unknown;
}

/** The tool that runs granted scripts. */
export interface RunTool {
  readonly definition: { readonly name: string; readonly inputSchema: { readonly type: 'object' } };
  call(args: unknown, confirmation: Confirmation): Promise<ToolResult | InputRequiredResult>;
}

/** The answer of a user to the form. */
const ANSWER = 'run';

const DESCRIPTION_UNITS = 1024;

/** Makes the tool for one session. */
export function createRunTool(options: RunnerOptions): RunTool {
  const { catalog, grants, name, sealer = createSealer() } = options;
  let isBusy = false;
  const run = async (plan: Plan, signal: AbortSignal) => {
    isBusy = true;
    try {
      const any = AbortSignal.any([signal, options.signal]);
      return toResult(await runPlan(plan, { ...options, signal: any }));
    } catch (error) {
      return toFailure(`the script was not run: ${escapeText((error as Error).message)}`);
    } finally {
      isBusy = false;
    }
  };
  const call = async (args: unknown, { hasForm, responses, state, signal }: Confirmation) => {
    const { ready, words, token } = readArguments(args, grants);
    const plan = toPlan(ready, words);
    if ('reason' in plan) throw new WrongInput(plan.reason);
    // before a confirmation is taken: it is still good for the next call
    if (isBusy) throw new WrongInput('another script is running: call again when it has ended');
    const preview = describePlan(plan, catalog);
    if (hasForm) {
      if (state === undefined) return askUser(preview, sealer.seal(plan, 'host'));
      const fault = sealer.take(state, plan, 'host');
      if (fault !== undefined) throw new WrongInput(`the confirmation was not taken: ${fault}; call again`);
      const answer = inputResponse(responses, ANSWER);
      const isAccepted = answer.kind === 'elicit' && answer.action === 'accept' && answer.content?.[ANSWER] === true;
      return isAccepted ? run(plan, signal) : toText('The user did not confirm: the script was not run.');
    }
    if (token === undefined) return toText(toAsking(preview, sealer.seal(plan, 'model'), name));
    const fault = sealer.take(token, plan, 'model');
    if (fault !== undefined) {
      throw new WrongInput(`the confirmToken was not taken: ${fault}; call again without one to get another`);
    }
    return run(plan, signal);
  };
  return {
    definition: toDefinition(name, grants.ready),
    async call(args, confirmation) {
      try {
        return await call(args ?? {}, confirmation);
      } catch (error) {
        if (!(error instanceof WrongInput)) throw error;
        return toFailure(error.message);
      }
    },
  };
}

function readArguments(
  args: unknown,
  { ready, disabled }: PinnedGrants,
): { readonly ready: ReadyGrant; readonly words: readonly string[]; readonly token: string | undefined } {
  if (typeof args !== 'object' || args === null || Array.isArray(args)) {
    throw new WrongInput('the arguments must be an object');
  }
  const given = args as Params;
  refuseOthers(given, ['skill', 'script', 'args', 'confirmToken']);
  const skill = readText(given, 'skill')
    .replace(/^skill:\/\//, '')
    .replace(/\/SKILL\.md$/, '');
  const script = readText(given, 'script');
  const isNamed = ({ grant }: { readonly grant: ReadyGrant['grant'] }) =>
    grant.skill === skill && grant.script === script;
  const off = disabled.find(isNamed);
  if (off !== undefined) throw new WrongInput(`${quote(script)} of ${quote(skill)} is disabled: ${off.reason}`);
  const found = ready.find(isNamed);
  if (found === undefined) {
    throw new WrongInput(`${quote(script)} of ${quote(skill)} is not granted; granted: ${toNames(ready).join(', ')}`);
  }
  const none = given['args'] === undefined || given['args'] === null;
  const words = none || (Array.isArray(given['args']) && given['args'].length === 0) ? [] : readTexts(given, 'args');
  return { ready: found, words, token: readOptionalText(given, 'confirmToken') };
}

function toNames(ready: readonly ReadyGrant[]): readonly string[] {
  return ready.map(({ grant }) => `${escapeText(grant.script)} of ${escapeText(grant.skill)}`);
}

/** One form, of which the client makes `input_required` or, before 2026-07-28, `elicitation/create`. */
function askUser(preview: string, state: string): InputRequiredResult {
  return inputRequired({
    inputRequests: {
      [ANSWER]: inputRequired.elicit({
        message: `Run this script?\n\n${preview}`,
        requestedSchema: {
          type: 'object',
          properties: { [ANSWER]: { type: 'boolean', title: 'Run the script', default: false } },
          required: [ANSWER],
        },
      }),
    },
    requestState: state,
  });
}

function toAsking(preview: string, token: string, name: string): string {
  return [
    'The script was not run yet. Show this to the user, and go on only if the user agrees:',
    '',
    preview,
    '',
    `To run it, call ${name} again with the same arguments and confirmToken "${token}". It is good once, for five minutes.`,
  ].join('\n');
}

function toResult({ status, signal, isTimedOut, stdout, stderr, truncated }: RunResult): ToolResult {
  const how = status === null ? `was ended by ${signal ?? 'a signal'}` : `exit status ${status}`;
  const mark = randomUUID();
  const show = (stream: 'stdout' | 'stderr', text: string) => {
    const heading = `${stream}${truncated.includes(stream) ? ' (truncated: true)' : ''}`;
    return text === '' ? [] : [`${heading}, between two lines of ${mark}:\n${mark}\n${showOutput(text)}\n${mark}`];
  };
  return {
    content: [isTimedOut ? 'stopped at its time limit' : how, ...show('stdout', stdout), ...show('stderr', stderr)].map(
      (text) => ({ type: 'text', text }),
    ),
  };
}

/** Control characters are shown, apart from line breaks and tabs. */
function showOutput(text: string): string {
  return text
    .split(/(\n|\t)/)
    .map((part) => (part === '\n' || part === '\t' ? part : escapeText(part)))
    .join('');
}

function toText(text: string): ToolResult {
  return { content: [{ type: 'text', text }] };
}

function toFailure(text: string): ToolResult {
  return { ...toText(text), isError: true };
}

function toDefinition(name: string, ready: readonly ReadyGrant[]): RunTool['definition'] & Record<string, unknown> {
  const lead =
    'Runs a script of a skill that the operator of this server has granted, after the user confirms. Granted: ';
  const names = toNames(ready).join(', ');
  const room = DESCRIPTION_UNITS - lead.length;
  return {
    name,
    title: 'Run a script of a skill',
    description: lead + (names.length > room ? `${names.slice(0, room - 1)}…` : names),
    inputSchema: {
      type: 'object',
      properties: {
        skill: { type: 'string', description: 'The path of the skill' },
        script: { type: 'string', description: 'The path of the script in the skill, such as scripts/fill.py' },
        args: {
          type: 'array',
          items: { type: 'string' },
          maxItems: MOST_ARGS,
          description: 'Arguments of the script, each as it is; there is no shell',
        },
        confirmToken: { type: 'string', description: 'What the call before gave, once the user agrees' },
      },
      required: ['skill', 'script'],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  } as RunTool['definition'] & Record<string, unknown>;
}

/** What is used of a server to see what its client can do. */
interface AskedServer extends Pick<Server, 'getClientCapabilities' | 'getNegotiatedProtocolVersion'> {}

interface CallContext {
  readonly mcpReq: {
    readonly signal: AbortSignal;
    readonly inputResponses?: Record<string, unknown>;
    requestState(): unknown;
    readonly envelope?: Readonly<Record<string, unknown>>;
  };
}

const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';

/** Reads how the client of a call can confirm. */
export function readConfirmation(server: AskedServer, { mcpReq }: CallContext): Confirmation {
  const isModern = (server.getNegotiatedProtocolVersion() ?? '') >= '2026-07-28';
  const capabilities = (isModern ? mcpReq.envelope?.[CAPABILITIES] : server.getClientCapabilities()) as
    | { readonly elicitation?: Readonly<Record<string, unknown>> }
    | undefined;
  const elicitation = capabilities?.elicitation;
  const state = mcpReq.requestState();
  return {
    // an empty object is a form (MCP 2025-06-18); one with a URL alone has none
    hasForm: elicitation !== undefined && ('form' in elicitation || !('url' in elicitation)),
    responses: mcpReq.inputResponses,
    state: typeof state === 'string' ? state : undefined,
    signal: mcpReq.signal,
  };
}
