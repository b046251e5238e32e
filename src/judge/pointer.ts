/** How a pointer begins (Git LFS, "The Pointer"); a longer file is none. */
const START = Buffer.from('version https://git-lfs.github.com/spec/');
const MAX_BYTES = 1024;

/** Whether a file is what Git LFS keeps in a repository in the place of a large one. */
export function isLfsPointer(bytes: Uint8Array): boolean {
  if (bytes.length >= MAX_BYTES || bytes.length < START.length || bytes[0] !== START[0]) return false;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return text.subarray(0, START.length).equals(START) && text.includes('\noid ');
}
