import { type Account, encodeTransaction, KIND_ZBC, NO_ACCOUNT, type Transaction } from '@zbc-signer/chain';
import { MAX_INSTRUCTION, MAX_MESSAGE } from '@zbc-signer/protocol/limits';
import { APPROVAL_ESCROW, TRANSFER_TOKEN } from '@zbc-signer/protocol/transaction-types';
import fc from 'fast-check';
import { escrowHashOf, keySized, linkedBytes, type SigningRequest } from './requests.js';
import { type SigningCase, signingCase } from './signing-case.js';

/** A kind whose accounts have payloads as long as those of ZBC accounts. */
const KIND_DATASET = 10;

/** Copies of the transaction that each break one rule, with a description of the fault. */
function faultyFields({ transaction }: SigningRequest): [name: string, Transaction][] {
  const { sender, timestamp, escrow } = transaction;
  const stranger = { kind: KIND_ZBC, payload: sender.payload.map(byte => byte ^ 1) };
  const held = { approver: sender, commission: 0n, timeout: timestamp + 1n, instruction: new Uint8Array() };
  return [
    ['no timestamp', { ...transaction, timestamp: 0n }],
    ['the sender is another account', { ...transaction, sender: stranger }],
    ['the sender has another kind', { ...transaction, sender: { ...sender, kind: KIND_DATASET } }],
    ['a message that is too long', { ...transaction, message: new Uint8Array(MAX_MESSAGE + 1).fill(0x41) }],
    ...(transaction.type === APPROVAL_ESCROW
      ? ([
          ['an approval with a recipient', { ...transaction, recipient: sender }],
          ['an approval with an escrow', { ...transaction, escrow: { ...held, multiParty: false } }],
        ] satisfies [string, Transaction][])
      : ([['no recipient', { ...transaction, recipient: NO_ACCOUNT }]] satisfies [string, Transaction][])),
    ...(transaction.type === TRANSFER_TOKEN
      ? ([
          ['token 0', { ...transaction, tokenId: 0n }],
          ['a negative amount', { ...transaction, amount: -1n }],
        ] satisfies [string, Transaction][])
      : []),
    ...(escrow
      ? ([
          ['an escrow that has timed out', { ...transaction, escrow: { ...escrow, timeout: timestamp } }],
          [
            'an instruction that is too long',
            {
              ...transaction,
              escrow: { ...escrow, instruction: new Uint8Array(MAX_INSTRUCTION + 1).fill(0x41) },
            },
          ],
        ] satisfies [string, Transaction][])
      : []),
  ];
}

function withFaultyField(request: SigningRequest, own: Account): fc.Arbitrary<SigningCase> {
  return fc
    .constantFrom(...faultyFields(request))
    .map(([name, transaction]) => signingCase(name, { ...request, transaction }, own));
}

/** Bytes with one edit at a random place. */
function edited(bytes: Uint8Array): fc.Arbitrary<[name: string, Uint8Array]> {
  const at = fc.nat({ max: bytes.length - 1 });
  const bits = fc.tuple(at, fc.nat({ max: 7 })).map(([index, bit]): [string, Uint8Array] => {
    const copy = bytes.slice();
    copy[index]! ^= 1 << bit;
    return [`bit ${bit} of byte ${index} inverted`, copy];
  });
  const cut = at.map((length): [string, Uint8Array] => [`cut at byte ${length}`, bytes.slice(0, length)]);
  const longer = fc
    .uint8Array({ minLength: 1, maxLength: 70 })
    .map((more): [string, Uint8Array] => [`${more.length} bytes more`, Uint8Array.of(...bytes, ...more)]);
  const words = fc
    .tuple(at, fc.constantFrom(0, 1, 2, 0xff, 0x100, 0x101, 0x7fffffff, 0x80000000, 0xffffffff))
    .map(([index, value]): [string, Uint8Array] => {
      const copy = bytes.slice();
      const word = Uint8Array.of(value, value >>> 8, value >>> 16, value >>> 24);
      copy.set(word.subarray(0, copy.length - index), index);
      return [`the u32 at byte ${index} is ${value}`, copy];
    });
  return fc.oneof(bits, cut, longer, words);
}

function withEditedBytes(request: SigningRequest, own: Account): fc.Arbitrary<SigningCase> {
  return edited(encodeTransaction(request.transaction)).map(([name, bytes]) =>
    signingCase(name, request, own, { bytes }),
  );
}

/** Edits or removes the linked bytes of an approval; adds linked bytes to any other type. */
function withEditedLink(request: SigningRequest, own: Account): fc.Arbitrary<SigningCase> {
  const { escrowed, signature } = request;
  if (!escrowed || !signature) {
    return fc
      .uint8Array({ minLength: 1, maxLength: 300 })
      .map(linked => signingCase('a linked transaction', request, own, { linked }));
  }
  const missing: [string, Uint8Array] = ['missing', new Uint8Array()];
  return fc.oneof(
    fc
      .oneof(edited(linkedBytes(escrowed, signature)), fc.constant(missing))
      .map(([name, linked]) => signingCase(`the linked transaction: ${name}`, request, own, { linked })),
    withOtherApprover(request, own),
  );
}

/** An approval of an escrow with another approver, which may differ from `own` only in its kind. */
function withOtherApprover(request: SigningRequest, own: Account): fc.Arbitrary<SigningCase> {
  return keySized(own).map(approver => {
    const { escrowed, signature, transaction } = request as Required<SigningRequest>;
    const other = { ...escrowed, escrow: { ...escrowed.escrow!, approver } };
    const approval = { ...transaction, escrowHash: escrowHashOf(other, signature) } as Transaction;
    const changed = { ...request, transaction: approval, escrowed: other };
    return signingCase('another approver', changed, own);
  });
}

/** The request with one random edit. */
export function editedOnce(request: SigningRequest, own: Account): fc.Arbitrary<SigningCase> {
  return fc.oneof(
    withFaultyField(request, own),
    { weight: 2, arbitrary: withEditedBytes(request, own) },
    withEditedLink(request, own),
  );
}
