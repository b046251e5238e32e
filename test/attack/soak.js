// Does anything break, leak or slow down while everybody does everything? Healthy clients walk, read and call; hostile ones send batches,
// garbage, large reads that they do not take, and connections that they leave half open; the token file changes all the while.
// `node test/attack/soak.js [--minutes 8]`, after `npm run build`. Ends with 1 where a healthy request failed or memory kept growing.
import { chmodSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeBig, makeTree } from '../bench/trees.js';
import {
  createAgent,
  get,
  post,
  printTable,
  readFlag,
  startServer,
  toCall,
  toQuantile,
  toTenth,
  wait,
} from './server.js';

const MINUTES = readFlag('minutes', 8);
const SKILLS = 2000;
const MIB = 1024 * 1024;
const TOKENS = ['healthy-token-healthy', 'hostile-token-hostile'];
const WINDOWS = 8;

const root = mkdtempSync(join(tmpdir(), 'soak-'));
const tokens = join(root, 'tokens');
let until = Infinity;
const isOver = () => performance.now() >= until;
const asHealthy = { authorization: `Bearer ${TOKENS[0]}`, 'accept-encoding': 'gzip' };
const asHostile = { authorization: `Bearer ${TOKENS[1]}`, 'accept-encoding': 'br' };

/** @type {{ at: number, ms: number }[]} */
const answered = [];
/** @type {string[]} */
const failed = [];

try {
  makeTree(join(root, 'skills'), { skills: SKILLS, files: 2, size: 2048 });
  makeBig(join(root, 'skills'));
  writeTokens(0);
  const args = ['--token-file', tokens, '--rate', '100000', '--metrics'];
  const server = await startServer(join(root, 'skills'), { args });
  const { port } = server;
  until = performance.now() + MINUTES * 60_000;
  const windows = [];
  try {
    const watching = watch(server, windows);
    await Promise.all([
      ...Array.from({ length: 4 }, (_, i) => beHealthy(port, i)),
      sendBatches(port),
      readMuch(port),
      sendGarbage(port),
      changeTokens(server),
    ]);
    await watching;
    // what is left when everybody is gone
    await wait(1000);
    const health = await get(port, '/healthz');
    if (health.status !== 200) failed.push(`/healthz at the end: ${health.status}`);
    const status = await server.stop();
    if (status !== 0) failed.push(`the server ended with status ${status}`);
  } finally {
    await server.kill();
  }
  report(windows);
} finally {
  rmSync(root, { recursive: true, force: true });
}

function report(windows) {
  console.log(`${SKILLS} skills, ${MINUTES} minutes; milliseconds\n`);
  const rows = windows.map(({ from, to, rss, max }, index) => {
    const times = answered.filter(({ at }) => at >= from && at < to).map(({ ms }) => ms);
    return [
      index + 1,
      times.length,
      ...[0.5, 0.99, 1].map((share) => toTenth(toQuantile(times, share))),
      toTenth(max),
      Math.round(rss / MIB),
    ];
  });
  printTable(['part', 'healthy requests', 'p50', 'p99', 'longest', 'loop kept', 'MiB'], rows);
  // the first half warms up; afterwards garbage comes and goes
  const middle = rows.slice(WINDOWS / 2 - 2, WINDOWS / 2).map((row) => Number(row.at(-1)));
  const last = rows.slice(-2).map((row) => Number(row.at(-1)));
  const isGrowing = Math.min(...last) > 1.5 * Math.max(...middle) + 64;
  if (isGrowing) failed.push('memory kept growing');
  console.log(`\n${answered.length} healthy requests, ${failed.length} failed`);
  for (const what of failed.slice(0, 20)) console.log(`- ${what}`);
  process.exitCode = failed.length > 0 ? 1 : 0;
}

async function watch(server, windows) {
  const length = (MINUTES * 60_000) / WINDOWS;
  for (let index = 0; index < WINDOWS; index += 1) {
    const from = performance.now();
    await wait(length);
    windows.push({ from, to: performance.now(), ...(await server.delays()) });
  }
}

/** Walks all skills, reads them, and calls tools; every answer must be the right one. */
async function beHealthy(port, seed) {
  const agent = createAgent(2);
  const ask = async (method, params, isRight) => {
    const at = performance.now();
    const { status, ms, body } = await post(port, toCall(method, params), {
      agent,
      program: `healthy ${seed}`,
      headers: { ...asHealthy, 'accept-encoding': 'identity' },
      keep: true,
    });
    const result = status === 200 ? JSON.parse(body.toString()).result : undefined;
    if (result !== undefined && isRight(result)) answered.push({ at, ms });
    else failed.push(`${method} ${JSON.stringify(params)}: ${status} ${body.toString().slice(0, 200)}`);
    return result;
  };
  for (let round = seed; !isOver(); round += 1) {
    const name = `skill-${String((round * 7919) % SKILLS).padStart(5, '0')}`;
    const uri = `skill://${name}/SKILL.md`;
    const { nextCursor } = (await ask('skills/list', {}, ({ skills }) => skills.length > 0)) ?? {};
    if (nextCursor !== undefined) await ask('skills/list', { cursor: nextCursor }, ({ skills }) => skills.length > 0);
    await ask('skills/get', { uri }, ({ skill }) => skill.uri === uri);
    await ask('resources/read', { uri }, ({ contents }) => contents[0]?.text.startsWith(`---\nname: ${name}\n`));
    await ask('tools/call', { name: 'skill_load', arguments: { skill: name } }, ({ isError }) => isError !== true);
    await ask(
      'tools/call',
      { name: 'skill_list', arguments: { query: `thing number ${round}` } },
      ({ isError }) => isError !== true,
    );
    await wait(20);
  }
  agent.destroy();
}

async function sendBatches(port) {
  const calls = [
    ['tools/call', { name: 'skill_list', arguments: { query: 'thing number used when somebody asks' } }],
    ['tools/call', { name: 'skill_load', arguments: { skill: 'skil-0123x' } }],
    ['resources/read', { uri: 'skill://skill-00001/SKILL.md' }],
  ];
  while (!isOver()) {
    for (const [method, params] of calls) {
      const batch = Array.from({ length: 100 }, (_, id) => toCall(method, params, id));
      await post(port, batch, { headers: asHostile });
    }
    await wait(200);
  }
}

/** Asks for long files, and takes all, some or nothing of them. */
async function readMuch(port) {
  const body = JSON.stringify(toCall('resources/read', { uri: 'skill://big/text.md' }));
  const head = [
    'POST /mcp HTTP/1.1',
    'Host: localhost',
    'Content-Type: application/json',
    'Accept: application/json, text/event-stream',
    `Authorization: Bearer ${TOKENS[1]}`,
  ];
  while (!isOver()) {
    const sockets = Array.from({ length: 30 }, (_, i) => {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => {});
      if (i % 3 === 0) socket.resume();
      else if (i % 3 === 1) socket.once('data', () => socket.pause());
      else socket.pause();
      socket.write([...head, `Content-Length: ${body.length}`, '', body].join('\r\n'));
      return socket;
    });
    await wait(1000);
    for (const socket of sockets) socket.destroy();
  }
}

async function sendGarbage(port) {
  const garbage = [
    'GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n',
    'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 999999999\r\n\r\n',
    `POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer guess\r\nContent-Length: 2\r\n\r\n{}`,
    '\u0016\u0003\u0001\u0002\u0000',
    'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{"jsonrpc',
    `GET /${'x'.repeat(20_000)} HTTP/1.1\r\n`,
  ];
  while (!isOver()) {
    const sockets = garbage.map((text) => {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => {}).resume();
      socket.write(text);
      return socket;
    });
    await wait(100);
    for (const socket of sockets) socket.destroy();
  }
}

/** A third token comes and goes, with signals in quick succession; the other two stay. */
async function changeTokens(server) {
  for (let round = 0; !isOver(); round += 1) {
    writeTokens(round);
    server.child.kill('SIGHUP');
    await wait(round % 20);
    writeTokens(round + 1);
    server.child.kill('SIGHUP');
    const isAccepted = async () => {
      const headers = { authorization: `Bearer ${toThird(round)}` };
      return (await post(server.port, toCall('ping'), { headers })).status === 200;
    };
    // a busy server reads the file late; what must not be is that an older reading ends last, and stays
    const patience = performance.now() + 10_000;
    do await wait(250);
    while ((await isAccepted()) && performance.now() < patience);
    await wait(250);
    if (await isAccepted()) failed.push(`round ${round}: a token that was taken out is still accepted`);
  }
}

function toThird(round) {
  return `third-token-of-round-${round}`;
}

function writeTokens(round) {
  const next = `${tokens}-next`;
  writeFileSync(next, `healthy:${TOKENS[0]}\nhostile:${TOKENS[1]}\nthird:${toThird(round)}\n`);
  chmodSync(next, 0o600);
  renameSync(next, tokens);
}
