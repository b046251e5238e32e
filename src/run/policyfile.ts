import { posix } from 'node:path';
import { parsePolicyText, type Value } from '../policy/yamlfile.ts';
import type { Grant } from './grant.ts';

/** A script is stopped after this time where the policy names none, in seconds. */
const USUAL_TIMEOUT = 60;

/** The longest time that a policy can give, in seconds. */
const LONGEST_TIMEOUT = 300;

/** Programs that a policy can name. */
const INTERPRETERS = ['node', 'python3', 'bash'];

const DIGEST = /^sha256:[0-9a-f]{64}$/;
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Variables that the fence sets itself. */
const FIXED = ['PATH', 'HOME', 'LANG', 'TMPDIR', 'PWD', 'OLDPWD', 'SHLVL', 'IFS'];

/** Variables that decide what an interpreter or the loader runs before the script. */
const CODE =
  /^(?:LD_.*|DYLD_.*|NODE_.*|PYTHON.*|BASH_.*|ENV|BASHOPTS|SHELLOPTS|PS4|PROMPT_COMMAND|GCONV_PATH|LOCPATH)$/;

/**
 * Reads a run policy, in YAML 1.2 or JSON.
 *
 * @throws PolicyError for the first thing that is wrong, with its place
 */
export function readRunPolicy(text: string): readonly Grant[] {
  const root = parsePolicyText(text);
  const members = root.members(['version', 'scripts']);
  const version = need(root, members, 'version');
  if (version.scalar() !== 1) throw version.fault('the "version" is not 1');
  const seen = new Set<string>();
  return need(root, members, 'scripts')
    .items()
    .map((entry) => {
      const grant = readGrant(entry);
      const key = `${grant.skill}\n${grant.script}`;
      if (seen.has(key)) throw entry.fault(`"${grant.script}" of "${grant.skill}" is granted twice: keep one entry`);
      seen.add(key);
      return grant;
    });
}

const MEMBERS = [
  'skill',
  'script',
  'digest',
  'fingerprint',
  'interpreter',
  'leading',
  'args',
  'env',
  'network',
  'timeout',
];

function readGrant(entry: Value): Grant {
  const members = entry.members(MEMBERS);
  const network = members.get('network');
  const isOnline = network?.scalar() ?? false;
  if (network !== undefined && typeof isOnline !== 'boolean') throw network.fault('"network" is not true or false');
  return {
    skill: readSkill(need(entry, members, 'skill')),
    script: readScript(need(entry, members, 'script')),
    digest: readDigest(need(entry, members, 'digest')),
    fingerprint: readDigest(need(entry, members, 'fingerprint')),
    interpreter: readInterpreter(need(entry, members, 'interpreter')),
    leading: (members.get('leading')?.items() ?? []).map(readArgument),
    args: readPattern(members.get('args')),
    env: (members.get('env')?.items() ?? []).map(readVariable),
    network: isOnline === true,
    timeout: readTimeout(members.get('timeout')),
    ...entry.place,
  };
}

function need(owner: Value, members: ReadonlyMap<string, Value>, name: string): Value {
  const value = members.get(name);
  if (value === undefined) throw owner.fault(`${owner.what} has no "${name}"`);
  return value;
}

function readSkill(value: Value): string {
  const text = value.text();
  const path = /^skill:\/\/(.+)\/SKILL\.md$/.exec(text)?.[1];
  if (path === undefined) throw value.fault(`"${text}" is not the URI of a skill, such as skill://pdf/SKILL.md`);
  return path;
}

function readScript(value: Value): string {
  const text = value.text();
  const isPlain = text.split('/').every((name) => name !== '' && name !== '.' && name !== '..');
  if (!isPlain || /[\\%\p{Cc}]/u.test(text)) {
    throw value.fault(`"${text}" is not a path in the skill, such as scripts/fill.py`);
  }
  return text;
}

function readDigest(value: Value): string {
  const text = value.text();
  if (!DIGEST.test(text)) throw value.fault(`${value.what} is not "sha256:" and 64 lowercase hex digits`);
  return text;
}

function readInterpreter(value: Value): string {
  const text = value.text();
  const isPath = posix.isAbsolute(text) && posix.normalize(text) === text && !/\p{Cc}/u.test(text);
  if (!isPath || !INTERPRETERS.includes(posix.basename(text))) {
    throw value.fault(`"${text}" is not the absolute path of ${INTERPRETERS.join(', ')}, such as /usr/bin/python3`);
  }
  return text;
}

function readArgument(value: Value): string {
  const text = value.text();
  if (text.includes('\0')) throw value.fault(`${value.what} has a NUL`);
  return text;
}

function readPattern(value: Value | undefined): RegExp | undefined {
  if (value === undefined) return undefined;
  const text = value.text();
  try {
    // first alone: a text such as "a)|(b" is a pattern only with our brackets around it
    new RegExp(text, 'u');
    return new RegExp(`^(?:${text})$`, 'u');
  } catch (error) {
    throw value.fault(`"args" is not a regular expression: ${(error as Error).message}`);
  }
}

function readVariable(value: Value): string {
  const text = value.text();
  if (!VARIABLE.test(text)) throw value.fault(`"${text}" is not the name of a variable`);
  if (FIXED.includes(text)) throw value.fault(`"${text}" is set by the fence: leave it out`);
  if (CODE.test(text)) throw value.fault(`"${text}" decides what else runs before the script: leave it out`);
  return text;
}

function readTimeout(value: Value | undefined): number {
  if (value === undefined) return USUAL_TIMEOUT;
  const seconds = value.scalar();
  if (typeof seconds !== 'number' || !Number.isInteger(seconds) || seconds < 1 || seconds > LONGEST_TIMEOUT) {
    throw value.fault(`"timeout" is not a whole number of seconds from 1 to ${LONGEST_TIMEOUT}`);
  }
  return seconds;
}
