// Runs inside the folder where Mastra is installed: an agent of it, with the adapter of docs/client.md, against the stub of its model.
import { Agent } from '@mastra/core/agent';
import { toMastraTools } from '../client/adapters/mastra.ts';
import { createModel, createRegistry, LAST_WORDS, OUTCOME, toOutcome } from '../client/play.ts';
import { KEY } from './model.ts';
import { startStub } from './stub.ts';

const registry = await createRegistry();
const play = createModel();
const stub = await startStub(play.model);
const agent = new Agent({
  id: 'host',
  name: 'host',
  instructions: registry.toPrompt(),
  model: { id: 'stub/stub', url: `${stub.url}/v1`, apiKey: KEY },
  tools: toMastraTools(registry, 'c'),
});
const { text } = await agent.generate('I want my money back.');
await stub.close();
const [seen, expected] = [
  [text, toOutcome(play, registry.toPrompt())],
  [LAST_WORDS, OUTCOME],
].map((each) => JSON.stringify(each, null, 2));
console.log(seen);
if (seen !== expected) {
  console.error(`expected:\n${expected}`);
  process.exitCode = 1;
}
