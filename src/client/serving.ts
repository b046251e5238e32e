import { Absences } from './absences.ts';
import { askServer, describeFailure, isNotFound } from './ask.ts';
import type { SkillConnection } from './connection.ts';
import { type HeldEntry, isSameEntry, type TakenEntry, takeEntry } from './entries.ts';
import { type Enumerated, enumerateSkills } from './enumerate.ts';
import type { Patience } from './fetched.ts';
import { EXTENSION, findServedUri, SkillsNotServed, toServedName } from './labels.ts';
import { createSkill, isTwin, refuse, type ServedSkill } from './servedskill.ts';
import type { ServerSkillOptions } from './treatment.ts';

/** What a registry allows, and whom it tells. */
export interface Ground {
  readonly maxPages: number;
  readonly maxSkills: number;
  /** Milliseconds that a request may take. */
  readonly timeout: number;
  readonly now: () => number;
  readonly onChanged: (label: string) => void;
  /** An entry is not held any more; `next` takes its place. */
  readonly onDropped: (label: string, entry: HeldEntry, next: HeldEntry | undefined) => void;
  readonly onRetired: (label: string, skill: ServedSkill, reason: string) => void;
}

/** How many skills are held that were asked for by name. */
const MAX_UNLISTED = 100;

/** The skills of one server, under the label that the host gave it. */
export class SkillServer {
  readonly label: string;
  readonly connection: SkillConnection;
  options: ServerSkillOptions;
  /** Fingerprints of which the host let the body be read. */
  readonly reviewed = new Set<string>();
  /** Why the listing is not all that the server has. */
  partial: string | undefined;
  readonly #ground: Ground;
  readonly #skills = new Map<string, ServedSkill>();
  readonly #absences: Absences;
  #round = 0;

  /** Holds nothing until {@link refresh}. */
  constructor(label: string, connection: SkillConnection, options: ServerSkillOptions, ground: Ground) {
    this.label = label;
    this.connection = connection;
    this.options = options;
    this.#ground = ground;
    this.#absences = new Absences(ground.now);
  }

  /** How requests to this server are sent. */
  toPatience(signal?: AbortSignal): Patience {
    const { signal: own } = this.options;
    const all = [own, signal].filter((each) => each !== undefined);
    return { timeout: this.#ground.timeout, ...(all.length === 0 ? {} : { signal: AbortSignal.any(all) }) };
  }

  /** The skills that are held. */
  list(): readonly ServedSkill[] {
    return [...this.#skills.values()];
  }

  /** The skill of a name without its label; undefined where none is held. */
  find(path: string): ServedSkill | undefined {
    const name = `${this.label}:${path}`;
    const uri = findServedUri(path);
    const found = uri === undefined ? undefined : this.#skills.get(uri);
    return found ?? this.list().find((skill) => skill.name === name);
  }

  /**
   * Asks for the listing, and puts it in the place of what is held. A skill that is gone, or that this host does not take any more,
   * retires.
   *
   * @throws SkillsNotServed where the server does not declare the extension, and what the connection throws
   */
  async refresh(): Promise<void> {
    const { extensions } = this.connection.capabilities;
    if (typeof extensions?.[EXTENSION] !== 'object' || extensions[EXTENSION] === null) {
      throw new SkillsNotServed(this.label);
    }
    const round = ++this.#round;
    const found = await enumerateSkills(this.connection, this.#ground, this.toPatience());
    // a later listing, or the end of this server, came first
    if (round !== this.#round) return;
    this.#apply(found);
    this.#absences.clear();
    this.#ground.onChanged(this.label);
  }

  #apply({ entries, partial }: Enumerated): void {
    this.partial = partial;
    const listed = new Map<string, ServedSkill>();
    for (const [index, value] of entries.entries()) {
      const skill = this.#toSkill(value, index);
      const twin = listed.get(skill.uri);
      const isTwice = twin !== undefined && !isTwin(twin, skill);
      listed.set(skill.uri, isTwice ? refuse(skill, 'its server lists it twice, in two ways') : skill);
    }
    for (const held of this.list()) {
      const next = listed.get(held.uri);
      if (next !== undefined) this.#replace(held, next);
      else if (!held.isListed) held.isStale = true;
      else if (partial === undefined) this.#remove(held, 'its server no longer serves it');
    }
    for (const [uri, skill] of listed) if (!this.#skills.has(uri)) this.#skills.set(uri, skill);
  }

  /** An entry that is the same stays, and with it what was loaded by it. */
  #replace(held: ServedSkill, next: ServedSkill): void {
    const { entry } = held;
    const isSame = entry !== undefined && next.entry !== undefined && isSameEntry(entry, next.entry);
    if (isSame) Object.assign(held, { isListed: true, isStale: false });
    else {
      this.#setEntry(held, next);
      held.isListed = true;
    }
  }

  /** Puts another entry, or the reason for none, in the place of what is held. */
  #setEntry(
    held: ServedSkill,
    { entry, reason }: { entry?: HeldEntry | undefined; reason?: string | undefined },
  ): void {
    if (reason !== undefined) this.#retireAll(held, reason);
    if (held.entry !== undefined) this.#ground.onDropped(this.label, held.entry, entry);
    Object.assign(held, { isStale: false, entry, reason });
  }

  #toSkill(value: unknown, index: number): ServedSkill {
    const taken = takeEntry(value, this.options.allowDynamic === true);
    const given = (value as { uri?: unknown } | null)?.uri;
    const uri = typeof given === 'string' && given.length <= 2048 ? given : `entry ${index + 1} of the listing`;
    const name = toServedName(this.label, uri);
    return createSkill(name, uri, true, taken);
  }

  /**
   * Asks for one skill that is not held, and holds it unlisted.
   *
   * @returns undefined where the server serves no such skill, or cannot be asked for it
   * @throws what the connection throws, where the server did not answer
   */
  async request(path: string, signal?: AbortSignal): Promise<ServedSkill | undefined> {
    const uri = findServedUri(path);
    if (uri === undefined) return undefined;
    if (this.#absences.has(uri)) return undefined;
    try {
      const answer = await askServer(this.connection, 'skills/get', { uri }, this.toPatience(signal));
      const taken = this.#takeAnswer(answer, uri);
      const skill = createSkill(toServedName(this.label, uri), uri, false, taken);
      // a listing may have brought it meanwhile
      const held = this.#skills.get(uri);
      if (held !== undefined) return held;
      this.#skills.set(uri, skill);
      this.#boundUnlisted();
      return skill;
    } catch (error) {
      if (!isNotFound(error)) throw error;
      this.#absences.add(uri);
      return undefined;
    }
  }

  #boundUnlisted(): void {
    const unlisted = this.list().filter(({ isListed }) => !isListed);
    for (const { uri } of unlisted.slice(0, Math.max(0, unlisted.length - MAX_UNLISTED))) {
      this.#skills.delete(uri);
    }
  }

  /**
   * Asks for the entry of a skill again, for its next activation. What is not taken leaves the skill unavailable; one that its server
   * does not have any more is gone.
   *
   * @returns why it could not be asked for; undefined where the server answered
   */
  async renew(held: ServedSkill, signal?: AbortSignal): Promise<string | undefined> {
    const { entry: before, uri } = held;
    held.isStale = true;
    let answer: unknown;
    try {
      answer = await askServer(this.connection, 'skills/get', { uri }, this.toPatience(signal));
    } catch (error) {
      if (!isNotFound(error)) return describeFailure(error);
      this.#remove(held, 'its server no longer serves it');
      this.#ground.onChanged(this.label);
      return undefined;
    }
    const taken = this.#takeAnswer(answer, uri);
    const wasVerified = before !== undefined && before.files !== 'dynamic';
    const next =
      'entry' in taken && taken.entry.files === 'dynamic' && wasVerified
        ? { reason: 'its content could be verified before, and its server now says that it is dynamic' }
        : taken;
    this.#setEntry(held, next);
    this.#ground.onChanged(this.label);
    return undefined;
  }

  #takeAnswer(answer: unknown, uri: string): TakenEntry {
    const skill = (answer as { skill?: unknown } | null)?.skill;
    const taken = takeEntry(skill, this.options.allowDynamic === true);
    if ('entry' in taken && taken.entry.uri !== uri) return { reason: 'its server answered with another skill' };
    return taken;
  }

  /** Ends the use of what was loaded by one entry of a skill, until the skill is activated again. */
  retire(skill: ServedSkill, entry: HeldEntry, reason: string): void {
    if (skill.entry === entry) skill.isStale = true;
    if (entry.retired !== undefined) return;
    entry.retired = reason;
    skill.loaded.delete(entry);
    this.#ground.onRetired(this.label, skill, reason);
  }

  #retireAll(skill: ServedSkill, reason: string): void {
    for (const entry of [skill.entry, ...skill.loaded]) if (entry !== undefined) entry.retired ??= reason;
    const wasLoaded = skill.loaded.size > 0;
    skill.loaded.clear();
    if (wasLoaded) this.#ground.onRetired(this.label, skill, reason);
  }

  #remove(held: ServedSkill, reason: string): void {
    this.#skills.delete(held.uri);
    this.#setEntry(held, { reason });
    held.reason = undefined;
  }

  /** Ends the use of all skills of the server. */
  close(): void {
    this.#round += 1;
    for (const held of this.list()) this.#remove(held, 'this host no longer uses its server');
  }
}
