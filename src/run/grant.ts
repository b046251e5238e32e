/** What an operator allows: one script of one skill, as both were when it was looked at. */
export interface Grant {
  /** The path of the skill: groups and name, joined by `/`. */
  readonly skill: string;
  /** Relative to the skill. */
  readonly script: string;
  /** `sha256:…`, of the script. */
  readonly digest: string;
  /** `sha256:…`, over all files of the skill. */
  readonly fingerprint: string;
  /** The absolute path of node, python3 or bash. */
  readonly interpreter: string;
  /** Arguments that always come first. */
  readonly leading: readonly string[];
  /** What each further argument has to be as a whole; undefined where none is allowed. */
  readonly args: RegExp | undefined;
  /** Names of variables of the server's environment that the script gets. */
  readonly env: readonly string[];
  readonly network: boolean;
  /** In seconds. */
  readonly timeout: number;
  /** 1-based, where the policy has it. */
  readonly line: number;
  /** 1-based, in UTF-16 units. */
  readonly column: number;
}
