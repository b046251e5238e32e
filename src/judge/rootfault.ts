import type { RootFault } from '../disk/roots.ts';
import { type Problem, type ProblemCode, toProblem } from '../problems.ts';
import { quoteArgument } from '../text/shell.ts';

/** A variable of a shell or a host, as it is written. */
const VARIABLE = /\$\{[^{}]*\}|\$[A-Za-z_]\w*|%[A-Za-z_]\w*%/;

/** Whether a root is written as a repository, a package, or an archive that is fetched. */
function isSourceLike(given: string): boolean {
  return /^(?:git:|npm:|git\+[a-z]+:|https?:)/i.test(given);
}

/** A root that cannot be used. */
export function toRootProblem(fault: RootFault): Problem {
  const { given } = fault;
  const report = (code: ProblemCode, message: string, hint?: string) =>
    toProblem({ code, path: '.', message, ...(hint === undefined ? {} : { hint }) });
  if (fault.reason === 'not-folder') {
    return report('root-unreadable', `"${given}" is no folder`, 'pass the folder that holds skills');
  }
  if (fault.reason === 'source') {
    return report(fault.isMissing ? 'root-missing' : 'root-unreadable', fault.detail, fault.hint);
  }
  if (fault.reason === 'unreadable') return report('root-unreadable', `"${given}" cannot be read: ${fault.detail}`);
  const { start, place } = fault;
  const above = start === undefined ? '' : ` in "${start}" or in a folder above it`;
  if (fault.reason === 'unmatched') {
    const hint = 'correct the pattern: it is compared with folders, and "*" stands for one name';
    return report('root-missing', `no folder matches "${given}"${above}`, hint);
  }
  if (isSourceLike(given)) {
    // a command opens such a root before it comes here
    const list = `mcp-server-skills list ${quoteArgument(given)} --json --bytes`;
    return report(
      'root-missing',
      `"${given}" is a source, and loadSkills takes folders`,
      `write what "${list}" prints into a file, and give its content to loadCatalog of mcp-server-skills/catalog`,
    );
  }
  const looked = place === undefined || place === given ? '' : ` (looked for ${place})`;
  const variable = VARIABLE.exec(given)?.[0];
  const hint =
    variable === undefined
      ? 'create it, or pass its absolute path'
      : `"${variable}" was passed as it is, and nothing replaces it here: write the absolute path`;
  return report('root-missing', `there is no folder "${given}"${above}${looked}`, hint);
}
