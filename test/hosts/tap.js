// Stands between a host and the server that it starts, and keeps what both say: `node tap.js LOG COMMAND [ARGUMENT…]`.
import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [log = '', command = '', ...args] = process.argv.slice(2);
const child = spawn(process.execPath, [command, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });

/** Keeps the lines of a stream; what goes on is the bytes as they are. */
const keep = (from, stream) => {
  createInterface({ input: stream }).on('line', (line) => appendFileSync(log, `${from} ${line}\n`));
};

keep('host', process.stdin);
keep('server', child.stdout);
process.stdin.pipe(child.stdin);
child.stdout.pipe(process.stdout);
child.stdin.on('error', () => {});
child.on('close', (status) => process.exit(status ?? 1));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
