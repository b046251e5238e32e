import type { SkillCatalog } from '../../src/catalog/catalog.ts';
import { toUri } from '../../src/catalog/manifest.ts';
import { toFingerprint } from '../../src/lock/lockfile.ts';
import { pinGrants, type ReadyGrant } from '../../src/run/pinning.ts';
import { readRunPolicy } from '../../src/run/policyfile.ts';
import { type Fence, findFence } from '../../src/run/sandbox.ts';
import { isRequired } from '../required.ts';

const found = findFence();

/** The fence of this system. Continuous integration installs it: there, its absence is a failure and not a skipped test. */
export const fence: Fence | undefined = 'reason' in found ? undefined : found;

if ('reason' in found && isRequired) throw new Error(`the tests of scripts need bwrap: ${found.reason}`);
if ('reason' in found) console.warn(`scripts are not run: ${found.reason}`);

/** The text of a policy that grants one script as it is published. */
export function toPolicyText(catalog: SkillCatalog, path: string, script: string, more: object = {}): string {
  const skill = catalog.get(toUri(path, 'SKILL.md'));
  return JSON.stringify({
    version: 1,
    scripts: [
      {
        skill: toUri(path, 'SKILL.md'),
        script,
        digest: catalog.read(toUri(path, script))?.digest,
        fingerprint: toFingerprint(skill?.resources ?? []),
        interpreter: '/bin/bash',
        ...more,
      },
    ],
  });
}

/** A grant of one script as it is published. */
export function grantScript(catalog: SkillCatalog, path: string, script: string, more: object = {}): ReadyGrant {
  const [ready] = pinGrants(readRunPolicy(toPolicyText(catalog, path, script, more)), catalog).ready;
  if (ready === undefined) throw new Error('the grant is not ready');
  return ready;
}
