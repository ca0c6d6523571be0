/** A row of a two-column table. */
export type Row = readonly [title: string, value: string];

/** Formats titles and values in two columns. Further lines of a value are indented under its first line. */
export function formatTable(rows: readonly Row[], indent = ''): string {
  const width = Math.max(0, ...rows.map(([title]) => title.length));
  return rows
    .flatMap(([title, value]) =>
      value.split('\n').map((line, at) => `${indent}${(at === 0 ? title : '').padEnd(width)}  ${line}`),
    )
    .join('\n');
}

/**
 * Formats titles and rows in columns that are as wide as their widest cell. `empty` replaces a table without
 * rows.
 */
export function formatColumns(
  titles: readonly string[],
  rows: readonly (readonly string[])[],
  empty: string,
): string {
  if (rows.length === 0) return empty;
  const lines = [titles, ...rows];
  const widths = titles.map((_, column) => Math.max(...lines.map(cells => cells[column]?.length ?? 0)));
  return lines
    .map(cells => cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
    .map(line => line.trimEnd())
    .join('\n');
}
