import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';

/** A tool that executes code: nothing calls it before the person has seen the code and agreed. */
export const runCode = {
  name: 'run_code',
  description: 'Runs JavaScript with Node, and returns what it prints. The person is asked first.',
  inputSchema: {
    type: 'object',
    properties: { code: { type: 'string', description: 'A whole ES module' } },
    required: ['code'],
    additionalProperties: false,
  },
  /** @param {unknown} args @returns {Promise<string>} */
  execute: (args) =>
    new Promise((resolve) => {
      const { code } = /** @type {{ code?: unknown }} */ (args);
      // no secrets of the host, and no more than ten seconds
      const env = { PATH: process.env['PATH'] };
      const child = spawn(process.execPath, ['--input-type=module', '-'], { cwd: tmpdir(), env, timeout: 10_000 });
      let output = '';
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding('utf8').on('data', (text) => {
          output = (output + text).slice(0, 20_000);
        });
      }
      child.on('error', ({ message }) => resolve(`The code could not be started: ${message}`));
      child.on('close', (status) => resolve(`exit status ${status}\n${output}`));
      child.stdin.on('error', () => {});
      child.stdin.end(String(code));
    }),
};
