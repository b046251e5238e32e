import { serveHttp } from '../../src/serve/http.ts';
import { serveUntil } from '../../src/serve/until.ts';
import { createFixture } from './harness.ts';

/** A replica as a process of its own: `node replica.js PORT SKILLS GENERATION`. */
const [port, skills, generation] = process.argv.slice(2);
const fixture = createFixture(Number(skills), { 'skill://generation/SKILL.md': String(generation) });
const { createServer, catalog } = fixture;
const { stderr } = process;
const limits = { requestsPerSecond: 10_000, burst: 10_000 };
const running = await serveHttp({ createServer, catalog, port: Number(port), log: 'off', limits, stderr });
stderr.write('ready\n');
const stop = new AbortController();
process.once('SIGTERM', () => stop.abort());
await serveUntil(stop.signal, running, process, stderr);
