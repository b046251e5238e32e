import stringWidth from 'string-width';
import { splitHidden } from '../text/escape.ts';

/** The part of a source line that is shown, and where in it the value stands, in columns of a terminal. */
export interface Frame {
  readonly text: string;
  /** Columns before the value. */
  readonly indent: number;
  /** Columns of the value, at least 1. */
  readonly width: number;
}

/** Where a line stands in a text, without its line break. */
export interface LineRange {
  readonly start: number;
  readonly end: number;
}

interface Cell {
  /** Offset in the line, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly width: number;
}

/** How far around a value a line is looked at, in UTF-16 units: more than 80 columns of the longest emoji. */
const REACH = 1000;
/** Columns of what stands before a value that are shown however long the value is. */
const KEY = 20;
const TAB = '    ';

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * Finds 1-based lines of texts. It goes on from the line before, so that asking for rising lines of one text after another
 * takes linear time in all; undefined where the text has no such line.
 */
export function createLineFinder(): (source: string, line: number) => LineRange | undefined {
  let source: string | undefined;
  let line = 0;
  let start = 0;
  let end = 0;
  return (wantedSource, wantedLine) => {
    if (wantedSource !== source || wantedLine < line) {
      source = wantedSource;
      line = 1;
      start = 0;
      end = findBreak(source, 0);
    }
    while (line < wantedLine && end < source.length) {
      line++;
      start = end + 1;
      end = findBreak(source, start);
    }
    if (line !== wantedLine) return undefined;
    return { start, end: end > start && source[end - 1] === '\r' ? end - 1 : end };
  };
}

/**
 * Cuts a line to `columns` around a value. Tabs become four spaces, hidden characters are escaped.
 * @param column 0-based, in UTF-16 units; what lies behind the end of the line counts as its end
 */
export function cutFrame(source: string, line: LineRange, column: number, length: number, columns: number): Frame {
  const at = Math.min(column, line.end - line.start);
  const from = skipLow(source, Math.max(line.start, line.start + at - REACH));
  const to = skipLow(source, Math.min(line.end, line.start + at + REACH));
  const slice = source.slice(from, to);
  const cellAt = createCellFinder(slice);
  const begin = line.start + at - from;

  const value = collect(begin, (cell) => cell.start < begin + length);
  const first = value[0]?.start ?? begin;
  const behind = collect(value.at(-1)?.end ?? begin, () => true);
  const before: Cell[] = [];
  for (let next = first, room = columns; next > 0 && room > 0; ) {
    const cell = cellAt(next - 1);
    before.push(cell);
    next = cell.start;
    room -= cell.width;
  }
  const opened = (before.at(-1)?.start ?? first) > 0 || from > line.start;
  const last = behind.at(-1) ?? value.at(-1);
  const closed = (last?.end ?? begin) < slice.length || to < line.end;

  const valueWidth = Math.max(1, sumWidths(value));
  const beforeWidth = sumWidths(before);
  const behindWidth = sumWidths(behind);
  let roomBefore = columns;
  let roomBehind = columns;
  let roomValue = columns;
  if (opened || closed || beforeWidth + valueWidth + behindWidth > columns) {
    // The value first, after enough of its key; then both sides alike. What one side does not need goes to the other.
    const key = Math.min(beforeWidth, KEY);
    roomValue = Math.min(valueWidth, columns - key - 2);
    const rest = columns - roomValue;
    roomBefore = Math.max(key, rest >> 1);
    roomBehind = rest - roomBefore;
    if (!opened && beforeWidth < roomBefore) {
      roomBehind += roomBefore - beforeWidth;
      roomBefore = beforeWidth;
    } else if (!closed && behindWidth < roomBehind) {
      roomBefore += roomBehind - behindWidth;
      roomBehind = behindWidth;
    }
  }
  const left = takeCells(before, roomBefore, opened);
  const middle = takeCells(value, roomValue, false);
  const right = middle.cut ? { cells: [], cut: true } : takeCells(behind, roomBehind, closed);
  const text = [
    left.cut ? '…' : '',
    ...left.cells.reverse().map((cell) => cell.text),
    ...middle.cells.map((cell) => cell.text),
    ...right.cells.map((cell) => cell.text),
    right.cut ? '…' : '',
  ].join('');
  return {
    text: text.trimEnd(),
    indent: sumWidths(left.cells) + (left.cut ? 1 : 0),
    width: Math.max(1, sumWidths(middle.cells)),
  };

  function collect(start: number, wanted: (cell: Cell) => boolean): Cell[] {
    const cells: Cell[] = [];
    for (let next = start, room = columns; next < slice.length && room >= 0; ) {
      const cell = cellAt(next);
      if (!wanted(cell)) break;
      cells.push(cell);
      next = cell.end;
      room -= cell.width;
    }
    return cells;
  }
}

/** The nearest cells that fit, with a column left for the mark where something is cut off. */
function takeCells(cells: readonly Cell[], room: number, more: boolean): { cells: Cell[]; cut: boolean } {
  const cut = more || sumWidths(cells) > room;
  const fitting: Cell[] = [];
  let left = cut ? room - 1 : room;
  for (const cell of cells) {
    if (cell.width > left) break;
    fitting.push(cell);
    left -= cell.width;
  }
  return { cells: fitting, cut };
}

function createCellFinder(slice: string): (at: number) => Cell {
  let segments: Intl.Segments | undefined;
  let cluster: readonly Cell[] = [];
  return (at) => {
    if (slice[at] === '[' && slice.startsWith('##', at - 2)) return toCell(at, at + 1, '\\u{5b}');
    // Printable ASCII between neighbours that cannot join it is a cell of its own: most of the text needs no segmenter.
    if (isAscii(slice.charCodeAt(at)) && !canJoin(slice.charCodeAt(at - 1)) && !canJoin(slice.charCodeAt(at + 1))) {
      return { start: at, end: at + 1, text: slice.charAt(at), width: 1 };
    }
    const known = cluster.find((cell) => cell.start <= at && at < cell.end);
    if (known !== undefined) return known;
    segments ??= segmenter.segment(slice);
    const { segment = slice.charAt(at), index = at } = segments.containing(at) ?? {};
    cluster = toCells(segment, index);
    return cluster.find((cell) => at < cell.end) ?? toCell(at, at + 1, '');
  };
}

/** Hidden characters join what is before them: a cell each, so that a mark can point at one and thousands can be cut. */
function toCells(cluster: string, index: number): Cell[] {
  let end = index;
  return splitHidden(cluster).map(({ text, shown }) => {
    const start = end;
    end += text.length;
    return toCell(start, end, text === '\t' ? TAB : shown);
  });
}

function toCell(start: number, end: number, text: string): Cell {
  const width = stringWidth(text);
  // A mark with nothing to stand on would sit on its neighbour and leave no column to point at.
  return width > 0 ? { start, end, text, width } : { start, end, text: `◌${text}`, width: 1 };
}

function findBreak(source: string, from: number): number {
  const at = source.indexOf('\n', from);
  return at < 0 ? source.length : at;
}

function skipLow(source: string, at: number): number {
  return (source.charCodeAt(at) & 0xfc00) === 0xdc00 && (source.charCodeAt(at - 1) & 0xfc00) === 0xd800 ? at + 1 : at;
}

function isAscii(unit: number): boolean {
  return unit >= 0x20 && unit < 0x7f;
}

function canJoin(unit: number): boolean {
  return unit >= 0x300;
}

function sumWidths(cells: readonly Cell[]): number {
  return cells.reduce((sum, cell) => sum + cell.width, 0);
}
