import { type Api, type Body, type OfferedTool, type ToolAnswer, toBlocks, toHalves } from './model.ts';

interface Block {
  readonly type?: string;
  readonly text?: string;
  readonly source?: { readonly data?: string };
  readonly tool_use_id?: string;
  readonly tool_name?: string;
  readonly content?: string | readonly Block[];
}

interface Request {
  readonly system?: string | readonly Block[];
  readonly messages?: readonly { readonly content: string | readonly Block[] }[];
  readonly tools?: readonly { readonly name: string; readonly description?: string }[];
}

const USAGE = { input_tokens: 1000, output_tokens: 20 };

/** Anthropic Messages: `POST /v1/messages`. */
export const anthropic: Api = {
  title: 'Anthropic Messages',
  path: /\/v1\/messages$/,
  isStream: ({ stream }) => stream === true,
  readPrompt(body) {
    const { system, messages = [], tools = [] } = body as Request;
    const blocks = messages.flatMap(({ content }) => toBlocks(content));
    const answers = blocks.filter(isAnswer);
    const inside = answers.flatMap(({ content }) => toBlocks(content));
    return {
      text: [...toBlocks(system), ...blocks].map(({ text = '' }) => text).join('\n'),
      tools: tools.map(({ name, description = '' }): OfferedTool => ({ name, description })),
      answers: answers.map(toAnswer),
      images: [...blocks, ...inside].flatMap((block) => ('source' in block ? (block.source?.data ?? []) : [])),
    };
  },
  writeTurn(turn, body) {
    const isCall = 'call' in turn;
    const block = isCall
      ? { type: 'tool_use', id: turn.call.id, name: turn.call.tool.name, input: turn.call.args }
      : { type: 'text', text: turn.text };
    const stop = { stop_reason: isCall ? 'tool_use' : 'end_turn', stop_sequence: null };
    const message = { id: 'msg_1', type: 'message', role: 'assistant', model: toModel(body) };
    const deltas = isCall
      ? toHalves(JSON.stringify(turn.call.args)).map((half) => ({ type: 'input_json_delta', partial_json: half }))
      : toHalves(turn.text).map((text) => ({ type: 'text_delta', text }));
    const start = isCall ? { ...block, input: {} } : { type: 'text', text: '' };
    const events = [
      {
        type: 'message_start',
        message: { ...message, content: [], stop_reason: null, stop_sequence: null, usage: USAGE },
      },
      { type: 'content_block_start', index: 0, content_block: start },
      ...deltas.map((delta) => ({ type: 'content_block_delta', index: 0, delta })),
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: stop, usage: USAGE },
      { type: 'message_stop' },
    ];
    return {
      whole: { ...message, content: [block], ...stop, usage: USAGE },
      events: events.map((data) => ({ event: data.type, data })),
    };
  },
};

function isAnswer(block: Block): boolean {
  return block.type === 'tool_result';
}

function toAnswer({ tool_use_id = '', content }: Block): ToolAnswer {
  const texts = toBlocks(content).map((block) => block.text ?? ('tool_name' in block ? (block.tool_name ?? '') : ''));
  return { id: tool_use_id, text: texts.join('') };
}

function toModel({ model }: Body): string {
  return typeof model === 'string' ? model : 'stub';
}
