import type { Comparable } from '../lock/comparable.ts';
import { escapeText } from '../text/escape.ts';
import { severityOf } from '../verify/print.ts';
import { verifyServer } from '../verify/verification.ts';
import { openTarget } from './reached.ts';
import type { Terminal } from './terminal.ts';
import { reach, toVerifyOptions } from './verifying.ts';

/** How a server is read whose skills are compared: all of it, with the limits of `verify`. */
const LIMITS = {
  era: 'both',
  header: [],
  env: [],
  unlisted: [],
  maxSkills: 1000,
  maxBytes: 256 * 1024 ** 2,
  concurrency: 4,
  timeout: 30,
  startTimeout: 30,
} as const;

/**
 * Reads what a server serves, verified as a strict host does: a skill with an error is not compared.
 *
 * @param tokenEnv - the environment variable that has its token
 * @throws CommandError where it cannot be reached
 */
export async function readServer(
  url: string,
  tokenEnv: string | undefined,
  terminal: Terminal,
): Promise<Comparable & { /** Whether a strict host would take all of it. */ readonly isSound: boolean }> {
  const flags = { ...LIMITS, ...(tokenEnv === undefined ? {} : { tokenEnv }) };
  const target = await openTarget([url], [], flags, terminal);
  const contents = new Map<string, Uint8Array>();
  const report = await reach(() =>
    verifyServer(target.connect, {
      ...toVerifyOptions(flags, terminal),
      minSkills: 0,
      take: async ({ uri }, { bytes }) => void contents.set(uri, bytes),
    }),
  );
  const errors = report.problems.filter(
    (fault) => severityOf(fault, false) === 'error' || fault.code === 'not-verified',
  );
  const refused = [...new Set(errors.flatMap(({ skill }) => skill ?? []))];
  for (const { code, message } of errors.filter((fault) => fault.skill === undefined)) {
    terminal.error.write(`mcp-server-skills: ${escapeText(target.label)}: ${escapeText(message)} [${code}]\n`);
  }
  return {
    skills: report.served.flatMap(({ uri, frontmatter, resources }) =>
      // what is dynamic has no digest to compare
      resources === 'dynamic' || refused.includes(uri) ? [] : [{ uri, frontmatter, resources }],
    ),
    read: (uri) => {
      const bytes = contents.get(uri);
      return bytes && { bytes };
    },
    refused,
    isSound: errors.length === 0,
  };
}
