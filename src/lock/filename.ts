/** The name that a lock has by default, in the working directory. */
export const LOCK_FILE = 'mcp-skills.lock.json';
