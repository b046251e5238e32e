import type { SkillConnection } from '../../src/client/connection.ts';
import { EXTENSION } from '../../src/client/labels.ts';
import { type MadeSkill, makeCatalog } from '../mcp/catalog.ts';

type Params = Readonly<Record<string, unknown>>;

/** An error that a server answers with. */
export function rpcError(code: number, message = 'no'): Error {
  return Object.assign(new Error(message), { code });
}

/** An entry as a test changes it. */
export interface Entry {
  uri: string;
  frontmatter: Record<string, unknown>;
  resources: { uri: string; digest: string; size: number }[] | 'dynamic';
}

/** A server behind a connection that is written by hand. It answers as it is told to, and keeps what it was asked. */
export class Server implements SkillConnection {
  capabilities: { extensions?: Record<string, unknown> } = { extensions: { [EXTENSION]: {} } };
  readonly modern = false;
  instructions?: string;
  /** Each request as `METHOD URI`, in its order. */
  readonly asked: string[] = [];
  /** What `skills/list` answers. */
  listed: unknown[] = [];
  /** What `skills/get` answers, by URI. */
  readonly entries = new Map<string, unknown>();
  /** What `resources/read` answers, by URI. */
  readonly files = new Map<string, string | Uint8Array>();
  /** Answers in place of what is above. */
  readonly answers: Record<string, ((params: Params, signal?: AbortSignal) => unknown) | undefined> = {};
  readonly listeners = new Set<() => void>();

  constructor(...skills: readonly (MadeSkill | string)[]) {
    this.publish(...skills);
  }

  /** Publishes these skills from now on, and no others. */
  publish(...skills: readonly (MadeSkill | string)[]): void {
    const catalog = makeCatalog(skills.map((skill) => (typeof skill === 'string' ? { path: skill } : skill)));
    this.entries.clear();
    this.files.clear();
    for (const entry of catalog.skills) {
      this.entries.set(entry.uri, structuredClone(entry));
      for (const { uri } of entry.resources) {
        const file = catalog.read(uri);
        this.files.set(uri, file?.text ?? file?.bytes ?? '');
      }
    }
    this.listed = [...this.entries.values()];
  }

  /** The entry of the skill with a path. */
  entry(path: string): Entry {
    return this.entries.get(`skill://${path}/SKILL.md`) as Entry;
  }

  async request(method: string, params: object, { signal }: { signal?: AbortSignal } = {}): Promise<unknown> {
    const { uri } = params as { uri?: string };
    this.asked.push(uri === undefined ? method : `${method} ${uri}`);
    // as over a wire: nothing is shared, and the answer comes later
    await Promise.resolve();
    const answer = this.answers[method] ?? ((given: Params) => this.#answer(method, given));
    return structuredClone(await answer(params as Params, signal));
  }

  #answer(method: string, { uri }: Params): unknown {
    if (method === 'skills/list') return { skills: this.listed };
    if (method === 'skills/get') {
      const skill = this.entries.get(String(uri));
      if (skill === undefined) throw rpcError(-32602, `no skill ${uri}`);
      return { skill };
    }
    const file = this.files.get(String(uri));
    if (method !== 'resources/read') throw rpcError(-32601);
    if (file === undefined) throw rpcError(-32602, `no file ${uri}`);
    const content = typeof file === 'string' ? { text: file } : { blob: Buffer.from(file).toString('base64') };
    return { contents: [{ uri, mimeType: 'text/markdown', ...content }] };
  }

  onResourcesChanged(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}
