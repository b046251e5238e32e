import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
const OPENINGS = {
  initialize: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1.0.0' } },
  'server/discover': { _meta: META },
};

/** @typedef {{ method: string, params: Record<string, unknown> }} Call */

/** @param {string} method @param {Record<string, unknown>} [params] @returns {Call} */
export const toCall = (method, params = {}) => ({ method, params: { ...params, _meta: META } });

/** @param {'initialize' | 'server/discover'} method @returns {Call} */
export const toOpening = (method) => ({ method, params: OPENINGS[method] });

/** A server behind stdio. It counts answers by their line breaks, so that this process is never what is measured. */
export class StdioPeer {
  /** @param {readonly string[]} args of node @param {'inherit' | 'ignore'} [stderr] */
  constructor(args, stderr = 'inherit') {
    this.child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', stderr] });
    this.child.stdin.on('error', () => {});
    this.onExit = (/** @type {number | null} */ _) => {};
    this.child.once('exit', (code) => this.onExit(code));
  }

  /** Sends calls at once and settles with the last answer when all have come. @param {readonly Call[]} calls @returns {Promise<string>} */
  async ask(calls) {
    const { stdin, stdout } = this.child;
    let left = calls.length;
    /** @type {Buffer[]} */
    let last = [];
    const answered = new Promise((resolve, reject) => {
      const onData = (/** @type {Buffer} */ chunk) => {
        for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) {
          left -= 1;
          if (left > 0) last = [];
        }
        last.push(chunk);
        if (left > 0) return;
        stdout.off('data', onData);
        resolve(undefined);
      };
      stdout.on('data', onData);
      this.onExit = (/** @type {number | null} */ code) => reject(new Error(`a server left with ${code}`));
    });
    stdin.write(calls.map((call, id) => `${JSON.stringify({ jsonrpc: '2.0', id, ...call })}\n`).join(''));
    await answered;
    return Buffer.concat(last).toString().trim().split('\n').at(-1) ?? '';
  }

  /** The most memory that the process has had, in KiB; undefined where the platform does not say. */
  peak() {
    return readPeak(this.child.pid);
  }

  async stop() {
    this.onExit = () => {};
    const gone = new Promise((resolve) => this.child.once('close', resolve));
    this.child.kill('SIGKILL');
    await gone;
  }
}

/** A server behind HTTP, over this many connections that stay open. */
export class HttpPeer {
  /** @param {string} script @param {readonly string[]} args */
  constructor(script, args) {
    this.child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
    this.agent = new Agent({ keepAlive: true, maxSockets: 16 });
    this.url = new Promise((resolve) => this.child.stdout.once('data', (text) => resolve(String(text).trim())));
  }

  /** @param {readonly Call[]} calls @returns {Promise<string>} */
  async ask(calls) {
    const url = String(await this.url);
    const answers = await Promise.all(calls.map((call) => this.#post(url, call)));
    return answers.at(-1) ?? '';
  }

  /** @param {string} url @param {Call} call @returns {Promise<string>} */
  #post(url, { method, params }) {
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(method === 'resources/read' ? { 'mcp-name': String(params['uri']) } : {}),
    };
    return new Promise((resolve, reject) => {
      const sent = request(url, { method: 'POST', agent: this.agent, headers }, (response) => {
        /** @type {Buffer[]} */
        const chunks = [];
        response
          .on('data', (chunk) => chunks.push(chunk))
          .on('end', () => {
            const text = Buffer.concat(chunks).toString();
            if (response.statusCode === 200) resolve(text);
            else reject(new Error(`${response.statusCode}: ${text}`));
          });
      });
      sent.on('error', reject).end(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
    });
  }

  async stop() {
    this.agent.destroy();
    const gone = new Promise((resolve) => this.child.once('close', resolve));
    this.child.kill('SIGKILL');
    await gone;
  }
}

/** @param {number | undefined} pid @returns {number | undefined} in KiB */
function readPeak(pid) {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
  } catch {
    return undefined;
  }
}
