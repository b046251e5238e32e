// Reads every folder of a skill, and compares it with the files of the entry.

import { isRecord } from '../catalog/foreign.ts';
import { DIRECTORY_TYPE } from '../catalog/manifest.ts';
import { formatNumber } from '../text/count.ts';
import type { CheckCode, Fault } from './checks.ts';
import type { Session } from './dialogue.ts';
import { showValue } from './difference.ts';
import type { ServedSkill } from './entry.ts';
import { describeError, walkPages } from './enumeration.ts';

/** Of a file, in bytes; unknown where the entry has no right one. */
type Size = number | 'unknown';

/** What a folder holds: the size of each file by URI, and nothing for each folder. */
type Children = ReadonlyMap<string, Size | undefined>;

/**
 * Reads the folders of a skill (Skills extension, "Reading Directories").
 *
 * @param uris - of all skills: what holds another skill is no child that an entry would have to list
 */
export async function verifyDirectories(
  session: Session,
  skill: ServedSkill,
  uris: readonly string[],
): Promise<Fault[]> {
  if (skill.resources === 'dynamic') return [];
  const folders = collectFolders(skill);
  const found = await Promise.all(
    [...folders].map(([folder, children]) => verifyFolder(session, folder, children, skill.uri, uris)),
  );
  return found.flat().map((fault) => ({ ...fault, skill: skill.uri }));
}

/** Every folder of a skill by its URI, without a `/` at the end. */
function collectFolders({ folder, resources, unread = [] }: ServedSkill): Map<string, Map<string, Size | undefined>> {
  const root = folder.slice(0, -1);
  const folders = new Map<string, Map<string, Size | undefined>>([[root, new Map()]]);
  const others = unread.map((uri) => ({ uri, size: 'unknown' as const }));
  for (const { uri, size } of resources === 'dynamic' ? [] : [...resources, ...others]) {
    let above = root;
    const names = uri.slice(folder.length).split('/');
    for (const name of names.slice(0, -1)) {
      const inner = `${above}/${name}`;
      folders.get(above)?.set(inner, undefined);
      if (!folders.has(inner)) folders.set(inner, new Map());
      above = inner;
    }
    folders.get(above)?.set(uri, size);
  }
  return folders;
}

async function verifyFolder(
  session: Session,
  folder: string,
  expected: Children,
  skill: string,
  uris: readonly string[],
): Promise<Fault[]> {
  const faults: Fault[] = [];
  const seen = new Set<string>();
  const add = (code: CheckCode, message: string, file = folder) => faults.push({ code, message, file });
  const { error } = await walkPages(
    session,
    'resources/directory/read',
    { uri: folder },
    'resources',
    faults,
    (children) => {
      for (const child of children) judgeChild(child);
    },
  );
  if (error !== undefined) {
    add('directory-failed', `resources/directory/read was answered with ${describeError(error)}`);
    return faults;
  }
  if (faults.some(({ code }) => code === 'list-shape')) {
    return [{ code: 'directory-failed', message: faults[0]?.message ?? '', file: folder }];
  }
  for (const uri of expected.keys()) {
    if (!seen.has(uri)) add('directory-missing', 'the directory above it does not have it', uri);
  }
  return faults;

  function judgeChild(child: unknown): void {
    const uri = isRecord(child) ? child['uri'] : undefined;
    if (!isRecord(child) || typeof uri !== 'string') {
      add('directory-failed', `a child of the directory is ${showValue(child)}, not a resource with a "uri"`);
      return;
    }
    seen.add(uri);
    const { mimeType, size } = child;
    if (!uri.startsWith(`${folder}/`) || uri.slice(folder.length + 1).includes('/')) {
      add('directory-recursive', `the directory has ${showValue(uri)}, which is not its direct child`);
    } else if (!expected.has(uri)) {
      const isAbove = uris.some((other) => other !== skill && other.startsWith(`${uri}/`));
      if (!isAbove) add('directory-extra', `the directory has ${showValue(uri)}, which the entry does not list`);
    } else {
      const listed = expected.get(uri);
      if ((mimeType === DIRECTORY_TYPE) !== (listed === undefined)) {
        add(
          'directory-type',
          `the media type of a ${listed === undefined ? 'folder' : 'file'} is ${showValue(mimeType)}`,
          uri,
        );
      }
      if (typeof listed === 'number' && size !== undefined && size !== listed) {
        add(
          'directory-size',
          `the directory gives the size ${showValue(size)}, and the entry ${formatNumber(listed)}`,
          uri,
        );
      }
    }
  }
}
