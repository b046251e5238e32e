import { SkillRegistry } from '../../src/client/index.ts';
import type { Prompt, Turn } from '../hosts/model.ts';
import { Server } from './server.ts';

/** A registry with one served skill, for hosts that are made with a framework. */
export async function createRegistry(): Promise<SkillRegistry> {
  const registry = new SkillRegistry();
  const skill = { path: 'refunds', body: 'Refund in full.\n', files: { 'policy.md': 'Within 30 days.\n' } };
  await registry.addServer(new Server(skill), 'hf');
  return registry;
}

/** What a model of the play says last. */
export const LAST_WORDS = 'Refunded.';

/** What the model was given in a play: the first prompt, and the answers to its calls. */
export interface Seen {
  readonly prompts: Prompt[];
}

/** A model that loads the skill, reads its file, and ends. */
export function createModel(): Seen & { readonly model: (prompt: Prompt) => Turn } {
  const calls = [
    { tool: 'activate_skill', args: { name: 'hf:refunds' } },
    { tool: 'read_skill_file', args: { name: 'hf:refunds', path: 'policy.md' } },
  ];
  const prompts: Prompt[] = [];
  const model = (prompt: Prompt): Turn => {
    prompts.push(prompt);
    const call = calls[prompt.answers.length];
    const tool = prompt.tools.find(({ name }) => name === call?.tool);
    if (call === undefined || tool === undefined) return { text: LAST_WORDS };
    return { call: { id: `call_${prompt.answers.length}`, tool, args: call.args } };
  };
  return { prompts, model };
}

/** What matters of a play, on every framework the same. */
export function toOutcome({ prompts }: Seen, listed: string): unknown {
  const [first] = prompts;
  const answers = prompts.at(-1)?.answers.map(({ text }) => text) ?? [];
  const inFence = (text: string) => /<skill-([0-9a-f]{16}) [^>]*>\n([\s\S]*)<\/skill-\1>/.exec(text)?.[2];
  return {
    isListed: first?.text.includes(listed),
    tools: first?.tools.map(({ name }) => name),
    answers: answers.map(inFence),
  };
}

/** The outcome of a play that went well. */
export const OUTCOME = {
  isListed: true,
  tools: ['activate_skill', 'read_skill_file'],
  answers: ['\nRefund in full.\n', 'Within 30 days.\n'],
};
