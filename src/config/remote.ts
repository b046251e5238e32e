import { CommandError, EXIT } from '../error.ts';

/** A server over HTTP, as a host is to reach it. */
export interface Remote {
  url: string;
  headers: { readonly [name: string]: string };
}

/** A token (RFC 9110 section 5.6.2), and what may be in a field value: no control but a tab. */
const HEADER = /^([!#$%&'*+.^_`|~0-9a-z-]+):[ \t]*([^\0-\x08\x0a-\x1f\x7f]*?)[ \t]*$/i;

/** Reads an address and headers as they are typed, `Name: value`. Throws a CommandError for what no host could use. */
export function toRemote(url: string, headers: readonly string[]): Remote {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol)) {
    throw new CommandError(
      EXIT.usage,
      `"${url}" is not the address of a server: write one like https://skills.example.com/mcp`,
    );
  }
  if (parsed.username !== '' || parsed.password !== '') {
    throw new CommandError(
      EXIT.usage,
      `leave the user out of the address, and write --header 'Authorization: Basic …'`,
    );
  }
  const named = new Map<string, [string, string]>();
  for (const header of headers) {
    const [, name = '', value = ''] = HEADER.exec(header) ?? [];
    if (value === '') throw new CommandError(EXIT.usage, `"${header}" is not a header: write 'Name: value'`);
    // what no client could send
    const wide = /[^\0-\xff]/u.exec(value)?.[0];
    if (wide !== undefined) throw new CommandError(EXIT.usage, `"${header}": a header cannot contain "${wide}"`);
    if (named.has(name.toLowerCase())) throw new CommandError(EXIT.usage, `the header "${name}" is given twice`);
    named.set(name.toLowerCase(), [name, value]);
  }
  return { url, headers: Object.fromEntries(named.values()) };
}

/** What a person should know of an address before a host uses it. */
export function describeRemote({ url, headers }: Remote): string[] {
  const { protocol, hostname, pathname } = new URL(url);
  const isLocal = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
  const isOpen = protocol === 'http:' && !isLocal && Object.keys(headers).length > 0;
  return [
    ...(isOpen ? ['http does not encrypt the headers: use https'] : []),
    ...(pathname === '/' ? [`mcp-server-skills answers at /mcp: did you mean ${new URL('/mcp', url)}?`] : []),
  ];
}
