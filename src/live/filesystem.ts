import { statfsSync } from 'node:fs';

/** File systems whose changes nobody is told of, by the numbers of Linux. */
const KINDS: Readonly<Record<number, string>> = {
  26985: 'NFS',
  20859: 'SMB',
  4283649346: 'SMB',
  4266872130: 'SMB',
  // bind mounts of Docker Desktop as well
  1702057286: 'FUSE',
  // /mnt of WSL
  16914839: '9p',
};

/** What kind of file system a folder is on, where changes that others make there give no events; undefined for a local one. */
export function findRemote(folder: string): string | undefined {
  try {
    // the number is 32 bits, and has a sign on some systems
    return process.platform === 'linux' ? KINDS[statfsSync(folder).type >>> 0] : undefined;
  } catch {
    return undefined;
  }
}
