const SIZE = { font: 14, line: 20, column: 8.43, edge: 20, bar: 34 };

const COLORS = { back: '#10141c', bar: '#1c2330', text: '#d6dde8', prompt: '#7ee2a8', call: '#8ab4ff' };

/** A terminal window that shows these lines. */
export function toSvg(lines: readonly string[], title: string): string {
  const columns = Math.max(...lines.map((line) => line.length));
  const width = Math.ceil(columns * SIZE.column + 2 * SIZE.edge);
  const height = SIZE.bar + 2 * SIZE.edge + (lines.length - 1) * SIZE.line;
  const dots = ['#ff5f57', '#febc2e', '#28c840'].map(
    (color, index) => `<circle cx="${20 + index * 18}" cy="17" r="6" fill="${color}"/>`,
  );
  const rows = lines.flatMap((line, index) => {
    if (line === '') return [];
    const y = SIZE.bar + SIZE.edge + 4 + index * SIZE.line;
    return [`<text x="${SIZE.edge}" y="${y}" xml:space="preserve">${toSpans(line)}</text>`];
  });
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    `<title>${toXml(title)}</title>`,
    `<rect width="${width}" height="${height}" rx="8" fill="${COLORS.back}"/>`,
    `<path d="M0 ${SIZE.bar}V8a8 8 0 0 1 8-8H${width - 8}a8 8 0 0 1 8 8v${SIZE.bar - 8}z" fill="${COLORS.bar}"/>`,
    ...dots,
    `<g font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace" font-size="${SIZE.font}" fill="${COLORS.text}">`,
    ...rows,
    '</g>',
    '</svg>',
  ].join('\n')}\n`;
}

/** What a person types is bold behind a green prompt; what the host does by itself has a color of its own. */
function toSpans(line: string): string {
  const typed = /^\$ (.*)$/.exec(line)?.[1];
  if (typed !== undefined) {
    return `<tspan fill="${COLORS.prompt}">$ </tspan><tspan font-weight="bold">${toXml(typed)}</tspan>`;
  }
  return line.includes('skill_') ? `<tspan fill="${COLORS.call}">${toXml(line)}</tspan>` : toXml(line);
}

function toXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
