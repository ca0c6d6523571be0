// The firmware keeps some of its state in globals of its module, which can be read only if they are exported.
import { encodeUnsigned, ModuleReader } from '../module-reader.js';

const GLOBAL_PREFIX = 'zbc-global-';

const HEADER_LENGTH = 8;
const GLOBALS = 6;
const EXPORTS = 7;
const GLOBAL_KIND = 3;

/** Returns the module with its globals exported, so that its whole state can be saved. */
export function exportGlobals(wasm: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [wasm.subarray(0, HEADER_LENGTH)];
  const reader = new ModuleReader(wasm, HEADER_LENGTH);
  // In a module, the globals precede the exports.
  let globals = 0;
  while (!reader.atEnd) {
    const from = reader.offset;
    const id = reader.byte();
    const section = reader.part(reader.unsigned());
    if (id === GLOBALS) globals = section.unsigned();
    if (id !== EXPORTS) {
      parts.push(wasm.subarray(from, reader.offset));
      continue;
    }
    const count = encodeUnsigned(section.unsigned() + globals);
    const content = [...count, ...reader.between(section.offset, reader.offset), ...entries(globals)];
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
