/** Titles and values in two columns; further lines of a value are indented under its first. */
export function formatTable(rows: readonly (readonly [title: string, value: string])[], indent = ''): string {
  const width = Math.max(0, ...rows.map(([title]) => title.length));
  return rows
    .flatMap(([title, value]) =>
      value.split('\n').map((line, at) => `${indent}${(at === 0 ? title : '').padEnd(width)}  ${line}`),
    )
    .join('\n');
}

/** A row of titles and rows of cells, each column as wide as its widest cell; `empty` when there are no rows. */
export function formatColumns(
  titles: readonly string[],
  rows: readonly (readonly string[])[],
  empty: string,
): string {
  if (rows.length === 0) {
    return empty;
  }
  const lines = [titles, ...rows];
  const widths = titles.map((_, column) => Math.max(...lines.map(cells => cells[column]?.length ?? 0)));
  return lines
    .map(cells => cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
    .map(line => line.trimEnd())
    .join('\n');
}
