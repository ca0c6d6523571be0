// What is hashed and signed, changed in copies of the module: the proof must refute each.
import { functionIndex, type Instruction, type WasmModule } from '../wasm/module.js';
import type { Layout } from './proof.js';

export const PROOFS = ['proveReviews', 'proveSign', 'proveTransaction', 'proveMessage'] as const;
export type Proof = (typeof PROOFS)[number];

interface Fault {
  name: string;
  module: WasmModule;
  proof: Proof;
}

const instruction = (op: string, value = 0): Instruction => ({
  ...{ op, index: value, value: BigInt(value), offset: 0 },
  ...{ end: -1, otherwise: -1, arity: 0, labels: [] },
});

/** Edits the code of a function at the call of another, from what was so many instructions before it. */
function edit(
  module: WasmModule,
  [caller, called, time, before]: [caller: string, called: string, time: number, before: number],
  replaced: number,
  by: Instruction[],
): WasmModule {
  const [index, callee] = [caller, called].map(name => functionIndex(module, name)) as [number, number];
  const { code } = module.functions[index]!;
  const calls = code.flatMap((each, at) => (each.op === 'call' && each.index === callee ? [at] : []));
  const at = calls[time]! - before;
  const changed = [...code.slice(0, at), ...by, ...code.slice(at + replaced)];
  return {
    ...module,
    functions: module.functions.map((each, i) => (i === index ? { ...each, code: changed } : each)),
  };
}

const nothing = Array.from({ length: 3 }, () => instruction('nop'));

export function plantFaults(module: WasmModule, { account, transactionLength }: Layout): Fault[] {
  const number = (value: number) => instruction('i32.const', value);
  const linkedLength = number(transactionLength + 4);
  const unless883 = [number(account), instruction('i32.load'), number(883), instruction('i32.ne')];
  const times = instruction('i32.mul');
  const fault = (
    proof: Proof,
    name: string,
    ...of: [at: Parameters<typeof edit>[1], replaced: number, by: Instruction[]]
  ): Fault => ({ name, module: edit(module, ...of), proof });
  return [
    fault(
      'proveSign',
      'a nonce without the message for account 883',
      ['makeNonce', 'sha512Update', 1, 0],
      0,
      [...unless883, times],
    ),
    fault('proveSign', 'a nonce without the prefix', ['makeNonce', 'sha512Update', 0, 2], 3, nothing),
    fault('proveSign', 'another second nonce', ['crypto/sign', 'makeNonce', 1, 1], 1, [number(0)]),
    fault('proveSign', 'a challenge without R', ['hashChallenge', 'sha512Update', 0, 2], 3, nothing),
    fault('proveSign', 'a challenge without A', ['hashChallenge', 'sha512Update', 1, 2], 3, nothing),
    fault(
      'proveSign',
      'a challenge without the message',
      ['hashChallenge', 'sha512Update', 2, 2],
      3,
      nothing,
    ),
    fault('proveReviews', 'a digest without the tag', ['hashPayload', 'sha3Update', 0, 2], 3, nothing),
    fault(
      'proveReviews',
      'a digest without the genesis hash',
      ['hashPayload', 'sha3Update', 1, 2],
      3,
      nothing,
    ),
    fault('proveReviews', 'a digest of as many bytes as are linked', ['hashPayload', 'sha3Update', 2, 2], 1, [
      linkedLength,
    ]),
    fault('proveTransaction', 'a hash without the signature', ['hashSigned', 'sha3Update', 1, 2], 3, nothing),
    fault(
      'proveTransaction',
      'a second hash that is not made',
      ['releaseTransactionSignature', 'hashSigned', 1, 1],
      2,
      nothing.slice(1),
    ),
    fault('proveTransaction', 'another account', ['releaseTransactionSignature', 'signAs', 0, 4], 1, [
      linkedLength,
    ]),
    fault('proveMessage', 'a message of one byte', ['releaseMessageSignature', 'signAs', 0, 1], 1, [
      number(1),
    ]),
    fault('proveReviews', 'another digest reviewed', ['commands/answer', 'hashPayload', 0, 1], 1, [
      number(account),
    ]),
  ];
}
