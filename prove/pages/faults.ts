// Copies of the module with one constant of drawing, paging, hexadecimal or addresses changed.
import { functionIndex, type Instruction, type WasmModule } from '../wasm/module.js';
import { Characters } from './characters.js';
import { Drawing } from './drawing.js';

type Proof = (drawing: Drawing, characters: Characters) => void;

/** What shows that a function is right, the cheapest first; some titles and pages at first. */
const PROOFS: Record<string, Proof[]> = {
  drawRow: [drawing => drawing.proveRows()],
  'page/drawLines': [drawing => drawing.proveLines()],
  drawItemPage: [
    drawing => drawing.provePageStarts(4),
    drawing => drawing.proveTitles(drawing.titles().filter((_, i) => i % 16 === 15)),
    drawing => drawing.proveLarge(),
    drawing => drawing.provePageStarts(),
    drawing => drawing.proveTitles(),
  ],
  drawArrows: [drawing => drawing.proveArrows()],
  drawUnderTitle: [drawing => drawing.provePlainPages()],
  nextPage: [drawing => drawing.proveNextPage()],
  countPages: [drawing => drawing.proveCountPages()],
  putHex: [(_, characters) => characters.proveHexadecimal()],
  formatAddress: [(_, characters) => characters.proveAddress()],
};

interface Fault {
  place: string;
  module: WasmModule;
  proofs: readonly Proof[];
  /** It may make no difference. */
  isIdle: boolean;
}

/**
 * Constants that may make no difference: what a literal's character beyond its end would be; whether a byte
 * that no bit of a small glyph reaches is written too; the lowest bit of a cell, which is never drawn from a
 * byte's first; rows of the mark that are empty; the step through a literal of one character.
 */
function mayBeIdle(name: string, { value }: Instruction, next: string): boolean {
  if (value === -1n || (value === 255n && next === 'i32.and')) return true;
  if (name === 'drawItemPage') return value === 1n && /shl|add/.test(next);
  const isOfMark = (value === 0n && next === 'local.set') || (value === 12n && next === 'i32.lt_s');
  return name === 'page/drawLines' && (isOfMark || (value === 0xfc0000n && next === 'local.get'));
}

/** Copies in which one constant is one more. */
export function* changed(module: WasmModule): Generator<Fault> {
  for (const [name, proofs] of Object.entries(PROOFS)) {
    const index = functionIndex(module, name);
    const { code } = module.functions[index]!;
    for (const [at, each] of code.entries()) {
      if (!each.op.endsWith('.const')) continue;
      const functions = module.functions.map((one, i) =>
        i === index ? { ...one, code: one.code.with(at, { ...each, value: each.value + 1n }) } : one,
      );
      const isIdle = mayBeIdle(name, each, code[at + 1]!.op);
      yield { place: `${name}:${at}`, module: { ...module, functions }, proofs, isIdle };
    }
  }
}
