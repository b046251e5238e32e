import type { HeldEntry } from './entries.ts';

/** What a host is asked before a tool that runs code is called while a served skill is active. */
export interface ExecutionRequest {
  /** The name of the skill: the label, a colon and its path. */
  readonly name: string;
  readonly label: string;
  readonly uri: string;
  /** Absent for a dynamic skill, which can be something else at any time. */
  readonly fingerprint?: string;
  readonly tool: string;
  readonly conversation: string;
}

/** Decides about one skill. Whatever is not exactly `true` refuses. */
export type Approve = (request: ExecutionRequest) => boolean | Promise<boolean>;

/** A served skill that is active in a conversation, with what its server was registered with. */
export interface Subject {
  readonly name: string;
  readonly label: string;
  readonly entry: HeldEntry;
  readonly approve: Approve | undefined;
}

/** Remembers what was approved, for each conversation and fingerprint. */
export class Approvals {
  readonly #given = new Map<string, Map<string, Promise<boolean>>>();

  /** The first of the skills that is not approved, with why; undefined where all are. */
  async findRefused(
    subjects: readonly Subject[],
    tool: string,
    conversation: string,
  ): Promise<{ readonly name: string; readonly why: string } | undefined> {
    for (const subject of subjects) {
      const { name, approve } = subject;
      if (approve === undefined) return { name, why: 'this host approves nothing for its server' };
      if (!(await this.#ask(subject, approve, tool, conversation))) return { name, why: 'that was not approved' };
    }
    return undefined;
  }

  /** Forgets what was approved in a conversation. */
  forget(conversation: string): void {
    this.#given.delete(conversation);
  }

  #ask({ name, label, entry }: Subject, approve: Approve, tool: string, conversation: string): Promise<boolean> {
    const { uri, fingerprint } = entry;
    if (fingerprint === undefined) return isApproved(approve, { name, label, uri, tool, conversation });
    const given = this.#given.get(conversation) ?? new Map<string, Promise<boolean>>();
    this.#given.set(conversation, given);
    const key = `${label}\n${uri}\n${fingerprint}`;
    const known = given.get(key);
    if (known !== undefined) return known;
    // two calls at once are one question
    const asked = isApproved(approve, { name, label, uri, fingerprint, tool, conversation });
    given.set(key, asked);
    void asked.then((isGiven) => {
      if (!isGiven) given.delete(key);
    });
    return asked;
  }
}

async function isApproved(approve: Approve, request: ExecutionRequest): Promise<boolean> {
  try {
    return (await approve(request)) === true;
  } catch {
    return false;
  }
}

/** Whether the name of a tool matches one of the globs, in which `*` is any characters and `?` is one. */
function matchesTool(tool: string, globs: readonly string[]): boolean {
  return globs.some((glob) => {
    const pattern = glob
      .replace(/[.+^${}()|[\]\\]/g, '\\$&')
      .replace(/\*+/g, '.*')
      .replaceAll('?', '.');
    return new RegExp(`^${pattern}$`, 's').test(tool);
  });
}

/** The servers' options that say which tools run code. */
interface Treated {
  readonly executionTools?: readonly string[];
}

/**
 * Whether a tool runs code, as far as the host said so.
 *
 * @param all - the options of every server
 * @param active - those of the servers with an active skill. A server without globs means every tool
 */
export function runsCode(tool: string, all: readonly Treated[], active: readonly Treated[]): boolean {
  if (active.some(({ executionTools }) => executionTools === undefined)) return true;
  return matchesTool(
    tool,
    [...all, ...active].flatMap(({ executionTools }) => executionTools ?? []),
  );
}
