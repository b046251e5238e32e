import type { Approve } from './execution.ts';

/** A file of a skill, for the host that reviews it. */
export interface ReviewedFile {
  readonly path: string;
  /** In bytes. */
  readonly size: number;
  readonly digest: string;
}

/** What a host is asked before the first body of a fingerprint is read. Everything is the server's data. */
export interface SkillReview {
  readonly name: string;
  readonly uri: string;
  readonly frontmatter: Readonly<Record<string, unknown>>;
  /** Absent for a dynamic skill. */
  readonly fingerprint?: string;
  /** `dynamic` for a skill whose content its server makes. */
  readonly files: readonly ReviewedFile[] | 'dynamic';
}

/** How the skills of one server are treated. */
export interface ServerSkillOptions {
  /** Whether skills are taken whose content the server makes, so that it cannot be verified. Default: false. */
  readonly allowDynamic?: boolean;
  /** Asked before a tool that runs code is called. Default: every such call is refused while a skill of this server is active. */
  readonly approve?: Approve;
  /** Globs of the host's tools that run code. Default: `['*']`, every tool that `mayExecute` is asked about. */
  readonly executionTools?: readonly string[];
  /** Asked before the first body of a fingerprint is read; whatever is not exactly `true` refuses. Default: every skill may be loaded. */
  readonly reviewSkill?: (skill: SkillReview) => boolean | Promise<boolean>;
  /** Aborts every request to this server. */
  readonly signal?: AbortSignal;
}

/** What a listing of a server came to. */
export interface AddedServer {
  /** Skills that can be activated. */
  readonly skills: number;
  /** Skills that this host does not take, each with its reason in `list()`. */
  readonly unavailable: number;
  /** Why the listing is not all that the server has: one sentence. */
  readonly partial?: string;
}

/** What a copy of a registry has of it. */
export interface CopyOptions {
  /** Whether skills that cannot be used are named, with the reason. Without them, no server is asked for one of their names. Default: true. */
  readonly marks?: boolean;
}

/** One request to a server can be aborted. */
export interface CallOptions {
  readonly signal?: AbortSignal;
}
