import type { SkillResource } from '../catalog/catalog.ts';

/** Of the 64 hex digits of a digest: 96 bits, which nobody finds by trying. */
const DIGITS = 24;

/**
 * What marks where the content of a file begins or ends between the server's own words. It is made of the file's digest, so no author
 * can write it into the file: the file would have to hold its own digest. And it is the same at each call, in each process.
 */
export function toMark({ digest }: SkillResource): string {
  return digest.slice('sha256:'.length, 'sha256:'.length + DIGITS);
}
