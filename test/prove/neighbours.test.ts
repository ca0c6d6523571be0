import { accountFromPublicKey } from '@zbc-signer/chain';
import { Emulator } from '@zbc-signer/emulator';
import { expectCase, nearValidTransactions, type SigningRequest } from '@zbc-signer/emulator/arbitrary';
import fc from 'fast-check';
import { expectedOutcome } from '#emulator/arbitrary/signing-case.js';
import { vectorCases } from '../../prove/read-back/neighbours.js';
import { caseCount } from '../../testkit/repository/case-count.js';
import { accounts, transactions } from '../../testkit/repository/vectors.js';

const OWN = accountFromPublicKey(Buffer.from(accounts.cases[0]!.public_key, 'hex'));
const CASES = caseCount(20_000);
/** Tests every fourth vector, or all of them. */
const STEP = caseCount(10) === 10 ? 1 : 4;
const VECTORS = transactions.cases.filter(({ account }, at) => account === 0 && at % STEP === 0);

let emulator: Emulator;
beforeAll(async () => {
  emulator = await Emulator.start();
});
afterAll(() => emulator.stop());

test('the device and the decoder of chain/ agree on every bit flip, truncation and one-byte insertion of the vectors', async () => {
  let tried = 0;
  for (const { transaction: bytes, linked, genesisHash, token } of vectorCases(VECTORS)) {
    const expected = expectedOutcome({ genesisHash, token }, bytes, linked, OWN);
    const request = { genesisHash, token } as SigningRequest;
    await expectCase(emulator, { name: '', request, bytes, linked, isEncoding: false, expected });
    tried++;
  }
  const length = VECTORS.map(({ tx }) => tx.length / 2).reduce((sum, one) => sum + one);
  // At each place there are eight bits to flip, one end to cut, and at least five bytes to insert.
  expect(tried).toBeGreaterThan(length * 14);
});

test(`the device and the decoder of chain/ agree on ${CASES} valid transactions with one edit each`, async () => {
  await fc.assert(
    fc.asyncProperty(nearValidTransactions(), each => expectCase(emulator, each)),
    { numRuns: CASES, seed: 7, includeErrorInReport: true },
  );
});
