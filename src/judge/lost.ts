import type { WalkedFolder } from '../disk/walk.ts';
import { isBuildFolder, isName, toName } from '../text/names.ts';
import { judgeFrontmatter } from './document.ts';

/** A folder that looks like a skill that lost its SKILL.md. */
export interface LostSkill {
  readonly folder: WalkedFolder;
  /** What makes it look like one: folders that skills have, or a file that describes one. */
  readonly sign: { readonly parts?: readonly string[]; readonly file?: string };
  /** The file that is its SKILL.md under another name. */
  readonly file?: string;
}

/** The text of a file in a folder, or undefined where it cannot be read or is too large. */
export type ReadText = (folder: WalkedFolder, name: string) => Promise<string | undefined>;

/** Folders that a skill has beside its SKILL.md (Agent Skills, "Optional directories"). */
const PARTS = ['scripts', 'references', 'assets'];

/** Folders whose Markdown files have a name and a description, and are no skills: agents, commands and the like of hosts. */
const DEFINITIONS = /(?:agent|command|prompt|rule|mode|instruction|style|template|workflow|persona)s?$/;

/** Folders that repositories have beside skills, and that have scripts or assets of their own. */
const COMMON =
  /^(?:apps?|benchmarks?|ci|configs?|data|docs?|e2e|evals?|examples?|fixtures?|hooks?|lib|packages?|plugins?|public|sites?|spec|src|static|tests?|tools?|web|website)$/;

/** The folder in which a plugin of a host has its manifest. */
const PLUGIN = /^\.[a-z]+-plugin\/$/;

/** How many Markdown files of a folder are read. */
const FILES_READ = 20;

/**
 * The folders at and below `folder`, in which no SKILL.md lies, that look like skills that lost theirs (publishing rule 1). For the
 * folder itself one sign is enough; far below it, where repositories hold all sorts of things, it takes a file that names the folder,
 * or two of the folders that skills have.
 */
export async function findLostSkills(folder: WalkedFolder, readText: ReadText): Promise<LostSkill[]> {
  const lost: LostSkill[] = [];
  const visit = async (each: WalkedFolder) => {
    if (!mayBeSkill(each.name)) return;
    // a plugin of a host has the same folders, and says what it is
    const found = each.hidden.some((name) => PLUGIN.test(name))
      ? undefined
      : await toLost(each, each === folder, readText);
    if (found !== undefined) lost.push(found);
    else for (const child of each.folders) await visit(child);
  };
  await visit(folder);
  return lost;
}

/** Whether a folder could have been meant as a skill, or as a group of some: not `_shared`, not `node_modules`. */
function mayBeSkill(name: string): boolean {
  if (isBuildFolder(name)) return false;
  return isName(name) || (/^[\p{L}\p{N}]/u.test(name) && toName(name) !== undefined);
}

async function toLost(folder: WalkedFolder, isOutermost: boolean, readText: ReadText): Promise<LostSkill | undefined> {
  const parts = PARTS.filter((part) => folder.folders.some(({ name }) => name === part));
  if (parts.length > (isOutermost && !COMMON.test(folder.name) ? 0 : 1)) {
    return { folder, sign: { parts } };
  }
  const files = folder.files.filter((name) => /\.(?:md|markdown)$/i.test(name));
  if (
    DEFINITIONS.test(folder.name) ||
    COMMON.test(folder.name) ||
    files.length > FILES_READ ||
    (!isOutermost && files.length !== 1)
  )
    return undefined;
  const described: { file: string; name: string }[] = [];
  for (const file of files) {
    const name = readName(await readText(folder, file));
    if (name !== undefined) described.push({ file, name });
  }
  const [first, second] = described;
  if (first === undefined || second !== undefined || (!isOutermost && first.name !== folder.name)) return undefined;
  return { folder, sign: { file: first.file }, ...(first.name === folder.name ? { file: first.file } : {}) };
}

/** The name of a Markdown file that has a description as well. */
function readName(text: string | undefined): string | undefined {
  if (text === undefined || !/^\ufeff?---\r?\n/.test(text)) return undefined;
  const { frontmatter } = judgeFrontmatter(text);
  const { name, description } = frontmatter ?? {};
  return typeof name === 'string' && name !== '' && typeof description === 'string' && description !== ''
    ? name
    : undefined;
}
