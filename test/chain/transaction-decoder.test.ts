import {
  accountFromPublicKey,
  decodeLinked,
  decodeTransaction,
  derivePrivateKey,
  encodeTransaction,
  publicKeyOf,
  seedFromMnemonic,
  TEST_MNEMONIC,
  TransactionError,
} from '../../chain/src/index.js';
import { bytesOf, type RefusalCase, refusalCases, transactionCases } from './vectors.js';

const seed = seedFromMnemonic(TEST_MNEMONIC);
const own = accountFromPublicKey(publicKeyOf(derivePrivateKey(seed, 0)));

/** Faults that only the device sees: those of the command's header and those between its two buffers. */
const BEYOND_ONE_BUFFER = new Set([
  'approval without the linked transaction',
  'approval, linked altered',
  'approval, approver is someone else',
  'linked transaction on a plain send',
  'token metadata on a plain send',
]);

function faultOf(decode: () => unknown): TransactionError {
  try {
    decode();
  } catch (error) {
    if (error instanceof TransactionError) {
      return error;
    }
    throw error;
  }
  throw new Error('decoded without a fault');
}

function decodeBoth(refusal: RefusalCase): void {
  decodeTransaction(bytesOf(refusal.tx), own);
  decodeLinked(bytesOf(refusal.linked ?? ''));
}

describe('decodeTransaction', () => {
  test.each(transactionCases)('takes $name and encodes it again to the same bytes', ({ tx }) => {
    expect(encodeTransaction(decodeTransaction(bytesOf(tx)))).toEqual(bytesOf(tx));
  });

  test.each(refusalCases.filter(({ name }) => !BEYOND_ONE_BUFFER.has(name)))('refuses $name', refusal => {
    const fault = faultOf(() => decodeBoth(refusal));
    expect([fault.status, fault.field]).toEqual([refusal.expect.refusal, refusal.expect.field]);
  });
});
