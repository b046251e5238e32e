import { describe, expect, it } from 'vitest';
import { toUri } from '../../src/catalog/manifest.ts';
import { toFingerprint } from '../../src/lock/lockfile.ts';
import { PolicyError } from '../../src/policy/fault.ts';
import { pinGrants } from '../../src/run/pinning.ts';
import { readRunPolicy } from '../../src/run/policyfile.ts';
import { makeCatalog } from '../mcp/catalog.ts';

const SHA = `sha256:${'a'.repeat(64)}`;
const ENTRY = {
  skill: 'skill://docs/pdf/SKILL.md',
  script: 'scripts/fill.py',
  digest: SHA,
  fingerprint: SHA,
  interpreter: '/usr/bin/python3',
};

const toPolicy = (...scripts: readonly object[]) => JSON.stringify({ version: 1, scripts }, null, 1);

function toFault(text: string): string {
  try {
    readRunPolicy(text);
  } catch (error) {
    if (error instanceof PolicyError) return `${error.line}:${error.column} ${error.message}`;
    throw error;
  }
  return 'no fault';
}

describe('a run policy', () => {
  it('grants no network, no variables and no arguments unless it says so', () => {
    expect(readRunPolicy(toPolicy(ENTRY))).toEqual([
      {
        ...ENTRY,
        skill: 'docs/pdf',
        leading: [],
        args: undefined,
        env: [],
        network: false,
        timeout: 60,
        line: 4,
        column: 3,
      },
    ]);
  });

  it.each([
    ['an unknown member', { ...ENTRY, shell: true }, 'has no member "shell"'],
    ['no digest', { ...ENTRY, digest: undefined }, 'has no "digest"'],
    ['a short digest', { ...ENTRY, digest: 'sha256:aa' }, '"digest" is not "sha256:" and 64 lowercase hex digits'],
    ['a name instead of a URI', { ...ENTRY, skill: 'pdf' }, '"pdf" is not the URI of a skill'],
    ['a script above the skill', { ...ENTRY, script: '../x.py' }, '"../x.py" is not a path in the skill'],
    ['an interpreter by name', { ...ENTRY, interpreter: 'python3' }, '"python3" is not the absolute path of'],
    ['another program', { ...ENTRY, interpreter: '/usr/bin/perl' }, '"/usr/bin/perl" is not the absolute path of'],
    ['a path with ..', { ...ENTRY, interpreter: '/tmp/../usr/bin/node' }, 'is not the absolute path of'],
    ['a network that is a word', { ...ENTRY, network: 'yes' }, '"network" is not true or false'],
    ['a long time', { ...ENTRY, timeout: 301 }, 'seconds from 1 to 300'],
    ['no time', { ...ENTRY, timeout: 0 }, 'seconds from 1 to 300'],
    ['a pattern that is none', { ...ENTRY, args: '(' }, '"args" is not a regular expression'],
    ['a pattern that breaks out', { ...ENTRY, args: 'a)|(b' }, '"args" is not a regular expression'],
    ['code in a variable', { ...ENTRY, env: ['LD_PRELOAD'] }, 'decides what else runs'],
    ['options of node in a variable', { ...ENTRY, env: ['NODE_OPTIONS'] }, 'decides what else runs'],
    ['a variable of the fence', { ...ENTRY, env: ['PATH'] }, 'is set by the fence'],
    ['a value in place of a name', { ...ENTRY, env: ['A=1'] }, '"A=1" is not the name of a variable'],
  ])('refuses %s', (_, entry, message) => {
    expect(toFault(toPolicy(entry))).toContain(message);
  });

  it('names the line and column', () => {
    const fault = toFault('version: 1\nscripts:\n  - skill: skill://a/SKILL.md\n    script: ../b\n');
    expect(fault).toBe('4:13 "../b" is not a path in the skill, such as scripts/fill.py');
  });

  it('refuses two entries for one script', () => {
    expect(toFault(toPolicy(ENTRY, ENTRY))).toContain('is granted twice');
  });

  it('matches an argument as a whole', () => {
    const [grant] = readRunPolicy(toPolicy({ ...ENTRY, args: 'a|b' }));
    expect(['a', 'b', 'ab', 'xa', 'a\n'].filter((text) => grant?.args?.test(text))).toEqual(['a', 'b']);
  });
});

describe('pinning', () => {
  const path = 'docs/pdf';
  const files = { 'scripts/fill.py': 'print(1)\n', 'scripts/lib.py': 'X = 1\n' };
  const granted = makeCatalog([{ path, files }]);
  const skill = granted.skills[0];
  const [grant] = readRunPolicy(
    toPolicy({
      ...ENTRY,
      digest: granted.read(toUri(path, 'scripts/fill.py'))?.digest,
      fingerprint: toFingerprint(skill?.resources ?? []),
    }),
  );
  const grants = grant === undefined ? [] : [grant];
  const approve = 'approve again: mcp-server-skills run-policy add docs/pdf scripts/fill.py';
  const toReasons = (made: Parameters<typeof makeCatalog>[0]) => {
    const { ready, disabled } = pinGrants(grants, makeCatalog(made));
    return [ready.length, ...disabled.map(({ reason }) => reason)];
  };

  it('takes the skill that was granted', () => {
    expect(pinGrants(grants, granted)).toEqual({ ready: [{ grant, skill }], disabled: [] });
  });

  it('disables an entry when the script, another file, or the instructions change, and when either is gone', () => {
    expect(toReasons([{ path, files: { ...files, 'scripts/fill.py': 'print(2)\n' } }])).toEqual([
      0,
      `the script has changed; ${approve}`,
    ]);
    const changed = [0, `the skill has changed; ${approve}`];
    expect(toReasons([{ path, files: { ...files, 'scripts/lib.py': 'X = 2\n' } }])).toEqual(changed);
    expect(toReasons([{ path, files: { ...files, 'more.txt': '' } }])).toEqual(changed);
    expect(toReasons([{ path, files, body: 'Other.\n' }])).toEqual(changed);
    expect(toReasons([{ path }])).toEqual([0, 'the skill has no such file']);
    expect(toReasons([{ path: 'other/pdf', files }])).toEqual([0, 'the skill is not published']);
  });

  it('grants nothing for what the author of a skill declares', () => {
    const fields = { run: ['scripts/fill.py'], 'mcp-host': { scripts: [{ path: 'scripts/fill.py' }] } };
    expect(pinGrants([], makeCatalog([{ path, files, fields }]))).toEqual({ ready: [], disabled: [] });
  });
});
