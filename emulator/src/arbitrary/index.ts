import {
  type Account,
  accountFromPublicKey,
  derivePrivateKey,
  publicKeyOf,
  TEST_MNEMONIC,
} from '@zbc-signer/chain';
import fc from 'fast-check';
import { parseSeed } from '../device/seed.js';
import { editedOnce } from './near-valid.js';
import { hostileRequests, validRequests } from './requests.js';
import { type SigningCase, signingCase } from './signing-case.js';

export { expectCase } from './expect-case.js';
export { linkedBytes, type SigningRequest } from './requests.js';
export type { ExpectedOutcome, ExpectedRefusal, SigningCase } from './signing-case.js';

let testAccount: Account | undefined;

/** Account 0 of the test mnemonic, which a device without another seed has. */
function accountOfTests(): Account {
  const derive = () => accountFromPublicKey(publicKeyOf(derivePrivateKey(parseSeed(TEST_MNEMONIC), 0)));
  testAccount ??= derive();
  return testAccount;
}

/** Transactions of every type that the signer takes, with the review it must show. */
export function validTransactions(own: Account = accountOfTests()): fc.Arbitrary<SigningCase> {
  return validRequests(own).map(request => signingCase('valid', request, own));
}

/** The same, whose texts try to pass for something else on the screen. */
export function hostileTransactions(own: Account = accountOfTests()): fc.Arbitrary<SigningCase> {
  return hostileRequests(own).map(request => signingCase('hostile texts', request, own));
}

/** Valid transactions with one edit: most must be refused, and the case says with which reason. */
export function nearValidTransactions(own: Account = accountOfTests()): fc.Arbitrary<SigningCase> {
  return validRequests(own).chain(request => editedOnce(request, own));
}

/** All of them in turn; see expectCase. */
export function signingCases(own: Account = accountOfTests()): fc.Arbitrary<SigningCase> {
  return fc.oneof(validTransactions(own), nearValidTransactions(own), hostileTransactions(own));
}
