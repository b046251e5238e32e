import { TRACEPARENT_META_KEY, TRACESTATE_META_KEY } from '@modelcontextprotocol/server';
import { toJsonLine } from '../text/escape.ts';

/** What is known of one request when it is over. Never its content, and never a token. */
export interface Entry {
  /** When it came, ISO 8601. */
  time: string;
  verb: string;
  /** The path, without a query. */
  path: string;
  status: number;
  /** Bytes of the answer's body, as sent. */
  bytes: number;
  duration_ms: number;
  /** The JSON-RPC method; for a batch `batch`. */
  method?: string;
  /** The tool or the prompt. */
  name?: string;
  /** The path of the skill where there is such a skill, else what was asked for. */
  skill?: string;
  /** Paths of files in the skill that a tool was asked for. */
  files?: string[];
  uri?: string;
  /** The JSON-RPC error code of the answer. */
  error?: number;
  /** The name of the token, or `oauth:` and the subject of the access token. */
  token?: string;
  /** Why the request was refused, or its answer broken off. */
  refused?: string;
  /** The client went away before it had its answer. */
  aborted?: true;
  traceparent?: string;
  tracestate?: string;
}

export interface Log {
  request(entry: Entry): void;
  /** A line that is about no request. */
  note(level: 'info' | 'error', message: string): void;
  /** What should not have happened, with its stack. */
  failure(error: unknown): void;
  /** Says how many lines were dropped, where no later line did. */
  end(): void;
}

/** W3C Trace Context section 3.2.2, version 00. */
const TRACEPARENT = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;
const TRACESTATE = /^[\x20-\x7e]{1,512}$/;

/** Where the log goes; `writableLength` is what nobody has taken yet. */
export interface LogStream {
  write(text: string): unknown;
  readonly writableLength?: number;
}

/** What may wait for a slow reader; lines above it are dropped. */
const MAX_WAITING = 1024 * 1024;

/** Writes a line a request: JSON for machines, words for people, or nothing. */
export function createLog(format: 'text' | 'json' | 'off', stderr: LogStream, now: () => number): Log {
  let dropped = 0;
  const isFull = () => (stderr.writableLength ?? 0) > MAX_WAITING;
  const write = (line: string) => {
    if (isFull()) {
      dropped += 1;
      return;
    }
    end();
    stderr.write(`${line}\n`);
  };
  const end = () => {
    const lost = dropped;
    if (lost === 0 || isFull()) return;
    dropped = 0;
    note('error', `${lost} ${lost === 1 ? 'line was' : 'lines were'} dropped here: what reads this log is too slow`);
  };
  const note: Log['note'] = (level, message) => {
    if (format === 'json') write(toJsonLine({ time: new Date(now()).toISOString(), level, message }));
    else if (format === 'text' || level === 'error') write(toPlain(message));
  };
  return {
    note,
    end,
    failure: (error) => note('error', error instanceof Error ? (error.stack ?? error.message) : String(error)),
    request(entry) {
      if (format === 'json') write(toJsonLine(entry));
      else if (format === 'text') write(toLine(entry));
    },
  };
}

/**
 * Reads the trace context of a JSON-RPC message's `_meta` (the base protocol's reserved keys; a malformed one is left out, as W3C Trace
 * Context asks).
 */
export function readTrace(message: unknown): Pick<Entry, 'traceparent' | 'tracestate'> {
  const meta = toObject(toObject(toObject(message)['params'])['_meta']);
  const traceparent = meta[TRACEPARENT_META_KEY];
  const tracestate = meta[TRACESTATE_META_KEY];
  if (typeof traceparent !== 'string' || !TRACEPARENT.test(traceparent)) return {};
  return { traceparent, ...(typeof tracestate === 'string' && TRACESTATE.test(tracestate) && { tracestate }) };
}

function toLine(entry: Entry): string {
  const { verb, path, method, name, skill, files = [], uri } = entry;
  // the URI of a file names its skill
  const what = [verb, path, method, name, uri ?? skill, ...files].filter((part) => part !== undefined).join(' ');
  const marks = [
    entry.error !== undefined && `error ${entry.error}`,
    entry.token !== undefined && `as ${entry.token}`,
    entry.refused,
    entry.aborted && 'aborted',
    entry.traceparent !== undefined && `trace ${entry.traceparent.slice(3, 35)}`,
  ].filter((mark) => typeof mark === 'string');
  const tail = marks.length > 0 ? ` (${marks.join(', ')})` : '';
  return toPlain(`${entry.time} ${entry.status} ${what} ${entry.bytes} B ${entry.duration_ms} ms${tail}`);
}

/** A client must not be able to write lines of its own, or to move the cursor of a terminal. */
function toPlain(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\u{fffd}');
}

function toObject(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {};
}

/** Whether a parsed value is an object with keys. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
