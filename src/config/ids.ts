/** What the hosts are called on a command line, in the order in which they are listed. A start of the server needs no more of them. */
export const HOST_IDS = [
  'vscode',
  'cursor',
  'claude-desktop',
  'windsurf',
  'zed',
  'jetbrains',
  'antigravity',
  'kiro',
  'roo',
  'warp',
  'lmstudio',
  'continue',
  'claude-code',
  'codex',
  'gemini',
  'opencode',
  'goose',
  'copilot',
  'qwen',
  'cline',
  'droid',
  'auggie',
  'amp',
  'crush',
] as const;

export type HostId = (typeof HOST_IDS)[number];

export function isHostId(text: string): text is HostId {
  return HOST_IDS.some((id) => id === text);
}
