// What the attacks share: the built command as a server that says how long its event loop was kept, and requests to it.
import { spawn } from 'node:child_process';
import { Agent, request } from 'node:http';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** `--bin FILE` attacks another build, such as that of an older version. */
export const BIN = process.argv.includes('--bin')
  ? resolve(process.argv[process.argv.indexOf('--bin') + 1] ?? '')
  : fileURLToPath(new URL('../../bin/mcp-server-skills.js', import.meta.url));
const PROBE = fileURLToPath(new URL('./probe.cjs', import.meta.url));

/**
 * @typedef {{ max: number, p99: number, rss: number }} Delays milliseconds, and bytes
 * @typedef {{ port: number, pid: number, child: import('node:child_process').ChildProcess, delays(): Promise<Delays>, stop(): Promise<number | null>, kill(): Promise<void> }} AttackedServer
 */

/**
 * Starts the built command over HTTP on loopback and waits until it serves.
 *
 * @param {string} root
 * @param {{ port?: number, args?: readonly string[] }} options
 * @returns {Promise<AttackedServer>}
 */
export async function startServer(root, { port = 0, args = [] } = {}) {
  const child = spawn(process.execPath, ['--require', PROBE, BIN, root, '--http', String(port), ...args], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  const serving = await new Promise((resolve, reject) => {
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text) => {
      if (said.length < 65_536) said += text;
      const [, found] = /^Serving \d+ skills? at http:\/\/[^ ]*:(\d+)\/mcp$/m.exec(said) ?? [];
      if (found !== undefined) resolve(Number(found));
    });
    exited.then((status) => reject(new Error(`the server ended with status ${status}: ${said}`)));
  });
  return {
    port: serving,
    pid: child.pid ?? 0,
    child,
    delays() {
      return new Promise((resolve) => {
        child.once('message', resolve);
        child.send('delays');
      });
    },
    stop() {
      child.kill('SIGTERM');
      return exited;
    },
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

/** @param {string} method @param {object} params @param {number} id */
export function toCall(method, params = {}, id = 1) {
  return { jsonrpc: '2.0', id, method, params };
}

/** Connections that are kept, as many as asked for. @param {number} sockets */
export function createAgent(sockets = Infinity) {
  return new Agent({ keepAlive: true, maxSockets: sockets });
}

/**
 * Posts a message or a batch, takes the whole answer, and says how long it took. A connection that breaks has the status 0.
 *
 * @param {number} port
 * @param {object | object[]} message
 * @param {{ agent?: import('node:http').Agent, program?: string, headers?: Record<string, string>, keep?: boolean }} options
 * @returns {Promise<{ status: number, ms: number, bytes: number, body: Buffer }>}
 */
export function post(port, message, { agent, program = 'attacker', headers = {}, keep = false } = {}) {
  const body = JSON.stringify(message);
  const started = performance.now();
  return new Promise((resolve) => {
    let status = 0;
    let bytes = 0;
    /** @type {Buffer[]} */
    const chunks = [];
    const settle = (isWhole) => {
      resolve({ status: isWhole ? status : 0, ms: performance.now() - started, bytes, body: Buffer.concat(chunks) });
    };
    const asked = request(
      {
        ...{ host: '127.0.0.1', port, path: '/mcp', method: 'POST' },
        ...(agent && { agent }),
        headers: {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
          accept: 'application/json, text/event-stream',
          'user-agent': program,
          ...(!Array.isArray(message) && { 'mcp-protocol-version': '2025-11-25' }),
          ...headers,
        },
      },
      (response) => {
        status = response.statusCode ?? 0;
        response.on('data', (chunk) => {
          bytes += chunk.length;
          if (keep) chunks.push(chunk);
        });
        response.on('end', () => settle(true)).on('error', () => settle(false));
      },
    );
    asked.on('error', () => settle(false));
    asked.end(body);
  });
}

/** Asks for a path. @param {number} port @param {string} path @returns {Promise<{ status: number, ms: number }>} */
export function get(port, path) {
  const started = performance.now();
  return new Promise((resolve) => {
    request({ host: '127.0.0.1', port, path }, (response) => {
      response.resume().on('end', () => resolve({ status: response.statusCode ?? 0, ms: performance.now() - started }));
    })
      .on('error', () => resolve({ status: 0, ms: performance.now() - started }))
      .end();
  });
}

/** The value below which a share of them lies. @param {readonly number[]} values @param {number} share */
export function toQuantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** A number with one decimal. @param {number} value */
export function toTenth(value) {
  return (Math.round(value * 10) / 10).toFixed(1);
}

/** Prints rows as a Markdown table. @param {readonly string[]} head @param {readonly (readonly (string | number)[])[]} rows */
export function printTable(head, rows) {
  console.log(`| ${head.join(' | ')} |`);
  console.log(`| ${head.map(() => '---').join(' | ')} |`);
  for (const row of rows) console.log(`| ${row.join(' | ')} |`);
}

/** Reads `--name value` of the command line. @param {string} name @param {number} value what it is unless given */
export function readFlag(name, value) {
  const at = process.argv.indexOf(`--${name}`);
  const given = at === -1 ? value : Number(process.argv[at + 1]);
  if (!Number.isFinite(given) || given <= 0) throw new Error(`--${name} takes a number above 0`);
  return given;
}

/** @param {number} ms @returns {Promise<void>} */
export function wait(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
