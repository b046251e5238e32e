// Builds mcp-server-skills-VERSION.mcpb in the working directory: what npm would publish, and the manifest with the version.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packExtension } from '@anthropic-ai/mcpb';

const root = fileURLToPath(new URL('..', import.meta.url));
const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const manifest = JSON.parse(readFileSync(join(root, '.mcpb', 'manifest.json'), 'utf8'));
const folder = mkdtempSync(join(tmpdir(), 'mcpb-'));

try {
  // `npm pack` builds first, and knows the list of files. npm is a script on Windows, which only a shell starts.
  const shell = process.platform === 'win32';
  execFileSync('npm', ['pack', '--loglevel=error', '--pack-destination', folder], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell,
  });
  execFileSync('tar', ['-xzf', `${name}-${version}.tgz`], { cwd: folder, stdio: 'inherit' });
  const extensionPath = join(folder, 'package');
  writeFileSync(join(extensionPath, 'manifest.json'), `${JSON.stringify({ ...manifest, version }, null, 2)}\n`);
  const outputPath = join(process.cwd(), `${name}-${version}.mcpb`);
  const isPacked = await packExtension({ extensionPath, outputPath, silent: true });
  if (!isPacked) process.exitCode = 1;
  else process.stdout.write(`${outputPath}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
