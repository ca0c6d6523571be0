// The firmware keeps some of its state in globals of its module, which can be read only if they are exported.

export const GLOBAL_PREFIX = 'zbc-global-';

const HEADER_LENGTH = 8;
const GLOBALS = 6;
const EXPORTS = 7;
const GLOBAL_KIND = 3;

/** Returns the module with its globals exported, so that its whole state can be saved. */
export function exportGlobals(wasm: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [wasm.subarray(0, HEADER_LENGTH)];
  let count = 0;
  for (let at = HEADER_LENGTH; at < wasm.length; ) {
    const id = wasm[at]!;
    const [length, start] = readUnsigned(wasm, at + 1);
    const content = wasm.subarray(start, start + length);
    if (id === GLOBALS) [count] = readUnsigned(content, 0);
    parts.push(id === EXPORTS ? section(id, addExports(content, count)) : wasm.subarray(at, start + length));
    at = start + length;
  }
  return Buffer.concat(parts);
}

/** The number of globals is known, because in a module the globals precede the exports. */
function addExports(content: Uint8Array, globals: number): Uint8Array {
  const [count, start] = readUnsigned(content, 0);
  const added = Array.from({ length: globals }, (_, index) => {
    const name = Buffer.from(`${GLOBAL_PREFIX}${index}`);
    return Buffer.from([name.length, ...name, GLOBAL_KIND, ...unsigned(index)]);
  });
  return Buffer.concat([Buffer.from(unsigned(count + globals)), content.subarray(start), ...added]);
}

function section(id: number, content: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from([id, ...unsigned(content.length)]), content]);
}

/** Encodes a number as LEB128. */
function unsigned(value: number): number[] {
  const bytes: number[] = [];
  for (; value >= 128; value = Math.floor(value / 128)) bytes.push((value & 127) | 128);
  return [...bytes, value];
}

/** Returns the value and the offset after it. */
function readUnsigned(bytes: Uint8Array, from: number): [value: number, next: number] {
  let value = 0;
  let at = from;
  for (let scale = 1; ; scale *= 128) {
    const byte = bytes[at++] ?? 0;
    value += (byte & 127) * scale;
    if (byte < 128) return [value, at];
  }
}
