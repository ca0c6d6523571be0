const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const MORE = 32;

/** A version 3 source map of a single generated line, like those of WebAssembly. */
export interface SourceMap {
  sources: string[];
  mappings: string;
}

/** Lines count from 1. */
export interface SourceLine {
  source: string;
  line: number;
}

/** The source of an instruction; columns count from 0. */
export interface SourcePlace extends SourceLine {
  column: number;
}

interface Segment {
  /** Offset in the module. */
  offset: number;
  /** Absent if the compiler generated the instruction without a source. */
  at?: SourcePlace;
}

/** Finds source lines by offsets in a module. */
export class SourceLines {
  readonly #segments: Segment[];

  constructor(map: SourceMap) {
    this.#segments = readSegments(map);
  }

  /**
   * The source of the instruction at an offset: the source of the last segment that begins at or before it.
   */
  at(offset: number): SourcePlace | undefined {
    let [low, high] = [0, this.#segments.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#segments[middle]!.offset <= offset) low = middle + 1;
      else high = middle;
    }
    return this.#segments[low - 1]?.at;
  }
}

function readSegments({ sources, mappings }: SourceMap): Segment[] {
  let [offset, source, line, column] = [0, 0, 0, 0];
  return mappings.split(',').map(text => {
    const [bytes = 0, files = 0, lines = 0, columns] = readNumbers(text);
    offset += bytes;
    if (columns === undefined) return { offset };
    source += files;
    line += lines;
    column += columns;
    return { offset, at: { source: sources[source] ?? '', line: line + 1, column } };
  });
}

/** Each base64 digit holds 5 bits of a number, the lowest first. The lowest bit of a number is its sign. */
function readNumbers(text: string): number[] {
  const numbers: number[] = [];
  let [value, shift] = [0, 0];
  for (const character of text) {
    const digit = DIGITS.indexOf(character);
    value += (digit & (MORE - 1)) << shift;
    shift += 5;
    if (digit & MORE) continue;
    numbers.push(value & 1 ? -(value >> 1) : value >> 1);
    [value, shift] = [0, 0];
  }
  return numbers;
}
