// Addresses of values, from the module's own code and the fields of its classes in the sources
// (firmware/assembly/review/items.ts). If they are misread, proofs fail.
import { functionIndex, numbersIn, type WasmModule } from '../wasm/module.js';

/** Layout of the items (firmware/assembly/review/items.ts): count, used, overflowed; 26 items; the arena. */
export const USED = 4;
export const FIRST_ITEM = 9;
export const ITEMS = 26;
export const ITEM_SIZE = 14;
/** The position in a review is in front of its items (firmware/assembly/screen/flow.ts). */
export const POSITION_SIZE = 24;
export const ITEM_LENGTH = 8;
export const ARENA_SIZE = 1040;

export interface Layout {
  items: number;
  arena: number;
  digits: number;
}

export function readLayout(module: WasmModule): Layout {
  const { code } = module.functions[functionIndex(module, 'putDecimal')]!;
  const digits = numbersIn(module, 'putDecimal').find(value => value > 5000)!;
  const at = code.findIndex(({ op }, i) => op === 'i32.const' && code[i + 1]!.op === 'i32.load');
  const items = Number(code[at]!.value) - USED;
  return { items, arena: items + FIRST_ITEM + ITEMS * ITEM_SIZE, digits };
}
