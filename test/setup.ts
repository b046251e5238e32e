import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Builds the command once, before any test starts it. */
export function setup(): void {
  const root = fileURLToPath(new URL('..', import.meta.url));
  execFileSync('npm', ['run', 'build', '--silent'], {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
}
