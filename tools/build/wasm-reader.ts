/** Reads a WebAssembly binary from its start; throws a RangeError at its end. */
export class WasmReader {
  #position = 0;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get atEnd(): boolean {
    return this.#position >= this.#bytes.length;
  }

  byte(): number {
    const value = this.#bytes[this.#position++];
    if (value === undefined) throw new RangeError('the WebAssembly module ends too early');
    return value;
  }

  take(length: number): Uint8Array {
    if (this.#position + length > this.#bytes.length)
      throw new RangeError('the WebAssembly module ends too early');
    return this.#bytes.subarray(this.#position, (this.#position += length));
  }

  /** Reads an unsigned LEB128 number of up to 32 bits. */
  unsigned(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.byte();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
  }

  /** Reads a signed LEB128 number of up to 64 bits. */
  signed(): bigint {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = this.byte();
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asIntN(Number(shift) + 7, value);
    }
  }

  name(): string {
    return new TextDecoder().decode(this.take(this.unsigned()));
  }

  /** Reads the length of a list, and then its items. */
  list<Item>(item: () => Item): Item[] {
    return Array.from({ length: this.unsigned() }, item);
  }
}

interface Section {
  id: number;
  content: Uint8Array;
}

const HEADER = Uint8Array.of(0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00);

/** Returns the sections of a module in order; throws a TypeError if the bytes are not a module. */
export function sectionsOf(wasm: Uint8Array): Section[] {
  const reader = new WasmReader(wasm);
  const header = reader.take(HEADER.length);
  if (HEADER.some((byte, i) => byte !== header[i])) throw new TypeError('this is not a WebAssembly module');
  const sections: Section[] = [];
  while (!reader.atEnd) sections.push({ id: reader.byte(), content: reader.take(reader.unsigned()) });
  return sections;
}

export function lengthOf(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...lengthOf(value >> 7)];
}

/** Returns a module with these sections. */
export function joinSections(sections: readonly Section[]): Buffer {
  const parts = sections.flatMap(({ id, content }) => [
    Uint8Array.of(id, ...lengthOf(content.length)),
    content,
  ]);
  return Buffer.concat([HEADER, ...parts]);
}
