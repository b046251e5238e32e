import { decodeText, peekFile, type SkillCatalog } from '../catalog/catalog.ts';
import { toUri } from '../catalog/manifest.ts';
import { escapeText } from '../text/escape.ts';
import { quoteArgument } from '../text/shell.ts';
import type { Plan } from './runplan.ts';
import { INSIDE } from './sandbox.ts';

/** Lines of a script that a preview shows. */
const LINES = 40;

/** Characters of a line that a preview shows. */
const LINE_UNITS = 400;

/** Describes exactly what a plan runs, with the names of variables and never their values. */
export function describePlan({ grant, argv }: Plan, catalog: SkillCatalog): string {
  const { skill, script, digest, fingerprint, interpreter, env, network, timeout } = grant;
  return [
    `skill: ${escapeText(skill)} (${fingerprint})`,
    `script: ${escapeText(script)} (${digest})`,
    `interpreter: ${escapeText(interpreter)}`,
    `command: ${argv.map((word) => escapeText(quoteArgument(word))).join(' ')}`,
    `folder: ${INSIDE.work} (empty, and removed afterwards)`,
    `variables: ${env.length === 0 ? 'none' : env.join(', ')}`,
    `network: ${network ? 'yes' : 'no'}`,
    `time limit: ${timeout} s`,
    ...describeScript(catalog, toUri(skill, script)),
  ].join('\n');
}

function describeScript(catalog: SkillCatalog, uri: string): readonly string[] {
  const file = peekFile(catalog, uri);
  if (file === undefined || !file.isText) return ['The script is not text.'];
  const lines = decodeText(file.bytes).replace(/\n$/, '').split('\n');
  const shown = lines.slice(0, LINES).map((line) => {
    const text = escapeText(line.replace(/\r$/, '').slice(0, LINE_UNITS));
    return `| ${text}${line.length > LINE_UNITS ? ` (and ${line.length - LINE_UNITS} more characters)` : ''}`;
  });
  const heading = lines.length > LINES ? `first ${LINES} of ${lines.length} lines:` : 'the whole script:';
  return [heading, ...shown];
}
