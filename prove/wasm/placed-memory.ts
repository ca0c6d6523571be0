// Memory at fixed addresses, with the ranges that code may read and write, for values of any kind.
import { UnprovenClaim } from '../control.js';
import type { WasmModule } from './module.js';
import { isAllowed, type Place, sizeOf } from './places.js';

/** A function that replaces a call. */
type Stub<Value> = (parameters: number[]) => Value[];

export abstract class PlacedMemory<Value> {
  accesses = 0;
  readonly stubs = new Map<number, Stub<Value>>();

  constructor(
    protected readonly module: WasmModule,
    private readonly places: readonly Place[],
  ) {}

  /** Returns the content of memory, including parts that code may not read. */
  abstract peek(at: number, bytes: number): Value;
  /** Writes memory for a proof. */
  abstract put(at: number, bytes: number, value: Value): void;
  /** Writes adjacent values of this many bytes each. */
  putAll(at: number, bytes: number, values: readonly Value[]): void {
    for (const [i, value] of values.entries()) this.put(at + i * bytes, bytes, value);
  }

  /** Returns the number of an address or a length. */
  protected abstract fixed(value: Value): number;

  call(index: number, parameters: Value[]): Value[] | undefined {
    return this.stubs.get(index)?.(parameters.map(each => this.fixed(each)));
  }

  load(op: string, address: Value, offset: number): Value {
    if (op.endsWith('_s')) throw new UnprovenClaim(`${op} is not supported`);
    return this.read(this.fixed(address) + offset, sizeOf(op));
  }

  store(op: string, address: Value, offset: number, value: Value): void {
    this.#write(this.fixed(address) + offset, sizeOf(op), value);
  }

  fill(to: Value, value: Value, length: Value): void {
    for (let i = 0; i < this.fixed(length); i++) this.#write(this.fixed(to) + i, 1, value);
  }

  copy(to: Value, from: Value, length: Value): void {
    const bytes = Array.from({ length: this.fixed(length) }, (_, i) => this.read(this.fixed(from) + i, 1));
    bytes.forEach((byte, i) => {
      this.#write(this.fixed(to) + i, 1, byte);
    });
  }

  read(at: number, bytes: number): Value {
    this.#allow(at, bytes, false);
    return this.peek(at, bytes);
  }

  #write(at: number, bytes: number, value: Value): void {
    this.#allow(at, bytes, true);
    this.put(at, bytes, value);
  }

  #allow(at: number, bytes: number, writes: boolean): void {
    this.accesses++;
    if (!isAllowed(this.places, at, bytes, writes))
      throw new UnprovenClaim(`a ${writes ? 'store' : 'load'} of ${bytes} bytes at ${at} is not allowed`);
  }
}
