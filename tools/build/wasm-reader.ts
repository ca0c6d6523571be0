/** Reads a WebAssembly binary front to back; throws a RangeError at its end. */
export class WasmReader {
  private position = 0;
  private readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  /** How many bytes have been read. */
  get offset(): number {
    return this.position;
  }

  get atEnd(): boolean {
    return this.position >= this.bytes.length;
  }

  byte(): number {
    const value = this.bytes[this.position++];
    if (value === undefined) throw new RangeError('the WebAssembly module ends too early');
    return value;
  }

  take(length: number): Uint8Array {
    if (this.position + length > this.bytes.length)
      throw new RangeError('the WebAssembly module ends too early');
    return this.bytes.subarray(this.position, (this.position += length));
  }

  /** An unsigned LEB128 number of up to 32 bits. */
  unsigned(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.byte();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
  }

  /** A signed LEB128 number of up to 64 bits. */
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

  /** A length-prefixed list. */
  list<Item>(item: () => Item): Item[] {
    return Array.from({ length: this.unsigned() }, item);
  }
}
