import type { JsonObject } from '../text/jsonvalue.ts';

/** Where a skill comes from: the host itself, or a server under the host's label for it. */
export type SkillOrigin =
  | { readonly kind: 'host' }
  | { readonly kind: 'server'; readonly label: string; readonly uri: string };

/** Whether a skill can be activated. */
export type Availability =
  | { readonly status: 'ok' }
  /** The reason is one sentence, safe to show. */
  | { readonly status: 'unavailable'; readonly reason: string };

/** A skill as a host lists it. Name and description of a served skill are its server's words: escape them where you show them. */
export interface ListedSkill {
  /** `label:path` for a served skill; without a colon for the host's own. */
  readonly name: string;
  readonly description: string;
  readonly origin: SkillOrigin;
  readonly availability: Availability;
  /** Whether content is checked against digests before it is used. False for dynamic skills; the host's own are the host's. */
  readonly verified: boolean;
  /** `sha256:…` over the URIs and digests of the files; absent for the host's own, dynamic and unavailable skills. */
  readonly fingerprint?: string;
}

/** A skill that is loaded. */
export interface ActivatedSkill {
  readonly outcome: 'activated';
  readonly name: string;
  readonly origin: SkillOrigin;
  readonly description: string;
  /** The Markdown after the frontmatter. */
  readonly body: string;
  /** What the entry of a served skill has; empty for the host's own. `allowed-tools` in it opens nothing. */
  readonly frontmatter: JsonObject;
  /** The paths of its other files, sorted. Unknown, so empty, for a dynamic skill. */
  readonly files: readonly string[];
  readonly verified: boolean;
  readonly fingerprint?: string;
  /** What a model is given: the body in a fence that it cannot close, and what it is. */
  readonly message: string;
}

/** A skill or a file that is not loaded. Nothing of its content is in here. */
export interface NotLoaded {
  /**
   * `changed`: the skill was changed on its server, and the next activation loads it. `unverified`: the content is not what the server
   * itself lists. `unavailable`: this host does not take the skill. `refused`: the host refused it, or the path is not a file of the skill.
   * `retired`: what was loaded is not used any more. `inactive`: the skill is not active in the conversation. `unknown`: there is no
   * such skill. `failed`: the server could not be asked.
   */
  readonly outcome:
    | 'changed'
    | 'unverified'
    | 'unavailable'
    | 'refused'
    | 'retired'
    | 'inactive'
    | 'unknown'
    | 'failed';
  readonly name: string;
  /** One sentence, safe to show. */
  readonly reason: string;
  /** What a model is given. */
  readonly message: string;
}

/** What `activate` returns. */
export type Activation = ActivatedSkill | NotLoaded;

/** A file of a skill that is loaded. */
export interface SkillFile {
  readonly outcome: 'read';
  /** Of the skill. */
  readonly name: string;
  readonly path: string;
  /** A copy. */
  readonly bytes: Uint8Array;
  /** Present where the bytes are UTF-8. */
  readonly text?: string;
  /** What the server says that it is. */
  readonly mimeType?: string;
  readonly verified: boolean;
  /** What a model is given: the text in a fence that it cannot close, or that the file is not text. */
  readonly message: string;
}

/** What `readFile` returns. */
export type FileReading = SkillFile | NotLoaded;

/** A skill that is active in a conversation. */
export interface ActiveSkill {
  readonly name: string;
  readonly origin: SkillOrigin;
  readonly fingerprint?: string;
  readonly verified: boolean;
  /** Why it is not used any more, while its content is in the conversation all the same. */
  readonly retired?: string;
}

/** A skill of the host's own. */
export interface LocalSkill {
  /** Without a colon: no served skill can have the name. */
  readonly name: string;
  readonly description: string;
  /** The paths of its files beside SKILL.md. */
  readonly files?: readonly string[];
  /** Reads `SKILL.md` or one of `files`. The host trusts what it returns. */
  read(path: string): string | Uint8Array | Promise<string | Uint8Array>;
}
