import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { type ConfigRequest, toConfig } from '../../src/config/configure.ts';
import type { Where } from '../../src/config/host.ts';
import { HOSTS } from '../../src/config/hosts.ts';
import { findEntry, mergeEntry } from '../../src/config/merge.ts';
import { findLost, isBare, isOurs } from '../../src/config/started.ts';
import { CommandError } from '../../src/error.ts';
import { run } from '../command.ts';
import { hasPyYaml, PYTHON } from '../python.ts';

const where: Where = { platform: 'linux', home: '/home/ann', cwd: '/code/shop', env: {} };

function merge(host: string, text: string, request: Partial<ConfigRequest> & { force?: boolean } = {}): string {
  const { syntax, wanted } = toConfig({ roots: ['/s'], ...request, host }, where);
  return mergeEntry(syntax, text, wanted, { force: request.force ?? false });
}

function refusal(host: string, text: string, request?: Partial<ConfigRequest> & { force?: boolean }): string {
  try {
    merge(host, text, request);
  } catch (error) {
    if (error instanceof CommandError) return `${error.at?.line ?? '-'}:${error.at?.column ?? '-'} ${error.message}`;
    throw error;
  }
  return 'accepted';
}

/** The lines that are in one text and not in the other: what a merge took out, and what it put in. */
function compare(before: string, after: string): { gone: string[]; put: string[] } {
  const gone = before.split(/(?<=\n)/);
  const put: string[] = [];
  for (const line of after.split(/(?<=\n)/)) {
    const index = gone.indexOf(line);
    if (index === -1) put.push(line);
    else gone.splice(index, 1);
  }
  return { gone, put };
}

describe('JSON with comments', () => {
  const settings = `// Zed settings
{
  "theme": "One Dark", // the best one
  "vim_mode": true,
  /* servers */
  "context_servers": {
    "search": {
      "command": "uvx", // not npx
      "args": ["search", "--fast"],
    },
    // "old": { "command": "x" },
  },
  "tab_size":  2,
}
`;

  test('a member is added after the last, in the style of the file', () => {
    expect(merge('zed', settings)).toBe(
      settings.replace(
        `"--fast"],
    },
`,
        `"--fast"],
    },
    "skills": {
      "command": "npx",
      "args": [
        "-y",
        "mcp-server-skills",
        "/s"
      ]
    },
`,
      ),
    );
  });

  test('a comment stays on the line of its member: the new one goes before it', () => {
    const text = '{\n\t"a": 1, // one\n\t"b": [] // two\n\t// end\n}\n';
    expect(merge('zed', text)).toBe(
      '{\n\t"context_servers": {\n\t\t"skills": {\n\t\t\t"command": "npx",\n\t\t\t"args": [\n\t\t\t\t"-y",\n\t\t\t\t"mcp-server-skills",\n\t\t\t\t"/s"\n\t\t\t]\n\t\t}\n\t},\n\t"a": 1, // one\n\t"b": [] // two\n\t// end\n}\n',
    );
  });

  test('line ends and a byte order mark are kept', () => {
    const text = `\uFEFF${settings.replaceAll('\n', '\r\n')}`;
    expect(merge('zed', text)).toBe(`\uFEFF${merge('zed', settings).replaceAll('\n', '\r\n')}`);
    const crlf = '{\r\n  "context_servers": {\r\n    "a": {} // last\r\n  }\r\n}\r\n';
    expect(compare(crlf, merge('zed', crlf))).toEqual({
      gone: [],
      put: [
        '    "skills": {\r\n',
        '      "command": "npx",\r\n',
        '      "args": [\r\n',
        '        "-y",\r\n',
        '        "mcp-server-skills",\r\n',
        '        "/s"\r\n',
        '      ]\r\n',
        '    },\r\n',
      ],
    });
  });

  test.each([
    ['{}', '{\n  "context_servers": {\n    "skills": BLOCK\n  }\n}'],
    ['{ }\n', '{\n  "context_servers": {\n    "skills": BLOCK\n  }\n}\n'],
    ['{\n  // none\n}\n', '{\n  "context_servers": {\n    "skills": BLOCK\n  }\n  // none\n}\n'],
    ['{"a":1}', '{\n  "a": 1,\n  "context_servers": {\n    "skills": BLOCK\n  }\n}'],
    ['{"a":1,}', '{\n  "a": 1,\n  "context_servers": {\n    "skills": BLOCK\n  },\n}'],
    ['// none\n/* yet */\n', '// none\n/* yet */\n{\n  "context_servers": {\n    "skills": BLOCK\n  }\n}\n'],
    ['{\n  "context_servers": null // none\n}', '{\n  "context_servers": {\n    "skills": BLOCK\n  } // none\n}'],
    ['{\n  "context_servers": {\n    "skills": null\n  }\n}', '{\n  "context_servers": {\n    "skills": BLOCK\n  }\n}'],
    ['{\n  "context_servers": {}\n}', '{\n  "context_servers": {\n    "skills": BLOCK\n  }\n}'],
    ['{\n  "a": 1 }', '{\n  "a": 1,\n  "context_servers": {\n    "skills": BLOCK\n  }\n}'],
    ['{\n  "a": 1 /* x */ // z\n}', '{\n  "context_servers": {\n    "skills": BLOCK\n  },\n  "a": 1 /* x */ // z\n}'],
  ])('%j', (text, expected) => {
    const block =
      '{\n      "command": "npx",\n      "args": [\n        "-y",\n        "mcp-server-skills",\n        "/s"\n      ]\n    }';
    expect(merge('zed', text)).toBe(expected.replace('BLOCK', block));
  });

  test.each(['', ' \n', '\uFEFF', '\r\n'])('an empty file %j is filled', (text) => {
    expect(JSON.parse(merge('cursor', text).replace('\uFEFF', ''))).toEqual({
      mcpServers: { skills: { command: 'npx', args: ['-y', 'mcp-server-skills', '/s'] } },
    });
  });

  test('names that objects inherit are names like others', () => {
    expect(merge('cursor', '{"mcpServers":{}}', { name: 'constructor' })).toContain('"constructor": {');
    expect(merge('cursor', '{"__proto__": 1, "mcpServers":{"toString":{}}}', { name: 'valueOf' })).toContain(
      '"valueOf": {',
    );
  });

  test.each([
    ['{ /* none */ }', '1:1'],
    ['{ // mine\n  "a": 1 // one\n}', '1:1'],
    ['{"context_servers":{"a":{}},"context_servers":{"b":{}}}', '-:-'],
  ])('what would move a comment, or has a key twice, is refused: %j', (text, place) => {
    expect(refusal('zed', text)).toBe(
      `${place} "context_servers" is written in a way that only a person can edit: paste the entry there`,
    );
  });

  test('what cannot be read is refused, with its place', () => {
    expect(refusal('zed', '{\n  "a": 1\n  "b": 2\n}')).toBe('3:3 not valid JSON with comments: comma expected');
    expect(refusal('zed', '{\n  "a": nope\n}')).toBe('2:8 not valid JSON with comments: invalid symbol');
    expect(refusal('zed', '{"a": {')).toBe('1:8 not valid JSON with comments: close brace expected');
    expect(refusal('zed', '[]')).toBe('1:1 not an object');
    expect(refusal('zed', '{\n "context_servers": 1}')).toBe('2:21 "context_servers" is not an object');
    // Claude Desktop and Claude Code read JSON without comments, so there a comment is a fault.
    expect(refusal('claude-desktop', '{\n  // c\n}')).toBe('2:3 not valid JSON: invalid comment token');
    expect(refusal('claude-desktop', '{"a": 1,}')).toBe('1:9 not valid JSON: property name expected');
  });
});

test.each([
  ['cursor', '{\n  "a": "x\ty"\n}', '2:10 a string contains a control character: write \\t instead'],
  ['claude-desktop', '{"a": "\u0001"}', '1:8 a string contains a control character: write \\u0001 instead'],
  ['cursor', '{"a\nb": 1}', '1:2 not valid JSON with comments: unexpected end of string'],
  ['claude-desktop', '{"a": 01}', '1:8 not valid JSON: comma expected'],
])('a host of %s reads no raw control character: %j', (host, text, message) => {
  expect(refusal(host, text)).toBe(message);
});

describe('TOML', () => {
  const settings = `# my settings
model = "gpt-6"   # fast
notify = [
  "sh", # not [bash]
  "-c",
]

[mcp_servers.docs]   # keep
command = 'uvx'
args = ["docs"]

[mcp_servers.docs.env]
KEY = """
[mcp_servers.skills]
command = "no" """

[projects."/code/a.b"]
trust_level = "trusted"
since = 1979-05-27T07:32:00Z
big = 9223372036854775807`;
  const table =
    '[mcp_servers.skills]\ncommand = "npx"\nargs = ["-y", "mcp-server-skills", "/s"]\nstartup_timeout_sec = 60\nrequired = true\n';

  test('a table is added at the end', () => {
    expect(merge('codex', settings)).toBe(`${settings}\n\n${table}`);
    expect(merge('codex', `${settings}\n`)).toBe(`${settings}\n\n${table}`);
    expect(merge('codex', `${settings}\n\n`)).toBe(`${settings}\n\n${table}`);
    expect(merge('codex', settings.replaceAll('\n', '\r\n'))).toBe(`${settings}\n\n${table}`.replaceAll('\n', '\r\n'));
    expect(merge('codex', '# nothing\n')).toBe(`# nothing\n\n${table}`);
  });

  test('a table that is there and differs is left alone, with the one to paste', () => {
    const text = `${settings}\n\n[mcp_servers.skills] # ours\ncommand = "npx"\nargs = ["-y", "mcp-server-skills", "/old"]\n`;
    const message =
      '-:- "skills" is there and differs: choose another name with --name, or paste the entry in its place';
    expect(refusal('codex', text)).toBe(message);
    expect(refusal('codex', text, { force: true })).toBe(message);
    expect(refusal('codex', '# mine\n[mcp_servers.skills] # empty\n')).toBe(message);
    const same =
      '[ mcp_servers . "skills" ] # ours\nargs = [\n  "-y", # yes\n  "mcp-server-skills",\n  \'/s\',\n]\ncommand = "npx"\n';
    expect(merge('codex', same)).toBe(same);
  });

  test('forms that no edit is known for are refused, not spoilt', () => {
    const byHand = '-:- "mcp_servers" is written in a way that only a person can edit: paste the entry there';
    expect(refusal('codex', 'mcp_servers = {}\n')).toBe(byHand);
    expect(refusal('codex', 'mcp_servers = 1\n')).toBe(byHand);
    expect(refusal('codex', 'mcp_servers = { docs = {} }\n')).toBe(byHand);
  });

  test('what cannot be read is refused, with its place', () => {
    expect(refusal('codex', 'a = 1\nb = \n')).toBe('2:5 invalid value');
    expect(refusal('codex', 'a = 1\na = 2\n')).toBe('2:1 trying to redefine an already defined table or value');
  });
});

describe('YAML', () => {
  const settings = `# goose
GOOSE_MODE: "smart_approve"   # ask
extensions:
  developer:
    bundled: true
    args:
    - -x   # not indented
    display_name: 'Developer'
    timeout:    300 # long
  # memory: off

GOOSE_SEARCH_PATHS:
  - "/usr/local/bin"
note: |
  extensions:
    no: yes
`;
  const member = (indent: string) =>
    [
      'skills:',
      '  enabled: true',
      '  type: stdio',
      '  name: skills',
      '  description: "Agent Skills over MCP"',
      '  cmd: npx',
      '  args:',
      '    - "-y"',
      '    - "mcp-server-skills"',
      '    - "/s"',
      '  envs: {}',
      '  env_keys: []',
      '  timeout: 300',
      '',
    ]
      .join(`\n${indent}`)
      .replace(/^/, indent)
      .replace(/ +$/, '');

  test('a member is added before the others, after the line of its container', () => {
    const expected = settings.replace('extensions:\n', `extensions:\n${member('  ')}`);
    expect(merge('goose', settings)).toBe(expected);
    expect(merge('goose', settings.replaceAll('\n', '\r\n'))).toBe(expected.replaceAll('\n', '\r\n'));
  });

  test.each([
    ['a: 1', `a: 1\nextensions:\n${member('  ')}`],
    ['# only\n', `# only\nextensions:\n${member('  ')}`],
    ['---\na: 1\n', `---\na: 1\nextensions:\n${member('  ')}`],
    ['extensions:\n', `extensions:\n${member('  ')}`],
    ['extensions: # none\nb: 1\n', `extensions: # none\n${member('  ')}b: 1\n`],
    ['extensions: {}\nb: 1\n', `extensions:\n${member('  ')}b: 1\n`],
    ['extensions: {} # none\nb: 1\n', `extensions: # none\n${member('  ')}b: 1\n`],
    ['extensions: ~\n', `extensions:\n${member('  ')}`],
    [
      'extensions:\n    a:\n        b: |\n            c\n\nd: 1\n',
      `extensions:\n${member('    ')}    a:\n        b: |\n            c\n\nd: 1\n`,
    ],
    ['extensions:\n  a: {b: 1,\n    c: 2} # d', `extensions:\n${member('  ')}  a: {b: 1,\n    c: 2} # d`],
    ['extensions:\n  a:\n', `extensions:\n${member('  ')}  a:\n`],
    ['extensions: &x # mine\n  # about a\n  a: {}\n', `extensions: &x # mine\n${member('  ')}  # about a\n  a: {}\n`],
  ])('%j', (text, expected) => {
    expect(merge('goose', text)).toBe(expected);
  });

  test.each([
    ['extensions:\n  a:\n    b: |\n      text', `extensions:\n${member('  ')}  a:\n    b: |\n      text`],
    ['extensions:\nnote: |\n  text', `extensions:\n${member('  ')}note: |\n  text`],
    ['note: |-\n  text', `note: |-\n  text\nextensions:\n${member('  ')}`],
  ])('a value that ends the file without a line break stays as it is: %j', (text, expected) => {
    const merged = merge('goose', text);
    expect(merged).toBe(expected);
    if (hasPyYaml()) {
      // the library that the product uses adds the line break that is missing
      const read = (yaml: string) =>
        execFileSync(PYTHON, ['-c', 'import json, sys, yaml; print(json.dumps(yaml.safe_load(sys.stdin.read())))'], {
          input: yaml,
          encoding: 'utf8',
        });
      const { extensions = {}, ...rest } = JSON.parse(read(merged));
      const { extensions: before, ...others } = JSON.parse(read(text));
      const { skills: _, ...kept } = extensions;
      expect([rest, kept]).toEqual([others, before ?? {}]);
    }
  });

  test.each(['note: |\n  text', '# c\nnote:\n  - >+\n    text'])(
    'a block scalar that ends the file without a line break would grow by one: %j',
    (text) => {
      expect(refusal('goose', text)).toBe('-:- the file ends without a line break: add one, then run this again');
    },
  );

  test('an entry that is there and differs is left alone, and one that does not is kept as it is written', () => {
    const text =
      "extensions:\n  skills:\n    cmd: npx\n    type: stdio\n    args:\n    - -y\n    - mcp-server-skills\n    - '/s' # mine\n    timeout: 20\n";
    expect(merge('goose', text)).toBe(text);
    const message =
      '-:- "skills" is there and differs: choose another name with --name, or paste the entry in its place';
    expect(refusal('goose', text.replace('/s', '/old'))).toBe(message);
    expect(refusal('goose', text.replace('npx', 'other'), { force: true })).toBe(message);
    expect(refusal('goose', 'extensions:\n  skills: # empty\n  a: {}\n')).toBe(message);
  });

  test('forms that no edit is known for are refused, not spoilt', () => {
    const byHand = '"extensions" is written in a way that only a person can edit: paste the entry there';
    expect(refusal('goose', '{a: 1}\n')).toBe(`1:1 ${byHand}`);
    expect(refusal('goose', 'extensions: {a: {}}\n')).toBe(`1:13 ${byHand}`);
    expect(refusal('goose', 'extensions: 3\n')).toBe(`1:13 ${byHand}`);
    expect(refusal('goose', '- a\n')).toContain(byHand);
    expect(refusal('goose', 'a: 1\n...\n')).toContain(byHand);
  });

  test('what cannot be read is refused, with its place', () => {
    expect(refusal('goose', 'a: 1\n\tb: 2\n')).toMatch(/^2:1 /);
    expect(refusal('goose', 'a: [1\nb: 2\n')).toMatch(/^\d+:\d+ /);
    expect(refusal('goose', 'a: 1\na: 2\n')).toBe('2:1 map keys must be unique');
    expect(refusal('goose', '---\na: 1\n---\nb: 1\n')).toMatch(/^3:1 /);
  });
});

describe('an entry of that name', () => {
  const text =
    '{\n  "mcpServers": {\n    "skills": {"command": "npx", "args": ["-y", "other"], "env": {}} // mine\n  }\n}\n';

  test('that starts another server is refused, or replaced with force', () => {
    expect(refusal('cursor', text)).toBe(
      '-:- "skills" is another server there: choose a name with --name, or replace it with --force',
    );
    expect(merge('cursor', text, { force: true })).toBe(
      text.replace(
        /\{"command.*\}\}/,
        '{\n      "command": "npx",\n      "args": [\n        "-y",\n        "mcp-server-skills",\n        "/s"\n      ]\n    }',
      ),
    );
    expect(JSON.parse(merge('cursor', text.replace(' // mine', ''), { name: 'skills-2' }))).toEqual({
      mcpServers: {
        skills: { command: 'npx', args: ['-y', 'other'], env: {} },
        'skills-2': { command: 'npx', args: ['-y', 'mcp-server-skills', '/s'] },
      },
    });
  });

  test('that starts this one is brought up to date, the rest of it kept', () => {
    const old =
      '{\n  "mcpServers": {\n    "skills": {\n      "disabled": true, // for now\n      "args": ["-y", "mcp-server-skills@1.0.0", "/old"],\n      "command": "npx",\n      "env": {"A": "b"}\n    }\n  }\n}\n';
    expect(merge('cursor', old)).toBe(
      old.replace(/\[.*\]/, '[\n        "-y",\n        "mcp-server-skills",\n        "/s"\n      ]'),
    );
    const bare = '{\n  "servers": {\n    "skills": {\n      "command": "mcp-server-skills"\n    }\n  }\n}\n';
    expect(JSON.parse(merge('vscode', bare))).toEqual({
      servers: { skills: { command: 'npx', args: ['-y', 'mcp-server-skills', '/s'], type: 'stdio' } },
    });
  });

  test.each([
    ['cursor', '{\n  "mcpServers": {\n    "skills": {}\n  }\n}\n'],
    ['cursor', '{\n  "mcpServers": {\n    "skills": null\n  }\n}\n'],
  ])('that holds nothing is filled: %s %j', (host, text) => {
    const merged = merge(host, text);
    expect(merge(host, merged)).toBe(merged);
    expect(merged.match(/#.*/g)).toEqual(text.match(/#.*/g));
  });

  test.each([
    ['zed', '{"a": 1} //'],
    ['zed', '// a\r\n//'],
    ['codex', 'a = 1\r\nb = 2 # x'],
    ['goose', 'a: 1\r\nextensions:\r\n  b: {} # x'],
  ])('a comment that ends the file is no reason to refuse: %s %j', (host, text) => {
    const merged = merge(host, text);
    expect(merge(host, merged)).toBe(merged);
  });

  test('is left to a person where a comment would be lost', () => {
    const text =
      '{"mcpServers": {"skills": {"command": "npx", "args": [\n  "-y", // yes\n  "mcp-server-skills@1.0.0", "/old" /* ours */\n]}}}\n';
    expect(refusal('cursor', text)).toBe(
      '-:- a comment in "skills" would be lost: set args to ["-y","mcp-server-skills","/s"] there yourself',
    );
  });

  test.each(Object.keys(HOSTS).filter((host) => host !== 'codex' && host !== 'goose'))(
    'merging other roots into %s and back gives the same file',
    (host) => {
      const once = merge(host, '{ "a": 1 }\n');
      const other = merge(host, once, { roots: ['/other'] });
      expect(other).toBe(once.replace('"/s"', '"/other"'));
      expect(merge(host, other)).toBe(once);
    },
  );

  test.each(Object.keys(HOSTS))('merging into %s a second time changes nothing', (host) => {
    const empty = { codex: 'a = 1\n', goose: 'a: 1\n' }[host] ?? '{ "a": 1 }\n';
    const request = { roots: ['it\'s "a" \\ b', 'team=x'], extra: ['--invalid', 'skip'] };
    const once = merge(host, empty, request);
    expect(merge(host, once, request)).toBe(once);
  });

  test.each([
    [{ command: 'npx', args: ['-y', 'mcp-server-skills'] }, true],
    [{ command: 'npx', args: ['--yes', 'mcp-server-skills@1.2.3', '/s'] }, true],
    [{ command: 'cmd', args: ['/c', 'npx', '-y', 'mcp-server-skills@latest'] }, true],
    [{ command: 'C:\\nodejs\\node.exe', args: ['C:\\npm\\bin\\mcp-server-skills.js'] }, true],
    [{ command: '/usr/bin/node', args: ['/x/mcp-server-skills.js'] }, true],
    [{ command: ['npx', '-y', 'mcp-server-skills', './skills'] }, true],
    [{ cmd: 'bunx', args: ['mcp-server-skills'] }, true],
    [{ command: 'mcp-server-skills' }, true],
    [{ command: 'npx', args: ['-y', 'other', '/home/ann/mcp-server-skills'] }, false],
    [{ command: 'npx', args: ['-y', '@evil/mcp-server-skills-too'] }, false],
    [{ url: 'http://localhost/mcp' }, false],
    [{}, false],
    [null, false],
    ['mcp-server-skills', false],
  ])('%j is ours: %s', (entry, ours) => {
    expect(isOurs(entry)).toBe(ours);
  });
});

describe('what an entry was started with and will not be', () => {
  const entry = (...args: string[]) => JSON.stringify({ mcpServers: { skills: { command: 'npx', args } } }, null, 2);
  const lost = (text: string, request: Partial<ConfigRequest> = {}) => {
    const { syntax, wanted } = toConfig({ roots: ['/s'], ...request, host: 'cursor' }, where);
    return findLost(findEntry(syntax, text, wanted), wanted.entry, where);
  };
  const ours = (...args: string[]) => entry('-y', 'mcp-server-skills', ...args);
  const nothing = { roots: [], options: [] };

  test('is named, so that nobody loses an option or a version without a word', () => {
    const before = entry('-y', 'mcp-server-skills@1.2.3', '/s', '--tools', 'always');
    expect(lost(before)).toEqual({ roots: [], options: ['mcp-server-skills@1.2.3', '--tools always'] });
    expect(lost(before, { pin: '1.3.0', extra: ['--tools', 'always'] })).toEqual(nothing);
    expect(lost(entry('-y', 'another-server', '--flag'))).toEqual(nothing);
    expect(lost('')).toEqual(nothing);
  });

  test('of an option that is given again, the values that are not', () => {
    const before = ours('/s', '--exclude', '*.tmp', '--exclude', '*.bak', '--exclude', '*.bak');
    expect(lost(before, { extra: ['--exclude', '*.bak'] })).toEqual({
      roots: [],
      options: ['--exclude *.tmp', '--exclude *.bak'],
    });
    expect(lost(ours('/s', '--tools=always'), { extra: ['--tools', 'always'] })).toEqual(nothing);
    expect(lost(ours('/s', '--tools', 'always'), { extra: ['--tools', 'never'] })).toEqual({
      roots: [],
      options: ['--tools always'],
    });
  });

  test('and the roots, whichever way they are spelled', () => {
    const before = ours('serve', '/a', '/s', 'team=/s', './b');
    expect(lost(before)).toEqual({ roots: ['/a', 'team=/s', './b'], options: [] });
    expect(lost(before, { roots: ['b', '/a/', 'team=/s', '/x/../s'] })).toEqual(nothing);
    expect(lost(ours('--no-prompts', '/s'), { extra: ['--no-prompts'] })).toEqual(nothing);
    expect(lost(ours('/s', '--no-prompts', '/more'))).toEqual({ roots: ['/more'], options: ['--no-prompts'] });
  });

  test('knows which options take no value', async () => {
    const { stdout } = await run(['serve', '--help']);
    const options = [...stdout.matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)( <)?/gm)].filter(([, name]) => name !== '--help');
    expect(options.length).toBeGreaterThan(20);
    for (const [, name = '', value] of options) expect([name, isBare(name)]).toEqual([name, value === undefined]);
  });
});
