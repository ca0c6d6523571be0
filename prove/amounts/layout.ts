// Finds addresses of values in the module's code, and repeats offsets of fields from
// firmware/assembly/review/items.ts. If one of them is wrong, the proofs fail.
import { functionIndex, numbersIn, type WasmModule } from '../wasm/module.js';

/**
 * Layout of a list of items (firmware/assembly/review/items.ts): the count of items, the used bytes of the
 * arena, a flag for overflow, 26 items, and the arena, which holds the text of values.
 */
export const USED = 4;
export const FIRST_ITEM = 9;
export const ITEMS = 26;
export const ITEM_SIZE = 14;
/**
 * Size of the position in a review, which precedes the items in memory (firmware/assembly/screen/flow.ts).
 */
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
