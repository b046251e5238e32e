import { execFileSync } from 'node:child_process';

/** Debian's own Python, which has Debian's PyYAML. */
export const PYTHON = '/usr/bin/python3';

/** Whether PyYAML is there. Under CI it has to be; elsewhere what needs it is skipped, and shown as skipped. */
export function hasPyYaml(): boolean {
  try {
    execFileSync(PYTHON, ['-c', 'import yaml'], { stdio: 'ignore' });
    return true;
  } catch {
    if (process.env['CI'] && process.platform === 'linux') {
      throw new Error('PyYAML is missing: install Debian’s python3-yaml');
    }
    return false;
  }
}
