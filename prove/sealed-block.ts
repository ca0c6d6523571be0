import { functionIndex, type WasmModule } from './wasm/module.js';

/** The initial checksum of firmware/assembly/sum.ts. */
const SUM_START = BigInt.asIntN(64, 0x9e3779b97f4a7c15n);

/**
 * Returns the addresses of the start and the end of the sealed state: the bounds of the loop with which
 * `drop` seals it, in copies without the check of the seal too.
 */
export function sealedBlock(module: WasmModule): [start: number, end: number] {
  const { code } = module.functions[functionIndex(module, 'drop')]!;
  const sum = code.findLastIndex(({ op, value }) => op === 'i64.const' && value === SUM_START);
  const [start, end] = code
    .slice(sum)
    .flatMap(({ op, value }) => (op === 'i32.const' ? [Number(value)] : []));
  if (sum < 0 || start === undefined || end === undefined) throw new Error('drop does not seal the state');
  return [start, end];
}
