import { CoverageError } from './errors.js';

/** Reads the binary of a WebAssembly module; throws a CoverageError beyond its end. */
export class ModuleReader {
  constructor(
    private readonly bytes: Uint8Array,
    public offset = 0,
    private readonly end = bytes.length,
  ) {}

  get atEnd(): boolean {
    return this.offset >= this.end;
  }

  byte(): number {
    if (this.atEnd) throw new CoverageError('the module ends too early');
    return this.bytes[this.offset++]!;
  }

  /** A LEB128 number of up to 32 bits. */
  unsigned(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.byte();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
  }

  skipNumber(): void {
    while (this.byte() >= 0x80);
  }

  skip(length: number): void {
    this.offset += length;
  }

  /** The bytes from one offset to another. */
  between(from: number, to: number): Uint8Array {
    return this.bytes.subarray(from, to);
  }

  /** Returns a reader of the next `length` bytes. Its offsets are those in the whole module. */
  part(length: number): ModuleReader {
    const start = this.offset;
    this.skip(length);
    if (this.offset > this.end) throw new CoverageError('the module ends too early');
    return new ModuleReader(this.bytes, start, this.offset);
  }

  /** A list that begins with its length. */
  list<Item>(item: () => Item): Item[] {
    return Array.from({ length: this.unsigned() }, item);
  }
}

/** An unsigned LEB128 number. */
export function encodeUnsigned(value: number): number[] {
  const bytes: number[] = [];
  for (let rest = value; ; rest >>>= 7) {
    if (rest < 0x80) return [...bytes, rest];
    bytes.push((rest & 0x7f) | 0x80);
  }
}
