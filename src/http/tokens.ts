import { createHash, timingSafeEqual } from 'node:crypto';
import { open } from 'node:fs/promises';
import { CommandError, EXIT } from '../error.ts';
import { createLatest } from '../latest.ts';

/** One accepted token: who it belongs to, and the SHA-256 of what that client sends. The token itself is not kept. */
export interface Entry {
  readonly name: string;
  readonly digest: Buffer;
}

export interface Tokens {
  /** The name of the client that holds `token`, or undefined. Takes the same time whichever entry matches, or none. */
  find(token: string): string | undefined;
  /** All that are accepted now. */
  list(): readonly Entry[];
  /**
   * Reads the file again; when that fails, throws and leaves the tokens as they were. One reading after another: a reading that began
   * before the file changed never puts back what a later one has taken out.
   */
  reload(): Promise<void>;
}

const NAME = /^[A-Za-z0-9._@-]{1,64}$/;
/** RFC 6750 section 2.1: nothing else can stand behind `Bearer`. */
const TOKEN = /^[A-Za-z0-9._~+/-]+=*$/;
const HASHED = /^sha256:[0-9a-fA-F]{64}$/;

/**
 * Reads the accepted tokens: `file` holds a `name:token` or `name:sha256:<64 hex digits>` a line (blank lines and lines
 * that start with `#` are skipped; a name may stand twice, so that a token can be changed without a gap), `token` is one
 * more, named `env`. Throws a CommandError, whose message never shows a line's content: `usage` for a file that others
 * can read or a malformed line, `failure` for a file that cannot be read.
 */
export async function loadTokens(sources: { file?: string; token?: string }): Promise<Tokens> {
  const { file, token } = sources;
  if (token !== undefined && !TOKEN.test(token)) {
    throw new CommandError(
      EXIT.usage,
      'the token in MCP_SKILLS_TOKEN is empty, or contains a character that an HTTP header cannot contain',
    );
  }
  const fixed = token === undefined ? [] : [{ name: 'env', digest: toDigest(token) }];
  const read = async () => [...fixed, ...(file === undefined ? [] : parseTokens(await readPrivate(file), file))];
  let entries = await read();
  return {
    find(candidate) {
      const digest = toDigest(candidate);
      let found: string | undefined;
      for (const entry of entries) if (timingSafeEqual(entry.digest, digest)) found ??= entry.name;
      return found;
    },
    list: () => entries,
    reload: createLatest(async () => {
      entries = await read();
    }),
  };
}

function toCode(cause: unknown): string {
  return cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown error';
}

function toDigest(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

async function readPrivate(file: string): Promise<string> {
  try {
    const handle = await open(file, 'r');
    try {
      if (!isPrivate(await handle.stat())) {
        throw new CommandError(EXIT.usage, `the token file "${file}" can be read by others: chmod 600 "${file}"`);
      }
      return await handle.readFile('utf8');
    } finally {
      await handle.close();
    }
  } catch (cause) {
    if (cause instanceof CommandError) throw cause;
    throw new CommandError(EXIT.failure, `the token file "${file}" cannot be read (${toCode(cause)})`, { cause });
  }
}

/**
 * Windows has no mode bits to judge. A file of another owner may be readable to its group: that is how Kubernetes hands
 * a secret to a process that is not root (`fsGroup`), and there is no other way for it to be read at all.
 */
function isPrivate(stat: { mode: number; uid: number }): boolean {
  if (process.getuid === undefined) return true;
  return (stat.mode & (stat.uid === process.getuid() ? 0o077 : 0o037)) === 0;
}

function parseTokens(text: string, file: string): Entry[] {
  const entries: Entry[] = [];
  for (const [index, raw] of text.split(/\r?\n/).entries()) {
    const line = raw.trim();
    if (line === '' || line.startsWith('#')) continue;
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(colon, 0));
    const secret = line.slice(colon + 1);
    if (!NAME.test(name) || !(HASHED.test(secret) || TOKEN.test(secret))) {
      throw new CommandError(
        EXIT.usage,
        `line ${index + 1} of the token file "${file}" is not name:token or name:sha256:<hex>`,
      );
    }
    entries.push({ name, digest: HASHED.test(secret) ? Buffer.from(secret.slice(7), 'hex') : toDigest(secret) });
  }
  if (entries.length === 0) throw new CommandError(EXIT.usage, `the token file "${file}" contains no token`);
  return entries;
}
