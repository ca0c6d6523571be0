/** Titles and values in two columns; further lines of a value are indented under its first. */
export function formatTable(rows: readonly (readonly [title: string, value: string])[], indent = ''): string {
  const width = Math.max(0, ...rows.map(([title]) => title.length));
  return rows
    .flatMap(([title, value]) =>
      value.split('\n').map((line, at) => `${indent}${(at === 0 ? title : '').padEnd(width)}  ${line}`),
    )
    .join('\n');
}
