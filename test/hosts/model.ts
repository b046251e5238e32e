/** A tool as an API offers it to a model. */
export interface OfferedTool {
  readonly name: string;
  /** Codex groups the tools of a server. */
  readonly namespace?: string;
  /** A tool that only finds other tools, as the API has it. */
  readonly isSearch?: boolean;
  readonly description: string;
}

/** The answer to a call, as the host put it into the conversation. */
export interface ToolAnswer {
  readonly id: string;
  readonly text: string;
}

/** What a host gives the model in one request. */
export interface Prompt {
  /** System prompt and messages, without answers to calls. */
  readonly text: string;
  readonly tools: readonly OfferedTool[];
  readonly answers: readonly ToolAnswer[];
  /** All images of the conversation, in base64. */
  readonly images: readonly string[];
}

/** A call that the model makes. */
export interface Call {
  readonly id: string;
  readonly tool: OfferedTool;
  readonly args: Readonly<Record<string, unknown>>;
}

/** What the model says: one call, or words, which end its turn. */
export type Turn = { readonly call: Call } | { readonly text: string };

/** What an API sends: the whole, or the events of a stream. */
export interface Wire {
  readonly whole: object;
  readonly events: readonly { readonly event?: string; readonly data: object | '[DONE]' }[];
}

/** One API of a model. */
export interface Api {
  readonly title: string;
  /** Whether a path of a POST is that of a turn. */
  readonly path: RegExp;
  readonly isStream: (body: Body, path: string) => boolean;
  readonly readPrompt: (body: Body) => Prompt;
  readonly writeTurn: (turn: Turn, body: Body) => Wire;
}

/** The JSON of a request. */
export type Body = Readonly<Record<string, unknown>>;

/** Made up. A host that sends another has found a key of a person. */
export const KEY = 'sk-made-up-0123456789abcdef';

/** Halves, as a stream has them: a host must join them. */
export function toHalves(text: string): string[] {
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)].filter((half) => half !== '');
}

/** A list of blocks, where a bare string is one block of text. */
export function toBlocks<T extends { readonly text?: string }>(content: string | readonly T[] | undefined | null) {
  return typeof content === 'string' ? [{ text: content } as T] : (content ?? []);
}

/** The data of a `data:` URL of an image. */
export function toImageData(url: string | undefined): string[] {
  const [, data] = /^data:image\/[\w.+-]+;base64,(.*)$/s.exec(url ?? '') ?? [];
  return data === undefined ? [] : [data];
}
