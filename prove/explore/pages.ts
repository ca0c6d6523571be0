// The pages of an item (docs/TRANSACTION.md#pages), independent of the firmware's paginator.

export interface ExpectedPage {
  title: string;
  lines: string[];
  large?: string;
}

const COLUMNS = 21;
const LINES = 4;
const SHORTEST = 11;

/** Splits text without line feeds into lines. */
function linesOf(value: string): string[] {
  const lines: string[] = [];
  let rest = value;
  while (rest.length > COLUMNS) {
    let end = COLUMNS;
    for (let at = COLUMNS; at >= SHORTEST; at--) {
      if (rest[at] === '_' || rest[at - 1] === ' ') {
        end = at;
        break;
      }
    }
    lines.push(rest.slice(0, end));
    rest = rest.slice(end);
  }
  return [...lines, rest];
}

export function pagesOf(title: string, value: string): ExpectedPage[] {
  if (title === 'Escrow decision') return [{ title, lines: [], large: value }];
  const lines = linesOf(value);
  const count = Math.ceil(lines.length / LINES);
  return Array.from({ length: count }, (_, i) => ({
    title: count === 1 ? title : `${title} (${i + 1}/${count})`,
    lines: lines.slice(LINES * i, LINES * (i + 1)),
  }));
}
