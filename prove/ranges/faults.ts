// Changes constants so that an access leaves its buffer, a word its range, or a divisor is 0.
import { ARENA_SIZE, ITEMS } from '../amounts/layout.js';
import { withCode } from '../wasm/edit.js';
import type { Instruction, WasmModule } from '../wasm/module.js';

/** A changed constant, the instruction after it (or the one after that), and the new value. */
type ChangedConstant = [value: bigint, before: RegExp, to: bigint];

/** A fault in a function: a changed constant, or an instruction and its replacement. */
type Fault = readonly [name: string, within: string, change: ChangedConstant | [from: string, to: string]];

export const FAULTS: readonly Fault[] = [
  ['frame cleared beyond its end', 'menu/drawLines', [1024n, /memory.fill/, 1124n]],
  ['report cleared beyond its end', 'link/Link#give', [64n, /memory.fill/, 65n]],
  ['command longer than its buffer', 'index/report', [261n, /le_s|gt_s|lt_s|ge_s/, 361n]],
  ['more bytes copied than a report has', 'index/report', [64n, /./, 80n]],
  ['more bytes hashed than the rate', 'sha3Update', [136n, /i32.(eq|ne)/, 300n]],
  [
    'more values than the arena holds',
    'putDecimal',
    [BigInt(ARENA_SIZE), /i32.(eq|ne)/, BigInt(ARENA_SIZE + 1000)],
  ],
  [
    'more items than there is room for',
    'describeTransaction',
    [BigInt(ITEMS), /i32.(eq|ne)/, BigInt(ITEMS + 20)],
  ],
  ['transactions longer than the upload', 'answerTransactionHeader', [2048n, /_u/, 4096n]],
  ['messages longer than the upload', 'commands/answer', [2048n, /_u/, 8192n]],
  ['a chunk beyond the upload', 'receiveChunk', ['i32.sub', 'i32.add']],
  ['a loop without an end', 'menu/drawLines', [1n, /i32.add/, 0n]],
  ['division by 0', 'putDecimal', [10n, /i64.(div|rem)_u/, 0n]],
  ['day divided by 0', 'putTime', [86400n, /i64.(div|rem)_u/, 0n]],
];

/** Returns a copy of the module with the fault in each matching place. */
export function plant(module: WasmModule, [what, within, change]: Fault): WasmModule {
  const index = module.functions.findIndex(({ name }) => name === within || name.endsWith(`/${within}`));
  if (index < 0) throw new Error(`the module has no function ${within}`);
  const [constant, op] = change.length === 3 ? [change, undefined] : [undefined, change];
  let planted = 0;
  const code = module.functions[index]!.code.map((each, at, all): Instruction => {
    const [value, before, to] = constant ?? [];
    const isConstant =
      each.op.endsWith('.const') && each.value === value && before?.test(all[at + 1]?.op ?? '');
    if (!isConstant && each.op !== op?.[0]) return each;
    planted++;
    return isConstant ? { ...each, value: to ?? 0n } : { ...each, op: op![1] };
  });
  if (planted === 0) throw new Error(`the fault "${what}" matches no instruction in ${within}`);
  return withCode(module, index, code);
}
