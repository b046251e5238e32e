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
  /** Whether skills are taken whose content the server makes, so that nobody can verify it. Default: false. */
  readonly allowDynamic?: boolean;
  /** Asked before a tool that runs code is called. Default: every such call is refused while a skill of this server is active. */
  readonly approve?: Approve;
  /** Globs of the host's tools that run code. Default: `['*']`, every tool that `mayExecute` is asked about. */
  readonly executionTools?: readonly string[];
  /** Asked before the first body of a fingerprint is read; whatever is not exactly `true` refuses. Default: nobody is asked. */
  readonly reviewSkill?: (skill: SkillReview) => boolean | Promise<boolean>;
  /** Aborts every request to this server. */
  readonly signal?: AbortSignal;
}
