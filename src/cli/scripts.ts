import { resolve } from 'node:path';
import type { Server } from '@modelcontextprotocol/server';
import type { SkillCatalog } from '../catalog/catalog.ts';
import { toToolNames } from '../mcp/naming.ts';
import { PolicyError } from '../policy/fault.ts';
import { attachRun } from '../run/attachrun.ts';
import type { Grant } from '../run/grant.ts';
import { type PinnedGrants, pinGrants } from '../run/pinning.ts';
import { readRunPolicy } from '../run/policyfile.ts';
import { createRunTool } from '../run/runtool.ts';
import { findFence } from '../run/sandbox.ts';
import { escapeLines, escapeText } from '../text/escape.ts';
import { CommandError, EXIT, type Terminal } from './terminal.ts';
import { readTextFile } from './textfile.ts';

/**
 * Prepares `serve --run`: what it adds to each server. What is disabled, and why nothing can run, goes to stderr as well.
 *
 * @throws CommandError where the policy cannot be used
 */
export async function prepareRun(
  file: string,
  toolPrefix: string,
  catalog: SkillCatalog,
  { cwd, env, error, signal }: Terminal,
): Promise<(server: Server) => void> {
  const grants = pinGrants(await readRunPolicyFile(file, cwd), catalog);
  const fence = grants.ready.length === 0 ? { reason: 'the policy grants no script as it is now' } : findFence();
  const notes = describeNotes(grants, 'reason' in fence ? fence.reason : undefined);
  for (const note of notes) error.write(escapeLines(`mcp-server-skills: ${note}\n`));
  const prefix = toolPrefix === '' ? '' : `${toolPrefix}_`;
  const tool =
    'reason' in fence ? undefined : createRunTool({ catalog, grants, fence, env, signal, name: `${prefix}skill_run` });
  const { list: listName } = toToolNames(toolPrefix);
  return (server) => attachRun(server, { tool, notes, listName });
}

function describeNotes({ disabled }: PinnedGrants, reason: string | undefined): readonly string[] {
  return [
    ...(reason === undefined ? [] : [`scripts cannot be run: ${escapeText(reason)}`]),
    ...disabled.map(
      ({ grant, reason: why }) =>
        `the script "${escapeText(grant.script)}" of "${escapeText(grant.skill)}" is disabled: ${escapeText(why)}`,
    ),
  ];
}

/**
 * Reads a run policy.
 *
 * @throws CommandError with the place of what is wrong
 */
export async function readRunPolicyFile(file: string, cwd: string): Promise<readonly Grant[]> {
  const text = await readTextFile(resolve(cwd, file), file);
  try {
    return readRunPolicy(text);
  } catch (error) {
    if (!(error instanceof PolicyError)) throw error;
    throw new CommandError(EXIT.usage, `${file}:${error.line}:${error.column}: ${error.message}`, { cause: error });
  }
}
