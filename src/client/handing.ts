import { SKILL_FILE } from '../catalog/manifest.ts';
import { compareText } from '../problems.ts';
import { countOf } from '../text/count.ts';
import type { LoadedSkill } from './activation.ts';
import { quote } from './ask.ts';
import type { KeptFile } from './bytecache.ts';
import type { Fencer } from './fence.ts';
import { findText, toLocalBody } from './local.ts';
import type {
  ActivatedSkill,
  ActiveSkill,
  FileReading,
  ListedSkill,
  LocalSkill,
  NotLoaded,
  SkillOrigin,
} from './outcomes.ts';
import { describeContent } from './prompt.ts';
import type { ServedSkill } from './servedskill.ts';

/** How content is handed to a model. */
export interface Manner {
  readonly fencer: Fencer;
  /** Most characters in one message. */
  readonly maxCharacters: number;
}

const HOST: SkillOrigin = { kind: 'host' };

/** A skill of the host's own as a host lists it. */
export function toLocalListed({ name, description }: LocalSkill): ListedSkill {
  return { name, description, origin: HOST, availability: { status: 'ok' }, verified: true };
}

/** A skill of a server as a host lists it. */
export function toServedListed(label: string, { name, uri, entry, reason = '' }: ServedSkill): ListedSkill {
  const origin = { kind: 'server', label, uri } as const;
  if (entry === undefined) {
    return { name, description: '', origin, availability: { status: 'unavailable', reason }, verified: false };
  }
  const { description, fingerprint, files } = entry;
  const known = { name, description, origin, availability: { status: 'ok' }, verified: files !== 'dynamic' } as const;
  return fingerprint === undefined ? known : { ...known, fingerprint };
}

/** A skill of the host's own, loaded from the bytes of its SKILL.md. */
export function createLocalActivation(skill: LocalSkill, { bytes }: KeptFile, manner: Manner): ActivatedSkill {
  const { name, description, files: listed = [] } = skill;
  const body = toLocalBody(bytes);
  const files = [...listed].sort(compareText);
  const about = { name, origin: HOST, verified: true };
  const message = describeContent({ ...about, content: body, files }, manner.fencer, manner.maxCharacters);
  return { outcome: 'activated', ...about, description, body, frontmatter: {}, files, message };
}

/** A skill of a server, loaded and verified. */
export function createServedActivation(loaded: LoadedSkill, body: string, manner: Manner): ActivatedSkill {
  const { frontmatter, description, files: all } = loaded.entry;
  const files = all === 'dynamic' ? [] : [...all.keys()].filter((path) => path !== SKILL_FILE);
  const about = toActive(loaded);
  const message = describeContent({ ...about, content: body, files }, manner.fencer, manner.maxCharacters);
  return { outcome: 'activated', ...about, description, body, frontmatter, files, message };
}

/** A skill that is active, as a host is shown it. */
export function toActive(skill: LocalSkill | LoadedSkill): ActiveSkill {
  if (!isServed(skill)) return { name: skill.name, origin: HOST, verified: true };
  const { name, server, entry } = skill;
  const { uri, fingerprint, files, retired } = entry;
  return {
    name,
    origin: { kind: 'server', label: server.label, uri },
    verified: files !== 'dynamic',
    ...(fingerprint === undefined ? {} : { fingerprint }),
    ...(retired === undefined ? {} : { retired }),
  };
}

/** Whether an active skill is one of a server. */
export function isServed(skill: LocalSkill | LoadedSkill): skill is LoadedSkill {
  return 'entry' in skill;
}

/** A file of a skill, read and, where it is a server's, verified. */
export function createFileReading(
  skill: LocalSkill | LoadedSkill,
  path: string,
  read: KeptFile | NotLoaded,
  { fencer, maxCharacters }: Manner,
): FileReading {
  if ('outcome' in read) return read;
  const { name, origin, verified, fingerprint } = toActive(skill);
  const { bytes, mimeType } = read;
  const text = findText(bytes);
  const message =
    text === undefined
      ? describeBytes(name, path, read)
      : describeContent({ name, origin, verified, fingerprint, path, content: text }, fencer, maxCharacters);
  const known = { name, path, bytes: bytes.slice(), verified, message };
  return {
    outcome: 'read',
    ...known,
    ...(text === undefined ? {} : { text }),
    ...(mimeType === undefined ? {} : { mimeType }),
  };
}

function describeBytes(name: string, path: string, { bytes, mimeType }: KeptFile): string {
  const type = mimeType === undefined ? '' : ` of the type ${quote(mimeType)}`;
  return `The file ${quote(path)} of the skill ${quote(name)} has ${countOf(bytes.length, 'byte')}${type}, and they are not text.`;
}
