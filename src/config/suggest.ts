import { findNearest } from '../mcp/nearest.ts';
import { HOST_IDS, type HostId } from './ids.ts';

/** What people call a host that has another name here. */
const OTHER_NAMES: Readonly<Record<string, readonly HostId[]>> = {
  agy: ['antigravity'],
  augment: ['auggie'],
  claude: ['claude-code', 'claude-desktop'],
  cn: ['continue'],
  code: ['vscode'],
  codeium: ['windsurf'],
  factory: ['droid'],
  'github-copilot': ['copilot', 'vscode'],
  intellij: ['jetbrains'],
  junie: ['jetbrains'],
  'visual-studio-code': ['vscode'],
};

/** The hosts that somebody who wrote `text` may have meant. */
export function suggestHosts(text: string): readonly string[] {
  const name = text.toLowerCase().replaceAll(/[\s_]+/g, '-');
  if (Object.hasOwn(OTHER_NAMES, name)) return OTHER_NAMES[name] ?? [];
  // as in "qwen-code"
  const inside = HOST_IDS.filter((host) => `-${name}-`.includes(`-${host}-`));
  return inside.length > 0 ? inside : findNearest(name, HOST_IDS);
}
