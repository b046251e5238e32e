// Asks for what is not served: a strict server refuses each of these.

import { isRecord } from '../catalog/foreign.ts';
import type { CheckCode, Fault } from './checks.ts';
import type { Reply, Session } from './dialogue.ts';
import { showValue } from './difference.ts';
import type { ServedSkill } from './entry.ts';
import { describeError } from './enumeration.ts';

const INVALID_PARAMS = -32602;
const METHOD_NOT_FOUND = -32601;

/** A segment, a file and a cursor that nobody has. */
const NOBODY = 'not-served-5f0c2a';

const UPPER_CASE = 'a URI with its scheme in upper case';
const ENCODED = 'a percent-encoded spelling';

/** What is asked about. */
export interface Subject {
  /** The skills that could be verified, in the order of their URIs. */
  readonly skills: readonly ServedSkill[];
  readonly directoryRead: boolean;
}

/** Asks every wrong question, and reports what was not refused. */
export async function askWrongQuestions(session: Session, subject: Subject): Promise<Fault[]> {
  const skill = chooseSkill(subject.skills);
  const found = [await askForCursor(session)];
  if (skill !== undefined) {
    found.push(await askForEntries(session, skill));
    found.push(await askForFiles(session, skill, subject.skills));
    found.push(await askForDirectories(session, skill, subject.directoryRead));
  }
  return found.flat();
}

/** A skill with a file beside SKILL.md tells more. */
function chooseSkill(skills: readonly ServedSkill[]): ServedSkill | undefined {
  return skills.find((skill) => findOther(skill) !== undefined) ?? skills[0];
}

function findOther({ uri, resources }: ServedSkill): string | undefined {
  return resources === 'dynamic' ? undefined : resources.find((file) => file.uri !== uri)?.uri;
}

async function askForCursor(session: Session): Promise<Fault[]> {
  const reply = await session.request('skills/list', { cursor: NOBODY });
  if (reply.error?.code === INVALID_PARAMS) return [];
  return [
    {
      code: 'cursor-foreign-accepted',
      message: `a cursor that the server did not issue was answered with ${describeReply(reply)}, not with the error -32602`,
    },
  ];
}

async function askForEntries(session: Session, skill: ServedSkill): Promise<Fault[]> {
  const { uri, folder } = skill;
  const root = folder.slice(0, -1);
  const other = findOther(skill);
  const questions: (readonly [string, string])[] = [
    ['the folder of a skill', root],
    ['an unknown skill', `${root.slice(0, root.lastIndexOf('/') + 1)}${NOBODY}/SKILL.md`],
    [UPPER_CASE, uri.replace(/^[^:]+/, (scheme) => scheme.toUpperCase())],
    [ENCODED, encodeLast(root) + uri.slice(root.length)],
    ['a URI with a slash at the end', `${uri}/`],
    ...(other === undefined ? [] : [['a file that is not a SKILL.md', other] as const]),
  ];
  const faults = questions.map(async ([what, asked]): Promise<Fault[]> => {
    const reply = await session.request('skills/get', { uri: asked });
    if (reply.error?.code === INVALID_PARAMS) return [];
    // another spelling of the same URI (RFC 3986, 6.2.2) may be served, as what it is
    if ((what === UPPER_CASE || what === ENCODED) && isEntryOf(reply, uri)) return [];
    return [
      toFault(
        'get-wrong-uri',
        `skills/get of ${what} was answered with ${describeReply(reply)}, not with the error -32602`,
        asked,
      ),
    ];
  });
  return (await Promise.all(faults)).flat();
}

function isEntryOf({ result }: Reply, uri: string): boolean {
  const skill = result?.['skill'];
  return isRecord(skill) && skill['uri'] === uri;
}

async function askForFiles(session: Session, skill: ServedSkill, skills: readonly ServedSkill[]): Promise<Fault[]> {
  const { folder } = skill;
  const name = folder.slice(folder.lastIndexOf('/', folder.length - 2) + 1, -1);
  const neighbour = skills.find(({ uri }) => uri !== skill.uri);
  const questions: (readonly [string, string])[] = [
    ['an unknown file', `${folder}${NOBODY}.md`],
    ['a path with ".."', `${folder}../${name}/SKILL.md`],
    ['a path with "%2e%2e"', `${folder}%2e%2e/${name}/SKILL.md`],
    ['a folder', folder.slice(0, -1)],
    ['a folder with a slash at the end', folder],
    ...(neighbour === undefined ? [] : [['the path of another skill', `${folder}${toPath(neighbour)}`] as const]),
  ];
  const faults = questions.map(async ([what, asked]): Promise<Fault[]> => {
    const reply = await session.request('resources/read', { uri: asked });
    if (reply.error !== undefined) return [];
    return [toFault('read-wrong-uri', `resources/read of ${what} was answered`, asked)];
  });
  return (await Promise.all(faults)).flat();
}

async function askForDirectories(session: Session, skill: ServedSkill, isDeclared: boolean): Promise<Fault[]> {
  const ask = (uri: string) => session.request('resources/directory/read', { uri });
  const root = skill.folder.slice(0, -1);
  if (!isDeclared) {
    const reply = await ask(root);
    if (reply.error !== undefined) return [];
    const message = 'resources/directory/read is answered, and "directoryRead" is not declared, so no client asks';
    return [{ code: 'directory-undeclared-answers', message }];
  }
  const questions = [
    ['a file', skill.uri],
    ['an unknown folder', `${root}/${NOBODY}`],
  ] as const;
  const faults = questions.map(async ([what, asked]): Promise<Fault[]> => {
    const reply = await ask(asked);
    if (reply.error !== undefined && reply.error.code !== METHOD_NOT_FOUND) return [];
    const message = `resources/directory/read of ${what} was answered with ${describeReply(reply)}`;
    return [toFault('directory-wrong-uri', message, asked)];
  });
  return (await Promise.all(faults)).flat();
}

function toFault(code: CheckCode, message: string, asked: string): Fault {
  return { code, message: `${message}: ${showValue(asked)}` };
}

function describeReply(reply: Reply): string {
  return reply.error === undefined ? 'a result' : describeError(reply.error);
}

/** The path of a SKILL.md, after the scheme. */
function toPath({ uri }: ServedSkill): string {
  return uri.slice(uri.indexOf('://') + 3);
}

/** The same URI with its last character percent-encoded, which a comparison of strings tells apart. */
function encodeLast(uri: string): string {
  const code = uri.charCodeAt(uri.length - 1);
  return code > 0x7f ? uri : `${uri.slice(0, -1)}%${code.toString(16).padStart(2, '0')}`;
}
