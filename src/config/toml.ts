import { parse, TomlError } from 'smol-toml';
import { CommandError, EXIT } from '../error.ts';
import { escapeQuoted } from '../text/escape.ts';
import type { Value } from './host.ts';
import type { Syntax, Wanted } from './merge.ts';

/** TOML, where a server is a table of its own: `[mcp_servers.skills]`. Nothing keeps the comments of TOML, so a table is only added. */
export const toml: Syntax = { print, parse: read, add };

function read(text: string): Record<string, unknown> {
  try {
    return parse(text, { integersAsBigInt: true });
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const message = error.message.replace(/^Invalid TOML document: /, '').split('\n', 1)[0] ?? '';
    throw new CommandError(EXIT.failure, message, { at: { line: error.line, column: error.column }, cause: error });
  }
}

function add(text: string, wanted: Wanted): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const gap = text.endsWith('\n') ? eol : eol + eol;
  return text + (/\n\r?\n$/.test(text) ? '' : gap) + print(wanted).replaceAll('\n', eol);
}

function print({ container, name, entry }: Wanted): string {
  const lines = Object.entries(entry).map(([key, value]) => `${key} = ${printValue(value)}`);
  return [`[${container}.${name}]`, ...lines, ''].join('\n');
}

function printValue(value: Value): string {
  // A JSON string is a TOML basic string, but for DEL, which is escaped as well.
  if (typeof value === 'string') return escapeQuoted(JSON.stringify(value));
  if (Array.isArray(value)) return `[${value.map(printValue).join(', ')}]`;
  if (typeof value !== 'object') return String(value);
  return `{ ${Object.entries(value)
    .map(([key, inner]) => `${/^[\w-]+$/.test(key) ? key : printValue(key)} = ${printValue(inner)}`)
    .join(', ')} }`;
}
