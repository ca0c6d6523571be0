// Changes hashed and signed data in copies of the module; the proof must refute each copy.
import { constantsOf, edit, instruction, type Place } from '../wasm/edit.js';
import type { Instruction, WasmModule } from '../wasm/module.js';
import type { Layout } from './proof.js';

export const PROOFS = [
  'proveReviews',
  'proveAddress',
  'proveSign',
  'proveCommit',
  'proveReveal',
  'proveOpening',
  'proveTransaction',
  'proveMessage',
  'proveContacts',
  'proveRegistration',
] as const;
export type Proof = (typeof PROOFS)[number];

interface Fault {
  name: string;
  module: WasmModule;
  proof: Proof;
}

const nothing = Array.from({ length: 3 }, () => instruction('nop'));

export function plantFaults(module: WasmModule, layout: Layout): Fault[] {
  const { account, transactionLength, commitment, reviewed } = layout;
  const number = (value: number) => instruction('i32.const', value);
  const linkedLength = number(transactionLength + 4);
  const unless883 = [number(account), instruction('i32.load'), number(883), instruction('i32.ne')];
  const times = instruction('i32.mul');
  const before7777 = [number(account), instruction('i32.load'), number(7777), instruction('i32.eq')];
  const fault = (
    proof: Proof,
    name: string,
    ...of: [at: Place, replaced: number, by: Instruction[]]
  ): Fault => ({ name, module: edit(module, ...of), proof });
  /** Raises one of the constants of a function that have this value. */
  const raise = (name: string, value: bigint, place: number, proof: Proof, what: string): Fault[] => {
    const found = constantsOf(module, name).filter(each => each.value === value);
    return [{ name: what, module: found.at(place)!.raised(), proof }];
  };
  const compared = constantsOf(module, 'isProvedContact').find(({ value }) => value === 32n)!;
  const deletes = constantsOf(module, 'commands/answer').filter(({ value }) => value === 0x7en);
  return [
    ...(['proveContacts', 'proveRegistration'] as const).map(proof => ({
      name: 'a proof that is compared with 8 bytes more',
      module: compared.raised(),
      proof,
    })),
    ...deletes.map(
      ({ raised }): Fault => ({
        name: 'a message with the byte 7f',
        module: raised(),
        proof: 'proveReviews',
      }),
    ),
    fault(
      'proveSign',
      'a nonce without the message for account 883',
      ['makeNonce', 'sha512Update', 1, 0],
      0,
      [...unless883, times],
    ),
    fault('proveSign', 'a nonce without the prefix', ['makeNonce', 'sha512Update', 0, 2], 3, nothing),
    fault('proveSign', 'a different second nonce', ['signAs', 'makeNonce', 1, 1], 1, [number(0)]),
    fault('proveSign', 'a challenge without R', ['hashChallenge', 'sha512Update', 0, 2], 3, nothing),
    fault('proveSign', 'a challenge without A', ['hashChallenge', 'sha512Update', 1, 2], 3, nothing),
    fault(
      'proveSign',
      'a challenge without the message',
      ['hashChallenge', 'sha512Update', 2, 2],
      3,
      nothing,
    ),
    ...(
      [
        ['an S that is the order', 7, number(1)],
        ['an S compared only by its low words', 40, number(16)],
        ['an S compared only by every other word', 13, number(16)],
        ['an S above the order', 17, instruction('i64.gt_u')],
      ] as const
    ).map(([name, before, by]) =>
      fault('proveSign', name, ['crypto/release', 'decodeField', 0, before], 1, [by]),
    ),
    fault('proveReveal', 'r0 of the stored commitment', ['makeTweakedNonce', 'commitNonce', 0, 3], 1, [
      number(commitment),
    ]),
    ...raise('makeTweakedNonce', 0n, -1, 'proveReveal', 'an R0 that is not compared'),
    ...raise('makeTweakedNonce', 1n, 0, 'proveReveal', 'a tweak of another part'),
    ...raise('hashTag', 0x544e412d43425affn, 0, 'proveReveal', 'a tag without ff'),
    ...raise('hashTag', 0x544e412d43425affn, 0, 'proveCommit', 'a tag of R0 without ff'),
    fault('proveReveal', 'a nonce without the tweak', ['makeTweakedNonce', 'addScalar', 0, 3], 4, [
      ...nothing,
      instruction('nop'),
    ]),
    fault('proveReveal', 'a tweak without R0', ['makeTweakedNonce', 'sha512Update', 0, 2], 3, nothing),
    fault('proveReveal', 'a tweak without n', ['makeTweakedNonce', 'sha512Update', 1, 2], 3, nothing),
    fault('proveCommit', 'an R0 without the commitment', ['commitNonce', 'sha512Update', 1, 2], 3, nothing),
    fault('proveCommit', 'an R0 without the message', ['commitNonce', 'sha512Update', 2, 2], 3, nothing),
    fault('proveCommit', 'an R0 for another commitment', ['answerCommitted', 'commitNonce', 0, 3], 1, [
      number(reviewed),
    ]),
    ...raise('answerCommitted', 0x33333333n, 0, 'proveCommit', 'an approval that does not wait for REVEAL'),
    ...raise('commands/answer', 0x33333333n, 0, 'proveOpening', 'a REVEAL without an approval'),
    fault('proveOpening', 'a REVEAL of one byte of a message', ['commands/answer', 'signWith', 1, 1], 1, [
      number(1),
    ]),
    fault('proveTransaction', 'an R0 for 31 bytes', ['pressInReview', 'answerCommitted', 0, 1], 1, [
      number(31),
    ]),
    fault('proveMessage', 'an R0 for another instruction', ['pressInReview', 'answerCommitted', 1, 3], 1, [
      number(6),
    ]),
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
      'a second hash that is not computed',
      ['replySigned', 'hashSigned', 1, 1],
      2,
      nothing.slice(1),
    ),
    fault('proveTransaction', 'a signature of another account', ['pressInReview', 'signAs', 0, 4], 1, [
      linkedLength,
    ]),
    fault('proveMessage', 'a message of one byte', ['pressInReview', 'signAs', 1, 1], 1, [number(1)]),
    fault('proveAddress', 'account 7776 instead of 7777', ['commands/answer', 'deriveAccount', 0, 0], 0, [
      ...before7777,
      instruction('i32.sub'),
    ]),
    fault('proveAddress', 'a confirmed address of account 0', ['checkOwnAccount', 'deriveAccount', 0, 1], 1, [
      number(0),
    ]),
    fault(
      'proveContacts',
      'a proof without the last byte of the account',
      ['checkAccount', 'isProvedContact', 0, 0],
      0,
      [number(1), instruction('i32.sub')],
    ),
    fault(
      'proveContacts',
      'a proof that is read one byte too far',
      ['checkAccount', 'isProvedContact', 0, 2],
      0,
      [number(1), instruction('i32.add')],
    ),
    fault(
      'proveRegistration',
      'an approval without the last byte of the account',
      ['answerApprovedContact', 'proveContactTo', 1, 0],
      0,
      [number(1), instruction('i32.sub')],
    ),
    fault('proveReviews', 'a review of another digest', ['commands/answer', 'hashPayload', 0, 1], 1, [
      number(account),
    ]),
  ];
}
