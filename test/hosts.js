// Lets the hosts that are npm packages read what `config --write` writes for them: `npm run test:hosts`, by hand, since they are more
// than a gigabyte. All but Codex start the server as well. Needs the build.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const bin = join(root, 'bin', 'mcp-server-skills.js');

/**
 * `told` is what the host prints of a server that it has understood and, where it starts it, reached.
 *
 * @type {readonly { host: string, scope: string, package: string, command: readonly string[], told: RegExp }[]}
 */
const HOSTS = [
  {
    host: 'codex',
    scope: 'user',
    package: '@openai/codex',
    command: ['codex', 'mcp', 'get', 'skills'],
    told: /enabled: true/,
  },
  {
    host: 'gemini',
    scope: 'project',
    package: '@google/gemini-cli',
    command: ['gemini', 'mcp', 'list'],
    told: /✓ skills: .*Connected/,
  },
  {
    host: 'opencode',
    scope: 'project',
    package: 'opencode-ai',
    command: ['opencode', 'mcp', 'list'],
    told: /✓ skills .*connected/,
  },
  // it asks a person before it starts a server of a project
  {
    host: 'claude-code',
    scope: 'user',
    package: '@anthropic-ai/claude-code',
    command: ['claude', 'mcp', 'list'],
    told: /skills: .*Connected/,
  },
];

const work = mkdtempSync(join(tmpdir(), 'hosts-'));
const [home, project] = [join(work, 'home'), join(work, 'project')];
// what has moved the files of a host for the user is not to move them here
const { CODEX_HOME, CLAUDE_CONFIG_DIR, XDG_CONFIG_HOME, ...rest } = process.env;
const env = { ...rest, HOME: home, USERPROFILE: home, GEMINI_CLI_TRUST_WORKSPACE: 'true' };
const shell = process.platform === 'win32';

try {
  mkdirSync(home);
  cpSync(join(root, 'skills-example'), join(project, 'skills'), { recursive: true });
  writeFileSync(join(work, 'package.json'), '{ "private": true }');
  const packages = HOSTS.map((each) => each.package);
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', ...packages], { cwd: work, shell });
  for (const { host, scope, command, told } of HOSTS) {
    const options = [host, 'skills', '--scope', scope, '--node', '--write'];
    execFileSync(process.execPath, [bin, 'config', ...options], { cwd: project, env, stdio: 'ignore' });
    const [name = '', ...args] = command;
    const program = join(work, 'node_modules', '.bin', name);
    const { stdout, stderr, error } = spawnSync(program, args, { cwd: project, env, shell, encoding: 'utf8' });
    const said = stdout + stderr;
    const isUnderstood = told.test(said) && said.includes(bin);
    if (!isUnderstood) process.exitCode = 1;
    console.log(`${host}: ${isUnderstood ? 'ok' : `not understood\n${error ?? said}`}`);
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}
