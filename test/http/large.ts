import { serveHttp } from '../../src/http/listen.ts';
import { publishCatalog } from '../../src/http/publication.ts';
import { createInstance } from '../../src/mcp/instance.ts';
import { makeMany } from '../mcp/catalog.ts';

/** Serves so many skills from memory on a free port, and prints it: `node large.mjs SKILLS`. */
const skills = Number(process.argv[2]);

async function serve(): Promise<void> {
  const catalog = makeMany(
    skills,
    'Reviews pull requests, and is to be used when somebody asks for a second look at a change.',
  );
  const running = await serveHttp({
    publish: publishCatalog(catalog, () =>
      createInstance({ name: 'large', version: '0.0.0' }, catalog, { tools: 'always', prompts: true }),
    ),
    port: 0,
    log: 'off',
    limits: { requestsPerSecond: 100_000, burst: 100_000 },
    stderr: process.stderr,
  });
  process.stdout.write(`${running.port}\n`);
}

void serve();
