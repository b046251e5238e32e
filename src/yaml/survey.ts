import type { CST } from 'yaml';

/** What the token tree of a document holds beside its values. */
export interface Survey {
  /** Levels of nesting below the root. */
  readonly depth: number;
  /** Where the deepest level begins. */
  readonly deepest: number;
  /** Comments, anchors, tags, aliases, tabs and markers, in no particular order. */
  readonly marks: readonly Mark[];
  /** Where each `|` or `>` text ends, and where it begins. */
  readonly blockEnds: ReadonlyMap<number, number>;
  /** Colons between a list or mapping in brackets and more of the same line, such as that of `x: {{y}}: z`. */
  readonly colons: readonly number[];
}

export interface Mark {
  readonly type: CST.TokenType | 'directive';
  readonly offset: number;
  readonly source: string;
}

type Item = CST.CollectionItem;

/** Walks the tokens without recursion, since their depth is not known to be bounded yet. */
export function surveyTokens(tokens: readonly CST.Token[]): Survey {
  const marks: Mark[] = [];
  const blockEnds = new Map<number, number>();
  const colons: number[] = [];
  let depth = -1;
  let deepest = 0;
  const stack: { token: CST.Token; level: number }[] = tokens.map((token) => ({ token, level: 0 }));

  function take(list: readonly CST.Token[] | undefined): void {
    if (list === undefined) return;
    for (const token of list) if (isMark(token)) marks.push(token);
  }

  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { token, level } = next;
    switch (token.type) {
      case 'document':
        take(token.start);
        take(token.end);
        if (token.value !== undefined) stack.push({ token: token.value, level: 0 });
        break;
      case 'block-map':
      case 'block-seq':
      case 'flow-collection':
        if (level > depth) {
          depth = level;
          deepest = token.offset;
        }
        if (token.type === 'flow-collection') take(token.end);
        for (const [index, item] of (token.items as readonly Item[]).entries()) {
          const colon = item.key ? undefined : item.sep?.find(({ type }) => type === 'map-value-ind');
          if (colon !== undefined && goesOn(token.items[index - 1]?.value)) colons.push(colon.offset);
          take(item.start);
          take(item.sep);
          if (item.key) stack.push({ token: item.key, level: level + 1 });
          if (item.value) stack.push({ token: item.value, level: level + 1 });
        }
        break;
      case 'block-scalar':
        take(token.props);
        blockEnds.set(findBlockEnd(token), token.offset);
        break;
      case 'scalar':
      case 'single-quoted-scalar':
      case 'double-quoted-scalar':
        take(token.end);
        break;
      case 'alias':
        marks.push(token);
        take(token.end);
        break;
      case 'doc-end':
        marks.push(token);
        take(token.end);
        break;
      default:
        if (isMark(token)) marks.push(token);
    }
  }
  return { depth: Math.max(depth, 0), deepest, marks, blockEnds, colons };
}

/** Whether a list or mapping in brackets does not end its line. */
function goesOn(value: CST.Token | null | undefined): boolean {
  return value?.type === 'flow-collection' && value.end.every(({ type }) => type !== 'newline');
}

function isMark(token: CST.Token): token is Extract<CST.Token, Mark> {
  switch (token.type) {
    case 'comment':
    case 'anchor':
    case 'tag':
    case 'explicit-key-ind':
    case 'doc-start':
    case 'directive':
      return true;
    case 'space':
      return token.source.includes('\t');
    default:
      return false;
  }
}

function findBlockEnd(token: CST.BlockScalar): number {
  const header = token.props.at(-1);
  const start = header !== undefined && 'source' in header ? header.offset + header.source.length : token.offset;
  return start + token.source.length;
}
