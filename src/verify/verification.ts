// Verifies a server as a strict host would: connects in each era, and puts together what was found.
import { toEntryDigest } from '../catalog/catalog.ts';
import { compareText } from '../problems.ts';
import { CHECKS, type CheckGroup, type Fault } from './checks.ts';
import { textDigestOf } from './content.ts';
import { type Era, type Hello, openSession, REVISIONS, type Session, type SessionOptions } from './dialogue.ts';
import type { ServedSkill } from './entry.ts';
import { type EraOptions, type EraResult, verifyEra } from './era.ts';
import { ConnectionError, type Wire } from './wire.ts';

export interface VerifyOptions
  extends EraOptions,
    Pick<SessionOptions, 'version' | 'startTimeout' | 'timeout' | 'signal'> {
  /** In the order in which they are tried. Where there are two, a server need speak only one of them. */
  readonly eras: readonly Era[];
  /** Judges more of what one era showed. */
  readonly judge?: (result: EraResult) => readonly Fault[];
  /** The groups of what `judge` reports. */
  readonly judged?: readonly CheckGroup[];
}

/** One era of a report: its revision, or why the server does not speak it. */
interface EraReport {
  readonly era: Era;
  readonly revision?: string;
  readonly refused?: string;
}

/** A fault, and the eras in which it was found; of `era-differs` none. */
export interface FoundFault extends Fault {
  readonly eras: readonly Era[];
}

/** What was found out about a server. */
export interface VerifyReport {
  readonly server: Hello['server'];
  readonly eras: readonly EraReport[];
  /** Skills that were verified. */
  readonly skills: number;
  /** Their URIs. */
  readonly uris: readonly string[];
  /** Their entries, as far as they could be used. */
  readonly served: readonly ServedSkill[];
  /** The URIs of all that is listed; undefined where the listing could not be read to its end. */
  readonly listed: readonly string[] | undefined;
  readonly files: number;
  readonly bytes: number;
  readonly requests: number;
  /** The groups of checks that were made, of the server and of each skill. */
  readonly groups: { readonly server: readonly CheckGroup[]; readonly skill: readonly CheckGroup[] };
  /** Those of the server first, then those of each skill in the order of URIs. */
  readonly problems: readonly FoundFault[];
}

/**
 * Verifies a server.
 *
 * @param connect - makes a new connection; it may ask for the revision once that is known
 * @throws ConnectionError where the server cannot be reached or stops answering
 */
export async function verifyServer(
  connect: (revision: () => string | undefined) => Wire,
  options: VerifyOptions,
): Promise<VerifyReport> {
  const eras: EraReport[] = [];
  const results: { era: Era; result: EraResult; session: Session }[] = [];
  let failure: ConnectionError | undefined;
  for (const era of options.eras) {
    try {
      const found = await withSession(connect, era, options, (session) =>
        verifyEra(session, { ...options, take: results.length === 0 ? options.take : undefined }),
      );
      if ('refused' in found) eras.push({ era, refused: found.refused });
      else {
        eras.push({ era, revision: found.session.hello.revision });
        results.push({ era, ...found });
      }
    } catch (error) {
      // a server of one era alone may fail over the handshake of the other
      if (!(error instanceof HandshakeError) || options.eras.length === 1 || options.signal.aborted) throw error;
      failure ??= error;
      eras.push({ era, refused: error.message });
    }
  }
  const [first] = results;
  if (first === undefined) throw failure ?? new ConnectionError(describeRefusal(eras));
  return {
    server: first.session.hello.server,
    eras,
    skills: first.result.skills.length,
    uris: first.result.skills.map(({ skill }) => skill.uri),
    served: first.result.skills.map(({ skill }) => skill),
    listed: first.result.listed,
    files: first.result.files,
    bytes: first.result.bytes,
    requests: results.reduce((sum, { session }) => sum + session.requests, 0),
    groups: listGroups(first.result, options),
    problems: mergeFaults(results, options),
  };
}

function listGroups(
  { isListed, skills, declaration }: EraResult,
  { judged = [] }: VerifyOptions,
): VerifyReport['groups'] {
  const asked: readonly CheckGroup[] = skills.length > 0 ? ['get', 'read', 'directory'] : [];
  const directory: readonly CheckGroup[] = declaration.directoryRead ? ['directory'] : [];
  return {
    server: ['declaration', 'listing', ...(isListed ? asked : []), ...judged],
    skill: ['entry', 'get', 'read', 'frontmatter', ...directory],
  };
}

/** A server that did not get as far as to answer the handshake. */
class HandshakeError extends ConnectionError {}

/** Opens a session, does something with it, and closes it. */
async function withSession<T>(
  connect: (revision: () => string | undefined) => Wire,
  era: Era,
  options: VerifyOptions,
  run: (session: Session) => Promise<T>,
): Promise<{ session: Session; result: T } | { refused: string }> {
  const stop = new AbortController();
  const signal = AbortSignal.any([options.signal, stop.signal]);
  let revision: string | undefined;
  const wire = connect(() => revision);
  try {
    const onRevision = (known: string) => {
      revision = known;
    };
    const session = await openSession(wire, { ...options, era, onRevision, signal }).catch((error: unknown) => {
      throw error instanceof ConnectionError ? new HandshakeError(error.message, { cause: error }) : error;
    });
    if ('refused' in session) {
      const { code, message } = session.refused;
      return { refused: code === undefined ? message : `${message} (${code})` };
    }
    return { session, result: await run(session) };
  } finally {
    // what is still asked for when one request fails is not waited for
    stop.abort();
    await wire.close();
  }
}

function describeRefusal(eras: readonly EraReport[]): string {
  const [first] = eras;
  // the same answer to each handshake is about the server, and not about a revision
  if (eras.length > 1 && eras.every(({ refused }) => refused === first?.refused)) {
    return `the server refuses the handshake of each revision: ${first?.refused}`;
  }
  const reasons = eras.map(({ era, refused }) => `it refuses ${REVISIONS[era]}: ${refused}`);
  return `the server speaks no revision that was asked for; ${reasons.join('; ')}`;
}

function mergeFaults(results: readonly { era: Era; result: EraResult }[], options: VerifyOptions): FoundFault[] {
  const found = new Map<string, FoundFault & { eras: Era[] }>();
  const between = compareEras(results);
  const isSplit = between.some(({ skill }) => skill === undefined);
  for (const { era, result } of results) {
    for (const fault of [...result.faults, ...(options.judge?.(result) ?? [])]) {
      // that it is declared in one era only says it already
      if (isSplit && fault.code === 'extension-missing') continue;
      const { code, message, skill = '', file = '' } = fault;
      const key = JSON.stringify([code, message, skill, file]);
      const known = found.get(key);
      if (known === undefined) found.set(key, { ...fault, eras: [era] });
      else if (!known.eras.includes(era)) known.eras.push(era);
    }
  }
  const all: FoundFault[] = [...found.values(), ...between.map((fault) => ({ ...fault, eras: [] }))];
  return all.sort(compareFaults);
}

const ORDER = new Map(Object.keys(CHECKS).map((code, at) => [code, at]));

function compareFaults(a: Fault, b: Fault): number {
  return (
    compareText(a.skill ?? '', b.skill ?? '') ||
    (ORDER.get(a.code) ?? 0) - (ORDER.get(b.code) ?? 0) ||
    compareText(a.file ?? '', b.file ?? '') ||
    compareText(a.message, b.message)
  );
}

/** What the eras disagree about. */
function compareEras(results: readonly { era: Era; result: EraResult }[]): Fault[] {
  const [first, second] = results;
  if (first === undefined || second === undefined) return [];
  const name = ({ era }: { era: Era }) => REVISIONS[era];
  const [a, b] = [first.result.declaration, second.result.declaration];
  if (a.isDeclared !== b.isDeclared) {
    const [there, missing] = a.isDeclared ? [first, second] : [second, first];
    return [
      { code: 'era-differs', message: `the extension is declared on ${name(there)} and not on ${name(missing)}` },
    ];
  }
  if (a.directoryRead !== b.directoryRead) {
    const [there, missing] = a.directoryRead ? [first, second] : [second, first];
    return [
      { code: 'era-differs', message: `"directoryRead" is declared on ${name(there)} and not on ${name(missing)}` },
    ];
  }
  if (!first.result.isListed || !second.result.isListed) return [];
  const [left, right] = [digestEntries(first.result), digestEntries(second.result)];
  const changed = new Set([first, second].flatMap(({ result }) => listChanged(result)));
  return [...new Set([...left.keys(), ...right.keys()])].flatMap((skill): Fault[] => {
    if (left.get(skill) === right.get(skill) || changed.has(skill)) return [];
    const lost = left.has(skill) ? (right.has(skill) ? undefined : second) : first;
    const what =
      lost === undefined ? 'the entry differs from revision to revision' : `the skill is not served on ${name(lost)}`;
    return [{ code: 'era-differs', message: `${what}, or it changed between the two connections`, skill }];
  });
}

function digestEntries({ skills }: EraResult): Map<string, string> {
  return new Map(skills.map(({ skill, raw }) => [skill.uri, toEntryDigest(raw, textDigestOf)]));
}

/** The skills that changed while they were verified: there the eras need not agree. */
function listChanged({ skills }: EraResult): string[] {
  return skills
    .filter(({ faults }) => faults.some(({ code }) => code === 'changed-during-run'))
    .map(({ skill }) => skill.uri);
}
