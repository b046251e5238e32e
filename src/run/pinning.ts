import { type Skill, type SkillCatalog, toSkillPath } from '../catalog/catalog.ts';
import { toUri } from '../catalog/manifest.ts';
import { toFingerprint } from '../lock/lockfile.ts';
import { quoteArgument } from '../text/shell.ts';
import type { Grant } from './grant.ts';

/** A grant whose skill and script are those that were looked at. */
export interface ReadyGrant {
  readonly grant: Grant;
  readonly skill: Skill;
}

/** A grant that allows nothing now, and why. */
interface DisabledGrant {
  readonly grant: Grant;
  readonly reason: string;
}

/** The grants of a policy, in its order. */
export interface PinnedGrants {
  readonly ready: readonly ReadyGrant[];
  readonly disabled: readonly DisabledGrant[];
}

/** Compares what a policy grants with what is published: a skill that has changed in any file is not the one that was granted. */
export function pinGrants(grants: readonly Grant[], catalog: SkillCatalog): PinnedGrants {
  const byPath = new Map(catalog.skills.map((skill) => [toSkillPath(skill.uri), skill]));
  const ready: ReadyGrant[] = [];
  const disabled: DisabledGrant[] = [];
  for (const grant of grants) {
    const skill = byPath.get(grant.skill);
    const reason = findReason(grant, skill);
    if (reason !== undefined || skill === undefined) disabled.push({ grant, reason: reason ?? '' });
    else ready.push({ grant, skill });
  }
  return { ready, disabled };
}

function findReason(grant: Grant, skill: Skill | undefined): string | undefined {
  if (skill === undefined) return 'the skill is not published';
  const uri = toUri(grant.skill, grant.script);
  const file = skill.resources.find((resource) => resource.uri === uri);
  if (file === undefined) return 'the skill has no such file';
  const again = `approve again: ${toApproval(grant)}`;
  if (file.digest !== grant.digest) return `the script has changed; ${again}`;
  return toFingerprint(skill.resources) === grant.fingerprint ? undefined : `the skill has changed; ${again}`;
}

/** The command that grants what is there now, as it is typed. */
function toApproval({ skill, script }: Pick<Grant, 'skill' | 'script'>): string {
  return `mcp-server-skills run-policy add ${quoteArgument(skill)} ${quoteArgument(script)}`;
}
