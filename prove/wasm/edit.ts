// Copies of the module with changed code, for the controls of proofs.
import { functionIndex, type Instruction, type WasmModule } from './module.js';

export const instruction = (op: string, value = 0): Instruction => ({
  ...{ op, index: value, value: BigInt(value), offset: 0 },
  ...{ end: -1, otherwise: -1, arity: 0, labels: [] },
});

/** A call of one function by another, its number, and the number of instructions before it. */
export type Place = [caller: string, called: string, time: number, before: number];

/** Replaces a number of instructions of a function by others. */
export function edit(module: WasmModule, place: Place, replaced: number, by: Instruction[]): WasmModule {
  const [caller, called, time, before] = place;
  const [index, callee] = [caller, called].map(name => functionIndex(module, name)) as [number, number];
  const { code } = module.functions[index]!;
  const calls = code.flatMap((each, at) => (each.op === 'call' && each.index === callee ? [at] : []));
  const start = calls[time]! - before;
  const moved = (at: number) => (at > start ? at + by.length - replaced : at);
  const changed = [...code.slice(0, start), ...by, ...code.slice(start + replaced)].map(each => ({
    ...each,
    end: moved(each.end),
    otherwise: moved(each.otherwise),
  }));
  return withCode(module, index, changed);
}

/** Returns a copy with other code for a function. */
export function withCode(module: WasmModule, index: number, code: Instruction[]): WasmModule {
  const functions = module.functions.with(index, { ...module.functions[index]!, code });
  return { ...module, functions };
}

/** A constant of a function, and the following instruction. */
export interface Constant extends Pick<Instruction, 'op' | 'value'> {
  at: number;
  next: string;
  /** Returns a copy of the module in which the constant is increased by one. */
  raised: () => WasmModule;
}

export function constantsOf(module: WasmModule, name: string): Constant[] {
  const index = functionIndex(module, name);
  const { code } = module.functions[index]!;
  return code.flatMap((each, at) => {
    const { op, value } = each;
    if (!op.endsWith('.const')) return [];
    const raised = () => withCode(module, index, code.with(at, { ...each, value: value + 1n }));
    return [{ op, value, at, next: code[at + 1]?.op ?? '', raised }];
  });
}
