import { isMap, isSeq, parseDocument } from 'yaml';
import type { Skill } from '../catalog/catalog.ts';
import { toUri } from '../catalog/manifest.ts';
import { toFingerprint } from '../lock/lockfile.ts';
import { readRunPolicy } from './policyfile.ts';

/** A script to grant as it is published. */
export interface NewEntry {
  readonly skill: Skill;
  /** Groups and name, joined by `/`. */
  readonly path: string;
  readonly script: string;
  readonly digest: string;
  /** Undefined: what the entry that is there has. */
  readonly interpreter: string | undefined;
}

/**
 * Adds an entry to the text of a policy, or pins the one that is there again; all else of the policy stays, comments included.
 *
 * @param text - undefined for a new policy
 * @returns the text, or why no entry can be made
 * @throws PolicyError where the policy that is there is wrong, or the new one would be
 */
export function addEntry(text: string | undefined, entry: NewEntry): { text: string } | { reason: string } {
  if (text !== undefined) readRunPolicy(text);
  const document = parseDocument(text ?? 'version: 1\nscripts: []\n', { version: '1.2', schema: 'core' });
  const scripts = document.get('scripts');
  if (!isSeq(scripts)) return { reason: '"scripts" is not a list' };
  const uri = toUri(entry.path, 'SKILL.md');
  const present = scripts.items.find(
    (item) => isMap(item) && item.get('skill') === uri && item.get('script') === entry.script,
  );
  const pins = { digest: entry.digest, fingerprint: toFingerprint(entry.skill.resources) };
  if (isMap(present)) {
    for (const [name, value] of Object.entries(pins)) present.set(name, value);
    if (entry.interpreter !== undefined) present.set('interpreter', entry.interpreter);
  } else {
    const interpreter = entry.interpreter ?? toInterpreter(entry.script);
    if (interpreter === undefined) return { reason: 'name the interpreter: --interpreter /usr/bin/python3' };
    scripts.flow = false;
    scripts.add(document.createNode({ skill: uri, script: entry.script, ...pins, interpreter }));
  }
  const made = document.toString({ lineWidth: 0 });
  readRunPolicy(made);
  return { text: made };
}

/** The usual interpreter for the end of a name; the operator sees it in the entry. */
function toInterpreter(script: string): string | undefined {
  if (script.endsWith('.py')) return '/usr/bin/python3';
  if (script.endsWith('.sh')) return '/bin/bash';
  return /\.[cm]?js$/.test(script) ? '/usr/bin/node' : undefined;
}
