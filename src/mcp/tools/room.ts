/** How much one answer of a tool holds where a call asks for no length of its own, in bytes. */
export interface Room {
  /** Of the text of files. */
  readonly part: number;
  /** Of the list of files beside a part of SKILL.md. */
  readonly list: number;
  /** Of a page of skills, with the sentences around it. */
  readonly page: number;
}

/** With a heading and a list of files, no host cuts it but those below: the smallest limit of all others is 20 KiB. */
const USUAL: Room = { part: 17_000, list: 1800, page: 16 * 1024 };

/** Hosts that cut earlier, by the name that their clients give themselves. */
const NARROW: Readonly<Record<string, Room>> = {
  // it makes JSON of an answer, and passes on the first and the last 4,000 characters of that
  '@cline/core': { part: 6000, list: 600, page: 7500 },
};

/** The room of an answer to a client, which may not have said its name. */
export function toRoom(client: string | undefined): Room {
  return (client !== undefined && Object.hasOwn(NARROW, client) ? NARROW[client] : undefined) ?? USUAL;
}
