// Changes constants so that an access leaves its buffer, a word its range, or a divisor is 0.
import { ARENA_SIZE, ITEMS } from '../amounts/layout.js';
import { withCode } from '../wasm/edit.js';
import type { Instruction, WasmModule } from '../wasm/module.js';

interface Fault {
  name: string;
  in: string;
  /** The changed constant, the instruction after it (or the one after that), and the new value. */
  value?: bigint;
  before?: RegExp;
  to?: bigint;
  /** Alternatively an instruction, and its replacement. */
  op?: [from: string, to: string];
}

export const FAULTS: readonly Fault[] = [
  {
    name: 'frame cleared beyond its end',
    in: 'menu/drawLines',
    value: 1024n,
    before: /memory.fill/,
    to: 1124n,
  },
  {
    name: 'report cleared beyond its end',
    in: 'link/Link#give',
    value: 64n,
    before: /memory.fill/,
    to: 65n,
  },
  {
    name: 'command longer than its buffer',
    in: 'index/report',
    value: 261n,
    before: /le_s|gt_s|lt_s|ge_s/,
    to: 361n,
  },
  { name: 'more bytes copied than a report has', in: 'index/report', value: 64n, before: /./, to: 80n },
  { name: 'more bytes hashed than the rate', in: 'sha3Update', value: 136n, before: /i32.(eq|ne)/, to: 300n },
  {
    name: 'more values than the arena holds',
    in: 'putDecimal',
    value: BigInt(ARENA_SIZE),
    before: /i32.(eq|ne)/,
    to: BigInt(ARENA_SIZE + 1000),
  },
  {
    name: 'more items than there is room for',
    in: 'describeTransaction',
    value: BigInt(ITEMS),
    before: /i32.(eq|ne)/,
    to: BigInt(ITEMS + 20),
  },
  {
    name: 'transactions longer than the upload',
    in: 'answerTransactionHeader',
    value: 2048n,
    before: /_u/,
    to: 4096n,
  },
  { name: 'messages longer than the upload', in: 'commands/answer', value: 2048n, before: /_u/, to: 8192n },
  { name: 'a chunk beyond the upload', in: 'receiveChunk', op: ['i32.sub', 'i32.add'] },
  { name: 'a loop without an end', in: 'menu/drawLines', value: 1n, before: /i32.add/, to: 0n },
  { name: 'division by 0', in: 'putDecimal', value: 10n, before: /i64.(div|rem)_u/, to: 0n },
  { name: 'day divided by 0', in: 'putTime', value: 86400n, before: /i64.(div|rem)_u/, to: 0n },
];

/** A copy of the module with the fault in each matching place. */
export function plant(module: WasmModule, fault: Fault): WasmModule {
  const index = module.functions.findIndex(({ name }) => name === fault.in || name.endsWith(`/${fault.in}`));
  if (index < 0) throw new Error(`the module has no function ${fault.in}`);
  let planted = 0;
  const code = module.functions[index]!.code.map((each, at, all): Instruction => {
    const { value, before, to, op } = fault;
    const isConstant =
      each.op.endsWith('.const') && each.value === value && before?.test(all[at + 1]?.op ?? '');
    if (!isConstant && each.op !== op?.[0]) return each;
    planted++;
    return isConstant ? { ...each, value: to ?? 0n } : { ...each, op: op![1] };
  });
  if (planted === 0) throw new Error(`the fault "${fault.name}" matches no instruction in ${fault.in}`);
  return withCode(module, index, code);
}
