import { isUtf8 } from 'node:buffer';
import type { ReadFile } from '../disk/skilltree.ts';
import { say } from '../messages/say.ts';
import { type Problem, toProblem } from '../problems.ts';
import { readLines } from '../text/position.ts';

interface Kind {
  readonly name: string;
  /** What every one of them contains: looked for first, since most files have none. */
  readonly mark: string;
  /** How each begins, as a pattern; with its mark by default. */
  readonly start?: string;
  readonly pattern: RegExp;
  /** Whether a text of the form could be one. */
  readonly isReal: (text: string) => boolean;
}

const KINDS: readonly Kind[] = [
  {
    name: 'private key',
    mark: 'PRIVATE KEY',
    start: '-----BEGIN ',
    // a header in prose or code has no key below it
    // and one that is quoted or written into code has marks before its lines
    pattern:
      /-----BEGIN (?:[A-Z0-9]+ ){0,2}PRIVATE KEY(?: BLOCK)?-----(?:\\[nr]|[^A-Za-z0-9\\]){0,40}(?:[A-Za-z-]+: [^\n]{1,200}\n[\s>]*){0,5}[A-Za-z0-9+/=]{40}/g,
    isReal: isRandom,
  },
  { name: 'AWS access key', mark: 'AKIA', pattern: /\bAKIA[A-Z2-7]{16}\b/g, isReal: isRandom },
  { name: 'AWS access key', mark: 'ASIA', pattern: /\bASIA[A-Z2-7]{16}\b/g, isReal: isRandom },
  ...['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'].map((mark) => ({
    name: 'GitHub token',
    mark,
    pattern: new RegExp(`\\b${mark}[A-Za-z0-9]{36}(?![A-Za-z0-9])`, 'g'),
    isReal: isRandom,
  })),
  {
    name: 'GitHub token',
    mark: 'github_pat_',
    pattern: /\bgithub_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}(?![A-Za-z0-9])/g,
    isReal: isRandom,
  },
  { name: 'GitLab token', mark: 'glpat-', pattern: /\bglpat-[A-Za-z0-9_-]{20,64}(?![A-Za-z0-9_-])/g, isReal: isRandom },
  { name: 'npm token', mark: 'npm_', pattern: /\bnpm_[A-Za-z0-9]{36}(?![A-Za-z0-9])/g, isReal: isRandom },
  { name: 'Google API key', mark: 'AIza', pattern: /\bAIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])/g, isReal: isRandom },
  {
    name: 'Slack token',
    mark: 'xox',
    pattern: /\bxox[abeoprs]-(?:[0-9A-Za-z]{1,64}-){1,4}[0-9A-Za-z]{10,64}(?![0-9A-Za-z-])/g,
    isReal: isRandom,
  },
  {
    name: 'API key',
    mark: 'sk-',
    pattern:
      /(?<![A-Za-z0-9_-])sk-(?:ant-[a-z0-9]{2,12}-|proj-|svcacct-|admin-|or-v1-)?[A-Za-z0-9_-]{32,200}(?![A-Za-z0-9_-])/g,
    isReal: (text) => isRandom(text) && /[0-9]/.test(text) && /[A-Za-z0-9]{20}/.test(text),
  },
  {
    name: 'Stripe key',
    mark: 'k_live_',
    start: '[rs]k_live_',
    pattern: /\b[rs]k_live_[A-Za-z0-9]{24,99}(?![A-Za-z0-9])/g,
    isReal: isRandom,
  },
  // the beginnings of a JSON object: without a blank, with one, and with a line end and one
  ...['eyJ', 'eyA', 'ewog'].map((mark) => ({
    name: 'JSON web token',
    mark,
    pattern: new RegExp(
      `(?<![A-Za-z0-9_-])${mark}[A-Za-z0-9_-]{10,1000}\\.e[yw][A-Za-z0-9_-]{11,8000}\\.[A-Za-z0-9_-]{20,2000}`,
      'g',
    ),
    isReal: isToken,
  })),
];

/** One pass instead of one for each kind. */
const ANY_MARK = new RegExp(KINDS.map(({ mark }) => mark).join('|'));

/** What is written where documentation shows the form of a secret. */
const PLACEHOLDER =
  /example|placeholder|your|dummy|fake|sample|redacted|test[-_]?key|x{5}|0{6}|12345678|a1b2c3|abcdef(?:gh|01)|\.\.\./i;
/** The payload of the token that most texts about such tokens show. */
const SHOWN_PAYLOAD = '.eyJzdWIiOiIxMjM0NTY3ODkwI';

/** How much of a secret's beginning gives it away. */
const SHOWN = 12;

/** Makes what puts a mark in the place of each character of the secrets of `source`, of their beginnings too: messages cut texts. */
export function toMask(source: string): (text: string) => string {
  const kinds = KINDS.filter(({ mark }) => source.includes(mark));
  const beginnings = new Set<string>();
  for (const { pattern, isReal } of kinds) {
    for (const [found] of source.matchAll(pattern)) if (isReal(found)) beginnings.add(found.slice(0, SHOWN));
  }
  if (beginnings.size === 0) return (text) => text;
  return (text) => {
    const whole = kinds.reduce(
      (masked, { pattern, isReal }) => masked.replace(pattern, (found) => (isReal(found) ? toMarks(found) : found)),
      text,
    );
    return maskBeginnings(whole, beginnings);
  };
}

/** What is left of secrets that were cut. Each place where one may begin is looked up, because a file may hold thousands. */
function maskBeginnings(text: string, beginnings: ReadonlySet<string>): string {
  let masked = '';
  let from = 0;
  for (const { index } of text.matchAll(START)) {
    if (index < from || !beginnings.has(text.slice(index, index + SHOWN))) continue;
    REST.lastIndex = index + SHOWN;
    REST.test(text);
    masked += text.slice(from, index) + toMarks(text.slice(index, REST.lastIndex));
    from = REST.lastIndex;
  }
  return masked + text.slice(from);
}

/** Where a secret may begin: looked ahead, because a beginning may be in another one. */
const START = new RegExp(`(?=${KINDS.map(({ start, mark }) => start ?? mark).join('|')})`, 'g');
const REST = /[A-Za-z0-9_.-]{0,20000}/y;

function toMarks(secret: string): string {
  return secret.replace(/[^\r\n]/g, '*');
}

/** Reports what looks like a secret: once per kind and file, and never the text itself. */
export function lintSecrets({ path, bytes }: ReadFile, skill: string): Problem[] {
  const text = decode(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
  const kinds = KINDS.filter(({ mark }) => text.includes(mark));
  const found = new Map<string, { start: number; end: number; count: number }>();
  for (const { name, pattern, isReal } of kinds) {
    for (const match of text.matchAll(pattern)) {
      if (!isReal(match[0])) continue;
      const known = found.get(name);
      if (known === undefined) found.set(name, { start: match.index, end: match.index + match[0].length, count: 1 });
      else known.count++;
    }
  }
  return [...found].map(([name, { start, end, count }]) => {
    const place = readLines(text).placeOf(start, end);
    return toProblem({ ...say('secret', { kind: name, count }), path, ...place, skill });
  });
}

/** The text of a file, a byte order mark included; nothing of images and the like, which most of the bytes of skills are. */
function decode(bytes: Buffer): string {
  // the marks are ASCII, so this shows them, and costs less
  const text = bytes.toString('latin1');
  if (isUtf8(bytes)) return ANY_MARK.test(text) ? bytes.toString('utf8') : '';
  const order = { '\xff\xfe': 'utf-16le', '\xfe\xff': 'utf-16be' }[text.slice(0, 2)];
  if (order !== undefined) return new TextDecoder(order, { ignoreBOM: true }).decode(bytes);
  return bytes.includes(0) ? '' : text;
}

/** Whether a text varies as random ones do, and is no placeholder. */
function isRandom(text: string): boolean {
  if (PLACEHOLDER.test(text)) return false;
  const tail = text.slice(-20);
  return new Set(tail).size >= 9;
}

function isToken(text: string): boolean {
  if (text.includes(SHOWN_PAYLOAD)) return false;
  try {
    const header: unknown = JSON.parse(Buffer.from(text.slice(0, text.indexOf('.')), 'base64url').toString());
    return typeof header === 'object' && header !== null && 'alg' in header;
  } catch {
    return false;
  }
}
