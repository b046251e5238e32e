/** 1-based, in UTF-16 units. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Turns offsets into lines and columns; offsets that rise cost one pass over the text in all. */
export function toPlacer(text: string): (offset: number) => Position {
  let line = 1;
  let start = 0;
  return (offset) => {
    if (offset < start) {
      line = 1;
      start = 0;
    }
    for (let feed = text.indexOf('\n', start); feed !== -1 && feed < offset; feed = text.indexOf('\n', start)) {
      line++;
      start = feed + 1;
    }
    return { line, column: offset - start + 1 };
  };
}
