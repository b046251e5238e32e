import { type Api, type Body, toBlocks, toHalves, toImageData } from './model.ts';

interface Part {
  readonly text?: string;
  readonly image_url?: { readonly url?: string };
}

interface Message {
  readonly role: string;
  readonly content?: string | readonly Part[] | null;
  readonly tool_call_id?: string;
}

interface Request {
  readonly messages?: readonly Message[];
  readonly tools?: readonly { readonly function?: { readonly name: string; readonly description?: string } }[];
  readonly stream_options?: { readonly include_usage?: boolean };
}

const USAGE = { prompt_tokens: 1000, completion_tokens: 20, total_tokens: 1020 };

/** OpenAI Chat Completions: `POST /v1/chat/completions`, which most others speak as well. */
export const chat: Api = {
  title: 'OpenAI Chat Completions',
  path: /\/chat\/completions$/,
  isStream: ({ stream }) => stream === true,
  readPrompt(body) {
    const { messages = [], tools = [] } = body as Request;
    const isAnswer = ({ role }: Message) => role === 'tool';
    const parts = messages.flatMap(({ content }) => toBlocks(content));
    return {
      text: messages
        .filter((message) => !isAnswer(message))
        .map(toText)
        .join('\n'),
      tools: tools.flatMap(({ function: tool }) =>
        tool === undefined ? [] : [{ name: tool.name, description: tool.description ?? '' }],
      ),
      answers: messages.filter(isAnswer).map((message) => ({ id: message.tool_call_id ?? '', text: toText(message) })),
      images: parts.flatMap((part) => ('image_url' in part ? toImageData(part.image_url?.url) : [])),
    };
  },
  writeTurn(turn, body) {
    const isCall = 'call' in turn;
    const { model = 'stub', stream_options: options, messages = [] } = body as Request & Body;
    // another for each answer: some hosts put one message in the place of another with its id
    const id = `chatcmpl-${messages.length}`;
    const finish = isCall ? 'tool_calls' : 'stop';
    const toCall = (args: string) =>
      isCall ? { id: turn.call.id, type: 'function', function: { name: turn.call.tool.name, arguments: args } } : {};
    const message = isCall
      ? { content: null, tool_calls: [toCall(JSON.stringify(turn.call.args))] }
      : { content: turn.text };
    const deltas = isCall
      ? [
          { role: 'assistant', content: null, tool_calls: [{ index: 0, ...toCall('') }] },
          ...toHalves(JSON.stringify(turn.call.args)).map((half) => ({
            tool_calls: [{ index: 0, function: { arguments: half } }],
          })),
        ]
      : [{ role: 'assistant', content: '' }, ...toHalves(turn.text).map((content) => ({ content }))];
    const toChunk = (choices: object[], more: object = {}) => ({
      data: { id, object: 'chat.completion.chunk', created: 1, model, choices, ...more },
    });
    return {
      whole: {
        id,
        object: 'chat.completion',
        created: 1,
        model,
        choices: [{ index: 0, message: { role: 'assistant', refusal: null, ...message }, finish_reason: finish }],
        usage: USAGE,
      },
      events: [
        ...deltas.map((delta) => toChunk([{ index: 0, delta, finish_reason: null }])),
        toChunk([{ index: 0, delta: {}, finish_reason: finish }]),
        ...(options?.include_usage === true ? [toChunk([], { usage: USAGE })] : []),
        { data: '[DONE]' },
      ],
    };
  },
};

function toText({ content }: Message): string {
  return toBlocks(content)
    .map(({ text = '' }) => text)
    .join('');
}
