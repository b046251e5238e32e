// Do readers of large files lock others out? Beside each attack a healthy client asks for small things, one after another:
// `node test/attack/readers.js [--seconds 20]`, after `npm run build`.
//
// - takers: 20 clients of 10 connections read a text of 6 MiB with gzip, and take every byte
// - texts: the same, but each asks for a text of its own, so that nothing of it is compressed already
// - slow: 200 connections ask for 6 MiB and take 64 KiB a second
// - stalled: 200 connections ask for 6 MiB and take nothing
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAgent, post, printTable, readFlag, startServer, toCall, toQuantile, toTenth, wait } from './server.js';

const SECONDS = readFlag('seconds', 20);
const CLIENTS = 20;
const MIB = 1024 * 1024;
const PACE_MS = 20;

const root = mkdtempSync(join(tmpdir(), 'readers-'));
try {
  makeSkills();
  const rows = [];
  const attacks = {
    none: async () => [],
    takers: take(() => 0),
    texts: take((client) => client),
    slow: stick(64 * 1024),
    stalled: stick(0),
  };
  for (const [name, attack] of Object.entries(attacks)) {
    const server = await startServer(root, { args: ['--rate', '10000'] });
    try {
      const until = performance.now() + SECONDS * 1000;
      const [answers, taken] = await Promise.all([askHealthy(server.port, until), attack(server.port, until)]);
      const { rss } = await server.delays();
      const times = answers.map(({ ms }) => ms);
      const refused = answers.filter(({ status }) => status !== 200).length;
      const ok = taken.filter((status) => status === 200).length;
      rows.push([
        name,
        answers.length,
        refused,
        ...[0.5, 0.99, 1].map((share) => toTenth(toQuantile(times, share))),
        ok,
        taken.length - ok,
        Math.round(rss / MIB),
      ]);
    } finally {
      await server.kill();
    }
  }
  console.log(`a healthy client beside each attack, ${SECONDS} s each; milliseconds\n`);
  printTable(
    ['attack', 'asked', 'refused', 'p50', 'p99', 'longest', 'attackers served', 'attackers refused', 'MiB'],
    rows,
  );
  const failed = rows.filter(([, , refused, , p99]) => Number(refused) > 0 || Number(p99) > 250).length;
  console.log(`\n${failed} of ${rows.length} refuse the healthy client, or keep it for more than 250 ms at p99`);
  process.exitCode = failed > 0 ? 1 : 0;
} finally {
  rmSync(root, { recursive: true, force: true });
}

function makeSkills() {
  const line = 'A line of instructions that is about as long as such lines are.\n';
  for (let i = 0; i < CLIENTS; i += 1) {
    const name = `skill-${i}`;
    mkdirSync(join(root, name), { recursive: true });
    writeFileSync(join(root, name, 'SKILL.md'), `---\nname: ${name}\ndescription: The skill ${i}.\n---\n# ${name}\n`);
    writeFileSync(join(root, name, 'text.md'), `# Text ${i}\n${line.repeat((6 * MIB) / line.length)}`);
  }
}

/** A client that asks for small things, one after another. */
async function askHealthy(port, until) {
  const agent = createAgent(1);
  const calls = [toCall('skills/list'), toCall('resources/read', { uri: 'skill://skill-3/SKILL.md' }), toCall('ping')];
  const answers = [];
  // the attack has begun by then
  await wait(1000);
  while (performance.now() < until) {
    for (const call of calls)
      answers.push(await post(port, call, { agent, program: 'healthy', headers: { 'accept-encoding': 'gzip' } }));
    await wait(PACE_MS);
  }
  agent.destroy();
  return answers;
}

function toRead(index) {
  return toCall('resources/read', { uri: `skill://skill-${index}/text.md` });
}

/** Clients of ten connections each, on which one answer after another is taken. */
function take(toIndex) {
  return async (port, until) => {
    const statuses = [];
    const one = async (client) => {
      const agent = createAgent(1);
      const options = { agent, program: `taker ${client}`, headers: { 'accept-encoding': 'gzip' } };
      while (performance.now() < until) {
        const { status } = await post(port, toRead(toIndex(client)), options);
        statuses.push(status);
        // as a client does that is told to wait
        if (status !== 200) await wait(100);
      }
      agent.destroy();
    };
    await Promise.all(Array.from({ length: CLIENTS * 10 }, (_, i) => one(i % CLIENTS)));
    return statuses;
  };
}

/** Connections that ask once each, take so many bytes a second, and ask again where they are closed. */
function stick(bytesPerSecond) {
  return async (port, until) => {
    const statuses = [];
    const sockets = new Set();
    const open = (client) => {
      if (performance.now() > until) return;
      const socket = connect(port, '127.0.0.1');
      sockets.add(socket);
      socket.pause();
      const body = JSON.stringify(toRead(client % CLIENTS));
      const head = [
        'POST /mcp HTTP/1.1',
        'Host: localhost',
        'Content-Type: application/json',
        'Accept: application/json, text/event-stream',
      ];
      socket.write(
        [
          ...head,
          'MCP-Protocol-Version: 2025-11-25',
          `User-Agent: slow ${client}`,
          `Content-Length: ${body.length}`,
          '',
          body,
        ].join('\r\n'),
      );
      socket.once('readable', () => {
        const first = socket.read(Math.min(64, socket.readableLength));
        statuses.push(Number(/^HTTP\/1\.1 (\d+)/.exec(String(first))?.[1] ?? 0));
      });
      const reading = setInterval(() => {
        if (bytesPerSecond > 0) socket.read(Math.min(socket.readableLength, bytesPerSecond / 10));
      }, 100);
      socket.on('error', () => {});
      socket.on('close', () => {
        clearInterval(reading);
        sockets.delete(socket);
        setTimeout(() => open(client), 500);
      });
    };
    for (let client = 0; client < 200; client += 1) open(client);
    await wait(Math.max(0, until - performance.now()));
    for (const socket of sockets) socket.destroy();
    return statuses;
  };
}
