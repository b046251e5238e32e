import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import type { Plan } from './runplan.ts';

/** How long a confirmation is good for, in milliseconds. */
export const GOOD_FOR_MS = 5 * 60 * 1000;

/** Who is shown a seal: what a host carries for an answer of a user is no token of a model. */
type SealKind = 'host' | 'model';

/** Gives out seals for runs and takes each of them once. */
export interface Sealer {
  /** A seal for exactly this run. */
  seal(plan: Plan, kind: SealKind): string;
  /** Takes a seal; undefined where it is good, else why not. */
  take(seal: string, plan: Plan, kind: SealKind): string | undefined;
}

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const ID_BYTES = 16;
const TIME_BYTES = 8;

/**
 * Makes the seals of one session: another one has another key.
 *
 * @param now - in milliseconds
 */
export function createSealer(now: () => number = Date.now): Sealer {
  const key = randomBytes(32);
  const used = new Map<string, number>();
  return {
    seal(plan, kind) {
      const nonce = randomBytes(NONCE_BYTES);
      const time = Buffer.alloc(TIME_BYTES);
      time.writeBigUInt64BE(BigInt(now() + GOOD_FOR_MS));
      const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(toBound(plan, kind));
      const sealed = [cipher.update(Buffer.concat([randomBytes(ID_BYTES), time])), cipher.final()];
      return Buffer.concat([nonce, ...sealed, cipher.getAuthTag()]).toString('base64url');
    },
    take(seal, plan, kind) {
      for (const [id, end] of used) if (end <= now()) used.delete(id);
      const opened = open(key, seal, toBound(plan, kind));
      if (opened === undefined) return 'it is not for exactly this run in this session';
      const end = Number(opened.readBigUInt64BE(ID_BYTES));
      if (end <= now()) return 'it has expired';
      const id = opened.toString('hex', 0, ID_BYTES);
      if (used.has(id)) return 'it has been used';
      used.set(id, end);
      return undefined;
    },
  };
}

/** Everything that a person confirms. */
function toBound({ grant, argv }: Plan, kind: SealKind): Buffer {
  const { skill, script, digest, fingerprint, env, network, timeout } = grant;
  return createHash('sha256')
    .update(JSON.stringify([kind, skill, script, digest, fingerprint, argv, env, network, timeout]))
    .digest();
}

function open(key: Buffer, seal: string, bound: Buffer): Buffer | undefined {
  const bytes = Buffer.from(seal, 'base64url');
  if (bytes.length !== NONCE_BYTES + ID_BYTES + TIME_BYTES + TAG_BYTES) return undefined;
  // another spelling of the same bytes is not what was given out
  if (bytes.toString('base64url') !== seal) return undefined;
  try {
    const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
    decipher.setAAD(bound).setAuthTag(bytes.subarray(-TAG_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
  } catch {
    return undefined;
  }
}
