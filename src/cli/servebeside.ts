import { filterSkills } from '../filter.ts';
import { toToolNames } from '../mcp/naming.ts';
import { toOffer } from '../mcp/surface.ts';
import { countOf } from '../text/count.ts';
import { escapeLines, escapeText } from '../text/escape.ts';
import type { Child } from '../wrap/child.ts';
import { type MakeOffer, Session } from '../wrap/session.ts';
import { type Refusal, relayServer } from '../wrap/wrap.ts';
import type { WrapFlags } from './flags.ts';
import { publishRoots } from './publish.ts';
import { FIXED_TTL, type ServeOptions } from './serve.ts';
import { EXIT, type Terminal } from './terminal.ts';
import { toListed } from './unlisted.ts';

/** JSON-RPC 2.0, "Internal error": to a client, a server that has nothing to serve is at fault itself. */
const INTERNAL_ERROR = -32603;

/** Publishes the roots beside a server that is started. */
export async function serveBeside(
  child: Child,
  roots: readonly string[],
  options: ServeOptions & WrapFlags,
  terminal: Terminal,
): Promise<number> {
  const { input, output, error, signal } = terminal;
  // what is wrapped is not followed
  const {
    ttl = FIXED_TTL,
    cacheScope,
    pageSize,
    tools,
    maxPrompts,
    instructions,
    legacyIndex = false,
    resources,
  } = options;
  const {
    toolPrefix = '',
    unlisted,
    strict = false,
    invalid = strict ? 'fail' : 'skip',
    wrapPrompts = false,
  } = options;
  const note = (text: string) => error.write(`mcp-server-skills: ${escapeLines(text)}\n`);
  let status: number = EXIT.well;
  const load = async (): Promise<MakeOffer | Refusal> => {
    // a server that works goes on to work where no skill does
    const loaded = await publishRoots(roots, { ...options, invalid }, terminal);
    if ('status' in loaded) {
      status = loaded.status;
      const { describeFailure } = await import('./reason.ts');
      return { code: INTERNAL_ERROR, ...describeFailure(loaded.judged) };
    }
    const { catalog, judged } = loaded;
    if (options.locked !== undefined) {
      const { findLockFault } = await import('./locked.ts');
      const fault = await findLockFault(options.locked, roots, options, catalog, terminal);
      if (fault !== undefined) {
        status = fault.status;
        error.write(fault.details);
        note(`nothing is published: ${fault.message}`);
        return { code: INTERNAL_ERROR, message: `no skills are served: ${escapeText(fault.message)}` };
      }
    }
    const isListed = toListed(unlisted, judged.reports)?.isListed;
    for (const { code, path, message } of judged.problems) {
      if (code === 'message-size') note(`${escapeText(path)}: ${message}`);
    }
    if (input.isTTY === true) note(`${countOf(catalog.skills.length, 'skill')} beside the wrapped server, over stdio`);
    const surfaces = { tools, prompts: wrapPrompts, maxPrompts, instructions, legacyIndex, resources, toolPrefix };
    const offered = { ttl, cacheScope, pageSize, ...surfaces, ...(isListed === undefined ? {} : { isListed }) };
    return (isKept) => toOffer(catalog.skills.every(isKept) ? catalog : filterSkills(catalog, isKept), offered);
  };
  const session = new Session({
    names: toToolNames(toolPrefix),
    legacyIndex,
    note,
  });
  const refuseLater = async (refusal: Refusal) => {
    const { answerFailure } = await import('../stdio/failure.ts');
    await answerFailure(refusal, terminal);
  };
  return (await relayServer({ input, output, error, child, session, signal, load, refuseLater })) ?? status;
}
