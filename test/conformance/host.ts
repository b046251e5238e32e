import { SkillRegistry } from '../../src/client/index.ts';
import { connectHttp } from '../../src/client/overhttp.ts';

/** What the official suite drives as a host: `node host.mjs URL`. Lists always, and loads a skill where the scenario is about that. */
const url = process.argv.at(-1) ?? '';
const isLoading = process.env['MCP_CONFORMANCE_SCENARIO'] !== 'sep-2640-client-no-prefetch';
const era = process.env['HOST_ERA'] as 'legacy' | 'modern';
const connection = await connectHttp(url, { era });
const registry = new SkillRegistry();
const added = await registry.addServer(connection, 'suite');
const outcomes: unknown[] = [added];
if (isLoading) {
  for (const { name } of registry.list()) {
    outcomes.push((await registry.activate(name, 'c')).outcome);
    outcomes.push((await registry.readFile(name, 'references/FORMS.md', 'c')).outcome);
  }
}
await connection.close();
console.log(JSON.stringify(outcomes));
