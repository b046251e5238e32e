import { type Api, toHalves } from './model.ts';

interface Part {
  readonly text?: string;
  readonly inlineData?: { readonly data?: string };
  readonly functionResponse?: {
    readonly id?: string;
    readonly name?: string;
    readonly response?: Readonly<Record<string, unknown>>;
    readonly parts?: readonly Part[];
  };
}

interface Content {
  readonly parts?: readonly Part[];
}

interface Request {
  readonly systemInstruction?: Content | string;
  readonly contents?: readonly Content[];
  readonly tools?: readonly { readonly functionDeclarations?: readonly { name: string; description?: string }[] }[];
}

const USAGE = { promptTokenCount: 1000, candidatesTokenCount: 20, totalTokenCount: 1020 };

/** Gemini: `POST /v1beta/models/MODEL:generateContent`, or `:streamGenerateContent?alt=sse`. */
export const gemini: Api = {
  title: 'Gemini',
  path: /\/models\/[^/:]+:(?:streamG|g)enerateContent$/,
  isStream: (_body, path) => path.endsWith(':streamGenerateContent'),
  readPrompt(body) {
    const { systemInstruction: system, contents = [], tools = [] } = body as Request;
    const parts = contents.flatMap((content) => content.parts ?? []);
    const systemParts = typeof system === 'string' ? [{ text: system }] : (system?.parts ?? []);
    const answers = parts.flatMap((part) => part.functionResponse ?? []);
    return {
      text: [...systemParts, ...parts].map(({ text = '' }) => text).join('\n'),
      tools: tools.flatMap(({ functionDeclarations = [] }) =>
        functionDeclarations.map(({ name, description = '' }) => ({ name, description })),
      ),
      answers: answers.map(({ id = '', response = {} }) => ({ id, text: toText(response) })),
      images: [...parts, ...answers.flatMap((answer) => answer.parts ?? [])].flatMap(
        ({ inlineData }) => inlineData?.data ?? [],
      ),
    };
  },
  writeTurn(turn) {
    const toAnswer = (parts: object[], more: object = {}) => ({
      candidates: [{ index: 0, content: { role: 'model', parts }, ...more }],
      usageMetadata: USAGE,
      modelVersion: 'stub',
    });
    const stop = { finishReason: 'STOP' };
    if ('text' in turn) {
      const halves = toHalves(turn.text).map((text) => ({ data: toAnswer([{ text }]) }));
      return {
        whole: toAnswer([{ text: turn.text }], stop),
        events: [...halves, { data: toAnswer([{ text: '' }], stop) }],
      };
    }
    const { id, tool, args } = turn.call;
    const whole = toAnswer([{ functionCall: { id, name: tool.name, args } }], stop);
    return { whole, events: [{ data: whole }] };
  },
};

/** The API leaves it to the host what an answer looks like: these are the names for its text. */
function toText(response: Readonly<Record<string, unknown>>): string {
  const { output, error, content } = response;
  const text = [output, error, content].find((each) => typeof each === 'string');
  return text ?? JSON.stringify(response);
}
