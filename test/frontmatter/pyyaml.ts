import { spawn, spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { isRequired } from '../required.ts';

const PYTHON = '/usr/bin/python3';
const SCRIPT = fileURLToPath(new URL('./pyyaml.py', import.meta.url));

/** What PyYAML makes of a text. */
interface Answer {
  readonly value?: unknown;
  readonly error?: string;
}

/** One long-lived Python process; answers come in the order of the questions. */
export interface PyYaml {
  read(texts: readonly string[]): Promise<readonly Answer[]>;
  close(): void;
}

function isInstalled(): boolean {
  return spawnSync(PYTHON, ['-c', 'import yaml']).status === 0;
}

/**
 * Whether PyYAML can be used; installs Debian's package where that is possible. Throws where it is required and is not
 * there, so that the comparison is never skipped unseen.
 */
export function requirePyYaml(): boolean {
  if (isInstalled()) return true;
  if (process.getuid?.() === 0 && spawnSync('apt-get', ['--version']).status === 0) {
    spawnSync('apt-get', ['update', '-qq']);
    spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'python3-yaml']);
    if (isInstalled()) return true;
  }
  if (isRequired) throw new Error('python3-yaml is missing, and could not be installed');
  return false;
}

export function startPyYaml(): PyYaml {
  const child = spawn(PYTHON, [SCRIPT], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, PYTHONIOENCODING: 'utf-8' },
  });
  const waiting: ((line: string) => void)[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => waiting.shift()?.(line));
  return {
    async read(texts) {
      const answers: Answer[] = [];
      for (let start = 0; start < texts.length; start += 200) {
        const part = texts.slice(start, start + 200);
        const lines = part.map(() => new Promise<string>((resolve) => waiting.push(resolve)));
        child.stdin.write(part.map((text) => `${toAscii(text)}\n`).join(''));
        for (const line of await Promise.all(lines)) answers.push(JSON.parse(line) as Answer);
      }
      return answers;
    },
    close() {
      child.stdin.end();
    },
  };
}

/** JSON in ASCII, so that no line separator splits it. */
function toAscii(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\uffff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
