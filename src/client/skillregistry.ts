import { SKILL_FILE } from '../catalog/manifest.ts';
import { compareText } from '../problems.ts';
import { type LoadedSkill, loadServed, readLoaded } from './activation.ts';
import { describeFailure, quote } from './ask.ts';
import type { SkillConnection } from './connection.ts';
import { runsCode } from './execution.ts';
import {
  createFileReading,
  createLocalActivation,
  createServedActivation,
  isServed,
  toActive,
  toLocalListed,
  toServedListed,
} from './handing.ts';
import { assertLabel, splitName } from './labels.ts';
import { readLocal } from './local.ts';
import type { Activation, ActiveSkill, FileReading, ListedSkill, LocalSkill, NotLoaded } from './outcomes.ts';
import { createNotLoaded, describeSkills } from './prompt.ts';
import type { ServedSkill } from './servedskill.ts';
import type { SkillServer } from './serving.ts';
import { createShared, type RegistryEvents, type RegistryOptions, type Shared } from './shared.ts';
import { createTools, type ToolDefinition } from './toolset.ts';
import type { AddedServer, CallOptions, CopyOptions, ServerSkillOptions } from './treatment.ts';

/**
 * The skills of a host: its own, and those that servers publish under the Skills extension. Served content is read when it is asked for,
 * verified before it is used, and handed to a model as data of its server.
 */
export class SkillRegistry {
  #shared: Shared;
  #names: ReadonlySet<string> | undefined;
  #marks = true;
  readonly #active = new Map<string, Map<string, LocalSkill | LoadedSkill>>();

  /** @throws RangeError for a limit that is no whole number from 1 */
  constructor(options: RegistryOptions = {}) {
    this.#shared = createShared(options);
  }

  /**
   * Adds a skill of the host's own.
   *
   * @throws RangeError for a name with a colon, or one that is taken
   */
  addLocal(skill: LocalSkill): void {
    const { name } = skill;
    if (typeof name !== 'string' || name === '' || name.includes(':')) {
      throw new RangeError(
        `the name ${quote(String(name))} is empty or has a colon, which names of served skills have`,
      );
    }
    if (this.#shared.local.has(name)) throw new RangeError(`a skill ${quote(name)} is registered already`);
    this.#shared.local.set(name, skill);
  }

  /**
   * Registers the skills of a server, or registers them again: then entries are replaced, and options too. Sends `skills/list` only.
   *
   * @param label - the host's name for the server: 1 to 64 of a-z, 0-9, ".", "_" and "-", with a letter or digit first
   * @throws SkillsNotServed where the server does not declare the extension
   * @throws RangeError for what is no label, or one that another connection holds; and what the connection throws
   */
  async addServer(connection: SkillConnection, label: string, options: ServerSkillOptions = {}): Promise<AddedServer> {
    assertLabel(label);
    const held = this.#shared.servers.get(label);
    if (held !== undefined && held.connection !== connection) {
      throw new RangeError(`the label "${label}" is held by another connection`);
    }
    const server = held ?? this.#shared.openServer(connection, label, options);
    server.options = options;
    try {
      await server.refresh();
    } catch (error) {
      if (held === undefined && this.#shared.servers.get(label) === server) this.#shared.closeServer(label);
      throw error;
    }
    const skills = server.list().filter(({ entry }) => entry !== undefined).length;
    const { partial } = server;
    return { skills, unavailable: server.list().length - skills, ...(partial === undefined ? {} : { partial }) };
  }

  /** Ends the use of a server's skills, in all copies. The connection stays open. */
  removeServer(label: string): void {
    this.#shared.closeServer(label);
  }

  /** The host's own skills, then those that servers list, each sorted by name. */
  list(): readonly ListedSkill[] {
    const own = [...this.#shared.local.values()].map(toLocalListed);
    const served = [...this.#shared.servers.values()].flatMap((server) =>
      server
        .list()
        .filter((skill) => skill.isListed && this.#isShown(skill))
        .map((skill) => toServedListed(server.label, skill)),
    );
    const sorted = [own, served].map((skills) => skills.sort((a, b) => compareText(a.name, b.name)));
    return sorted.flat().filter(({ name }) => this.#reaches(name));
  }

  #reaches(name: string): boolean {
    return this.#names?.has(name) ?? true;
  }

  #isShown({ entry }: ServedSkill): boolean {
    return this.#marks || entry !== undefined;
  }

  /**
   * Loads a skill. A served one is verified before anything of it is used; one that no listing has is asked for.
   *
   * @param context - the conversation
   */
  async activate(name: string, context = '', { signal }: CallOptions = {}): Promise<Activation> {
    if (!this.#reaches(name)) return createNotLoaded('unknown', name, 'there is no such skill');
    const local = this.#shared.local.get(name);
    if (local !== undefined) return this.#activateLocal(local, context);
    const found = await this.#find(name, signal);
    if ('outcome' in found) return found;
    const result = await loadServed(found.server, found.skill, this.#shared, signal);
    if ('outcome' in result) return result;
    this.#setActive(context, result.loaded);
    return createServedActivation(result.loaded, result.body, this.#shared);
  }

  async #activateLocal(skill: LocalSkill, context: string): Promise<Activation> {
    const read = await readLocal(skill, SKILL_FILE);
    if ('outcome' in read) return read;
    this.#setActive(context, skill);
    return createLocalActivation(skill, read, this.#shared);
  }

  async #find(name: string, signal?: AbortSignal): Promise<{ server: SkillServer; skill: ServedSkill } | NotLoaded> {
    const unknown = createNotLoaded('unknown', name, 'there is no such skill');
    const parts = splitName(name);
    const server = parts && this.#shared.servers.get(parts.label);
    if (server === undefined) return unknown;
    const held = server.find(parts?.path ?? '');
    if (held !== undefined) return this.#isShown(held) ? { server, skill: held } : unknown;
    try {
      const skill = await server.request(parts?.path ?? '', signal);
      return skill === undefined || !this.#isShown(skill) ? unknown : { server, skill };
    } catch (error) {
      return createNotLoaded('failed', name, describeFailure(error));
    }
  }

  #setActive(context: string, skill: LocalSkill | LoadedSkill): void {
    const active = this.#active.get(context) ?? new Map<string, LocalSkill | LoadedSkill>();
    this.#active.set(context, active.set(skill.name, skill));
  }

  /**
   * Reads a file of a skill. A served one has to be active in the conversation, and its file in the entry by which it was loaded; a file
   * that is not what that entry lists retires the skill.
   */
  async readFile(name: string, path: string, context = '', { signal }: CallOptions = {}): Promise<FileReading> {
    const local = this.#reaches(name) ? this.#shared.local.get(name) : undefined;
    if (local !== undefined) return createFileReading(local, path, await readLocal(local, path), this.#shared);
    const loaded = this.#active.get(context)?.get(name);
    if (loaded === undefined || !isServed(loaded)) {
      return createNotLoaded('inactive', name, 'it is not active in this conversation');
    }
    const read = await readLoaded(loaded, path, this.#shared, signal);
    return createFileReading(loaded, path, read, this.#shared);
  }

  /** Ends the use of a skill in a conversation: its files are not read any more, and it asks for no approval. */
  deactivate(name: string, context = ''): void {
    this.#active.get(context)?.delete(name);
  }

  /** Forgets a conversation: what is active in it, and what was approved. */
  forget(context: string): void {
    this.#active.delete(context);
    this.#shared.approvals.forget(context);
  }

  /** The skills that are active in a conversation, in the order in which they were first activated. */
  active(context = ''): readonly ActiveSkill[] {
    return [...(this.#active.get(context)?.values() ?? [])].map(toActive);
  }

  /**
   * Whether a tool may be called. While a served skill is active in the conversation, one that runs code may only if the host approves it
   * for every such skill. What a skill says of `allowed-tools` opens nothing.
   *
   * @param tool - its name
   */
  async mayExecute(
    tool: string,
    context = '',
  ): Promise<{ readonly allowed: true } | { readonly allowed: false; readonly reason: string }> {
    const loaded = [...(this.#active.get(context)?.values() ?? [])].filter(isServed);
    const registered = [...this.#shared.servers.values()].map(({ options }) => options);
    const active = loaded.map(({ server }) => server.options);
    if (loaded.length === 0 || !runsCode(tool, registered, active)) return { allowed: true };
    const subjects = loaded.map(({ name, server, entry }) => ({
      name,
      label: server.label,
      entry,
      approve: server.options.approve,
    }));
    const refused = await this.#shared.approvals.findRefused(subjects, tool, context);
    if (refused === undefined) return { allowed: true };
    const reason = `the tool ${quote(tool)} runs code while the skill ${quote(refused.name)} of a server is active, and ${refused.why}`;
    return { allowed: false, reason };
  }

  /**
   * A registry of the same skills: servers, entries, retirements and approvals are shared, what is active is not.
   *
   * @param names - reaches these skills alone, and asks a server for no other. Default: all, those that are added later too
   */
  copy(names?: readonly string[], { marks = this.#marks }: CopyOptions = {}): SkillRegistry {
    const reached = names?.filter((name) => this.#reaches(name));
    const made = new SkillRegistry();
    made.#shared = this.#shared;
    made.#names = reached === undefined ? this.#names : new Set(reached);
    made.#marks = marks && this.#marks;
    return made;
  }

  /** The skills as a section of a system prompt: the host's own first, then served ones under a heading of their own. Empty for none. */
  toPrompt(): string {
    return describeSkills(this.list());
  }

  /** The tools `activate_skill` and `read_skill_file` for a conversation, with the names that are listed now. */
  toTools(context = ''): readonly ToolDefinition[] {
    return createTools(this.list(), {
      activate: async (name) => (await this.activate(name, context)).message,
      read: async (name, path) => (await this.readFile(name, path, context)).message,
    });
  }

  /**
   * Calls a listener after each change of a server's skills (`changed`), or when what was loaded of a skill this registry reaches is not
   * used any more (`retired`).
   *
   * @returns ends that
   */
  on<K extends keyof RegistryEvents>(event: K, listener: (data: RegistryEvents[K]) => void): () => void {
    return this.#shared.listen((name, data) => {
      if (name === event && (!('name' in data) || this.#reaches(data.name))) listener(data as RegistryEvents[K]);
    });
  }
}
