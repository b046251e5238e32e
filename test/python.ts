import { execFileSync } from 'node:child_process';
import { isRequired } from './required.ts';

/** Debian's own Python, which has Debian's PyYAML. */
export const PYTHON = '/usr/bin/python3';

/** Whether PyYAML is there. Where it is required it has to be; elsewhere what needs it is skipped, and shown as skipped. */
export function hasPyYaml(): boolean {
  try {
    execFileSync(PYTHON, ['-c', 'import yaml'], { stdio: 'ignore' });
    return true;
  } catch {
    if (isRequired) throw new Error('PyYAML is missing: install Debian’s python3-yaml');
    return false;
  }
}
