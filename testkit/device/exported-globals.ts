// The firmware keeps some of its state in globals of its module, which can be read only if they are exported.

const GLOBAL_PREFIX = 'zbc-global-';
const GLOBALS = 6;
const EXPORTS = 7;
const GLOBAL_KIND = 3;

const HEADER_LENGTH = 8;

/** Reads an unsigned LEB128 number; returns it with the offset behind it. */
function unsignedAt(bytes: Uint8Array, at: number): [value: number, end: number] {
  let value = 0;
  for (let scale = 1; ; scale *= 128) {
    const byte = bytes[at++];
    if (byte === undefined) throw new RangeError('the module ends too early');
    value += (byte & 0x7f) * scale;
    if (byte < 0x80) return [value, at];
  }
}

function encodeUnsigned(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...encodeUnsigned(value >> 7)];
}

/** Returns the module with its globals exported, so that its whole state can be saved. */
export function exportGlobals(wasm: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [wasm.subarray(0, HEADER_LENGTH)];
  // In a module, the globals precede the exports.
  let globals = 0;
  for (let at = HEADER_LENGTH, end = at; at < wasm.length; at = end) {
    const [length, start] = unsignedAt(wasm, at + 1);
    end = start + length;
    const id = wasm[at]!;
    if (id === GLOBALS) [globals] = unsignedAt(wasm, start);
    if (id !== EXPORTS) {
      parts.push(wasm.subarray(at, end));
      continue;
    }
    const [count, first] = unsignedAt(wasm, start);
    const content = [...encodeUnsigned(count + globals), ...wasm.subarray(first, end), ...entries(globals)];
    parts.push(Buffer.from([id, ...encodeUnsigned(content.length), ...content]));
  }
  return Buffer.concat(parts);
}

function entries(globals: number): number[] {
  return Array.from({ length: globals }, (_, index) => {
    const name = Buffer.from(`${GLOBAL_PREFIX}${index}`);
    return [name.length, ...name, GLOBAL_KIND, ...encodeUnsigned(index)];
  }).flat();
}

interface Global {
  value: number | bigint;
}

/** The globals among the exports of an instance, in the order of the module. */
export function globalsOf(app: object): Global[] {
  return Object.entries(app).flatMap(([name, value]) =>
    name.startsWith(GLOBAL_PREFIX) ? [value as Global] : [],
  );
}

/** The memory of an instance up to a size, and its globals. */
export interface Image {
  memory: Uint8Array;
  globals: (number | bigint)[];
}

/** Access to the whole state of an instance of a module with exported globals. */
export class WholeState {
  readonly #globals: Global[];
  readonly #memory: Uint8Array;

  /** All memory from `size` on is 0 in each state. */
  constructor(
    app: { readonly memory: WebAssembly.Memory },
    private readonly size: number,
  ) {
    this.#globals = globalsOf(app);
    this.#memory = new Uint8Array(app.memory.buffer);
  }

  get globals(): (number | bigint)[] {
    return this.#globals.map(({ value }) => value);
  }

  set globals(values: readonly (number | bigint)[]) {
    for (const [i, value] of values.entries()) this.#globals[i]!.value = value;
  }

  save(): Image {
    return { memory: this.#memory.slice(0, this.size), globals: this.globals };
  }

  restore({ memory, globals }: Image): void {
    this.#memory.fill(0, this.size);
    this.#memory.set(memory);
    this.globals = globals;
  }
}
