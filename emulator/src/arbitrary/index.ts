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

/** Account 0 of the test mnemonic, which is the default seed. */
function accountOfTests(): Account {
  const derive = () => accountFromPublicKey(publicKeyOf(derivePrivateKey(parseSeed(TEST_MNEMONIC), 0)));
  testAccount ??= derive();
  return testAccount;
}

/** Transactions of every type that the signer accepts, with the review it must show. */
export function validTransactions(own: Account = accountOfTests()): fc.Arbitrary<SigningCase> {
  return validRequests(own).map(request => signingCase('valid', request, own));
}

/** Valid transactions whose texts imitate other elements of the screen. */
export function hostileTransactions(own: Account = accountOfTests()): fc.Arbitrary<SigningCase> {
  return hostileRequests(own).map(request => signingCase('hostile texts', request, own));
}

/** Valid transactions with one edit each. The device must refuse most of them; the case has the reason. */
export function nearValidTransactions(own: Account = accountOfTests()): fc.Arbitrary<SigningCase> {
  return validRequests(own).chain(request => editedOnce(request, own));
}

/** A mixture of the three kinds above, to be checked with expectCase. */
export function signingCases(own: Account = accountOfTests()): fc.Arbitrary<SigningCase> {
  return fc.oneof(validTransactions(own), nearValidTransactions(own), hostileTransactions(own));
}
