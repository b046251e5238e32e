import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connect } from '../command.ts';
import { makeTree } from '../tree.ts';
import { judgeImage, judgeList, judgeLoad, judgeScript } from './judge.ts';
import { KEY } from './model.ts';
import { createScript, QUESTION, readAll } from './script.ts';
import { writeSkills } from './skills.ts';
import { startStub } from './stub.ts';

type Model = ReturnType<ReturnType<typeof createOpenAI>['chat']>;
type Options = Parameters<Model['doGenerate']>[0];
type Message = Options['prompt'][number];
type Part = { type: string; toolCallId?: string; toolName?: string; input?: string; text?: string; delta?: string };

/** The clients that hosts are made with: they check every answer against the shapes of the API. */
const APIS: readonly (readonly [string, (url: string, apiKey: string) => Model])[] = [
  ['Anthropic Messages', (url, apiKey) => createAnthropic({ baseURL: `${url}/v1`, apiKey })('stub')],
  ['OpenAI Chat Completions', (url, apiKey) => createOpenAI({ baseURL: `${url}/v1`, apiKey }).chat('stub')],
  ['OpenAI Responses', (url, apiKey) => createOpenAI({ baseURL: `${url}/v1`, apiKey }).responses('stub')],
  ['Gemini', (url, apiKey) => createGoogleGenerativeAI({ baseURL: `${url}/v1beta`, apiKey })('stub')],
];

let client: Client;
let tools: NonNullable<Options['tools']>;

beforeAll(async () => {
  const root = makeTree({});
  writeSkills(root);
  client = await connect('legacy', [root]);
  tools = (await client.listTools()).tools.map(({ name, description = '', inputSchema }) => ({
    type: 'function',
    name: `mcp__skills__${name}`,
    description,
    inputSchema: inputSchema as never,
  }));
});

afterAll(() => client.close());

describe.each(APIS)('%s', (title, createModel) => {
  test.each(['stream', 'whole'] as const)('tells a host what to call, and keeps what it gave (%s)', async (way) => {
    const script = createScript(readAll());
    const stub = await startStub(script.model);
    const words = await converse(createModel(stub.url, KEY), way, title === 'OpenAI Chat Completions');
    await stub.close();
    expect(words).toBe('That is all.');
    const run = { script };
    expect({
      list: judgeList(run),
      small: judgeLoad(run, 'bookbinding'),
      middle: judgeLoad(run, 'tide-tables'),
      // how long a part is, is the server's choice
      large: judgeLoad(run, 'harbour-rules').replace(/, \d+ parts$/, ''),
      script: judgeScript(run),
      image: judgeImage(run),
    }).toEqual({ list: 'whole', small: 'whole', middle: 'whole', large: 'whole', script: 'whole', image: 'image' });
  });

  test('answers a request without tools with words', async () => {
    const stub = await startStub(createScript(readAll()).model);
    const { content } = await createModel(stub.url, KEY).doGenerate({ prompt: [ask('A title for this?')] });
    await stub.close();
    expect(content.map((part) => (part.type === 'text' ? part.text : part.type))).toEqual(['House rules']);
  });

  test('refuses every key but the made-up one', async () => {
    const stub = await startStub(createScript(readAll()).model);
    const refused = createModel(stub.url, 'a-real-key').doGenerate({ prompt: [ask(QUESTION)], tools });
    await expect(refused).rejects.toMatchObject({ statusCode: 401 });
    await stub.close();
    expect(stub.requests).toEqual([]);
  });
});

/** A host in a few lines: makes the calls that the model asks for, and passes on all that the server answers. */
async function converse(model: Model, way: 'stream' | 'whole', isTextOnly: boolean): Promise<string> {
  const prompt: Message[] = [ask(QUESTION)];
  for (;;) {
    const parts =
      way === 'stream' ? await stream(model, prompt) : ((await model.doGenerate({ prompt, tools })).content as Part[]);
    const call = parts.find(({ type }) => type === 'tool-call');
    if (call === undefined) return parts.map(({ text, delta }) => text ?? delta ?? '').join('');
    const { toolCallId = '', toolName = '', input = '' } = call;
    const args = JSON.parse(input) as Record<string, unknown>;
    const { content } = await client.callTool({ name: toolName.replace('mcp__skills__', ''), arguments: args });
    const known = { toolCallId, toolName };
    prompt.push({ role: 'assistant', content: [{ type: 'tool-call', ...known, input: args }] });
    const blocks = content as { type: string; text?: string; data: string; mimeType: string }[];
    const texts = blocks.flatMap(({ text }) => text ?? []).map((text) => ({ type: 'text' as const, text }));
    const images = blocks
      .filter(({ type }) => type === 'image')
      .map(({ data, mimeType: mediaType }) => ({ data, mediaType }));
    const value = [...texts, ...images.map((image) => ({ type: 'image-data' as const, ...image }))];
    const output = isTextOnly
      ? { type: 'text' as const, value: texts.map(({ text }) => text).join('\n') }
      : { type: 'content' as const, value };
    prompt.push({ role: 'tool', content: [{ type: 'tool-result', ...known, output }] });
    // this API takes an image from the person alone
    if (!isTextOnly || images.length === 0) continue;
    prompt.push({ role: 'user', content: images.map((image) => ({ type: 'file', ...image })) });
  }
}

async function stream(model: Model, prompt: Message[]): Promise<Part[]> {
  const parts: Part[] = [];
  const { stream: events } = await model.doStream({ prompt, tools });
  for await (const event of events as unknown as AsyncIterable<Part & { error?: unknown }>) {
    if (event.type === 'error') throw event.error;
    if (event.type === 'tool-call' || event.type === 'text-delta') parts.push(event);
  }
  return parts;
}

function ask(text: string): Message {
  return { role: 'user', content: [{ type: 'text', text }] };
}
