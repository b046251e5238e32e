/** What became of something between two looks at it, or what the system has against it. */
export type FaultReason =
  | 'removed'
  | 'link'
  | 'other'
  | 'folder'
  | 'resized'
  | 'rewritten'
  | 'busy'
  | 'denied'
  | 'undecoded'
  | 'too-long'
  | 'system';

/** Why something could not be read as the walk saw it. */
export interface ReadFault {
  /** Relative to the root; `.` is the root itself. */
  readonly path: string;
  readonly code: 'unreadable' | 'changed-while-reading';
  readonly reason: FaultReason;
  /** `resized`: the sizes in bytes, before and after. */
  readonly sizes?: readonly [before: number, after: number];
  /** `system`: its own code or message. */
  readonly detail?: string;
}

/** Whether a path is as the disk has it: Node gives a name that is not UTF-8 with U+FFFD in it, under which nothing is found. */
export function isDecoded(path: string): boolean {
  return !path.includes('\ufffd');
}

/** What the system reported about something that the walk saw. */
export function toFault(path: string, error: unknown): ReadFault {
  const { code, message } = error as NodeJS.ErrnoException;
  switch (code) {
    case 'ENOENT':
      return isDecoded(path)
        ? { path, code: 'changed-while-reading', reason: 'removed' }
        : { path, code: 'unreadable', reason: 'undecoded' };
    case 'ELOOP':
    case 'EMLINK':
      return { path, code: 'changed-while-reading', reason: 'link' };
    case 'ENOTDIR':
    case 'ENXIO':
      return { path, code: 'changed-while-reading', reason: 'other' };
    case 'EACCES':
    case 'EPERM':
      return { path, code: 'unreadable', reason: 'denied' };
    case 'ENAMETOOLONG':
      return { path, code: 'unreadable', reason: 'too-long' };
    default:
      return { path, code: 'unreadable', reason: 'system', detail: code ?? message };
  }
}
