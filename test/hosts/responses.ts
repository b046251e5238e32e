import { type Api, type Body, type OfferedTool, toBlocks, toHalves, toImageData } from './model.ts';

interface Part {
  readonly text?: string;
  readonly image_url?: string;
}

interface Item {
  readonly type?: string;
  readonly content?: string | readonly Part[];
  readonly call_id?: string;
  readonly output?: string | readonly Part[];
  readonly tools?: readonly Tool[];
}

interface Tool {
  readonly type?: string;
  readonly name?: string;
  readonly description?: string;
  readonly tools?: readonly Tool[];
}

interface Request {
  readonly instructions?: string;
  readonly input?: string | readonly Item[];
  readonly tools?: readonly Tool[];
}

const USAGE = {
  input_tokens: 1000,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 20,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 1020,
};

/** OpenAI Responses: `POST /v1/responses`. */
export const responses: Api = {
  title: 'OpenAI Responses',
  path: /\/responses$/,
  isStream: ({ stream }) => stream === true,
  readPrompt(body) {
    const { instructions = '', input, tools = [] } = body as Request;
    const items = typeof input === 'string' ? [{ content: input }] : (input ?? []);
    const isAnswer = ({ type }: Item) => type === 'function_call_output' || type === 'tool_search_output';
    const parts = items.flatMap(({ content, output }: Item) => [...toBlocks(content), ...toBlocks(output)]);
    return {
      text: [instructions, ...items.map(({ content }) => toText(content))].join('\n'),
      tools: [...tools, ...items.flatMap((item: Item) => item.tools ?? [])].flatMap((tool) => toOffered(tool)),
      answers: items.filter(isAnswer).map(({ call_id = '', output, tools: found }: Item) => ({
        id: call_id,
        text: found === undefined ? toText(output) : JSON.stringify(found),
      })),
      images: parts.flatMap((part) => ('image_url' in part ? toImageData(part.image_url) : [])),
    };
  },
  writeTurn(turn, body) {
    const item = 'call' in turn ? toCallItem(turn.call) : toMessage(turn.text);
    const { model = 'stub' } = body as Body & { model?: string };
    const response = { id: 'resp_1', object: 'response', created_at: 1, model, error: null, incomplete_details: null };
    const rest = { instructions: null, metadata: {}, parallel_tool_calls: false, tool_choice: 'auto', tools: [] };
    const open = { ...response, ...rest, status: 'in_progress', output: [] };
    const done = { ...response, ...rest, status: 'completed', output: [item], usage: USAGE };
    const place = { output_index: 0, item_id: item.id };
    const events = [
      { type: 'response.created', response: open },
      { type: 'response.output_item.added', output_index: 0, item: { ...item, ...toOpened(item) } },
      ...toDeltas(item).map((event) => ({ ...event, ...place })),
      { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.completed', response: done },
    ];
    return {
      whole: done,
      events: events.map((data, index) => ({ event: data.type, data: { ...data, sequence_number: index } })),
    };
  },
};

type Item0 = ReturnType<typeof toMessage> | ReturnType<typeof toCallItem>;

function toMessage(text: string) {
  const content = [{ type: 'output_text', text, annotations: [] as never[] }];
  return { type: 'message' as const, id: 'msg_1', role: 'assistant', status: 'completed', content };
}

function toCallItem({ id, tool, args }: { id: string; tool: OfferedTool; args: object }) {
  const known = { id: `fc_${id}`, call_id: id, status: 'completed' };
  if (tool.isSearch === true) {
    return { type: 'tool_search_call' as const, ...known, execution: 'client', arguments: args };
  }
  const { name, namespace } = tool;
  const place = namespace === undefined ? {} : { namespace };
  return { type: 'function_call' as const, ...known, name, ...place, arguments: JSON.stringify(args) };
}

/** An item as it is before its content has come. */
function toOpened(item: Item0): object {
  if (item.type === 'message') return { status: 'in_progress', content: [] };
  return item.type === 'function_call' ? { status: 'in_progress', arguments: '' } : { status: 'in_progress' };
}

function toDeltas(item: Item0): { type: string }[] {
  if (item.type === 'function_call') {
    const type = 'response.function_call_arguments';
    return [
      ...toHalves(item.arguments).map((delta) => ({ type: `${type}.delta`, delta })),
      { type: `${type}.done`, arguments: item.arguments, name: item.name } as { type: string },
    ];
  }
  if (item.type !== 'message') return [];
  const [part] = item.content;
  if (part === undefined) return [];
  const at = { content_index: 0 };
  return [
    { type: 'response.content_part.added', ...at, part: { ...part, text: '' } } as { type: string },
    ...toHalves(part.text).map((delta) => ({ type: 'response.output_text.delta', ...at, delta, logprobs: [] })),
    { type: 'response.output_text.done', ...at, text: part.text, logprobs: [] } as { type: string },
    { type: 'response.content_part.done', ...at, part } as { type: string },
  ];
}

function toOffered({ type, name = '', description = '', tools }: Tool, namespace?: string): OfferedTool[] {
  if (tools !== undefined) return tools.flatMap((tool) => toOffered(tool, name));
  if (type === 'tool_search') return [{ name: 'tool_search', isSearch: true, description }];
  return [{ name, description, ...(namespace === undefined ? {} : { namespace }) }];
}

function toText(content: string | readonly Part[] | undefined): string {
  return toBlocks(content)
    .map(({ text = '' }) => text)
    .join('');
}
