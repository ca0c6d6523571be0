import { encodeTransaction, type Transaction } from '@zbc-signer/chain';
import { Emulator } from '@zbc-signer/emulator';
import {
  expectCase,
  hostileTransactions,
  nearValidTransactions,
  type SigningCase,
  validTransactions,
} from '@zbc-signer/emulator/arbitrary';
import fc from 'fast-check';

const RUNS = 200;

let emulator: Emulator;
beforeAll(async () => {
  emulator = await Emulator.start();
});
afterAll(() => emulator.stop());

type Encode = (transaction: Transaction) => Uint8Array;

const holds = (cases: fc.Arbitrary<SigningCase>, encode?: Encode, endOnFailure = false) =>
  fc.assert(
    fc.asyncProperty(cases, each => expectCase(emulator, each, encode)),
    { numRuns: RUNS, seed: 1, includeErrorInReport: true, endOnFailure },
  );

test.each([
  ['valid', validTransactions()],
  ['near-valid', nearValidTransactions()],
  ['hostile', hostileTransactions()],
])('the device gives the expected result for each %s case', async (_name, cases) => {
  await holds(cases);
  expect(emulator.texts()).toEqual(['ZBC Signer', 'is ready']);
});

test('all valid and hostile cases open a review, and most near-valid cases are refused, for many reasons', () => {
  const sample = (cases: fc.Arbitrary<SigningCase>) => fc.sample(cases, { numRuns: 400, seed: 1 });
  const isShown = ({ expected }: SigningCase) => 'review' in expected;
  expect(sample(validTransactions()).every(isShown)).toBe(true);
  expect(sample(hostileTransactions()).every(isShown)).toBe(true);
  const edited = sample(nearValidTransactions());
  const reasons = edited.flatMap(({ expected }) => ('refusal' in expected ? [expected.refusal.reason] : []));
  expect(reasons.length).toBeGreaterThan(200);
  expect(new Set(reasons).size).toBeGreaterThan(15);
});

describe('reports an encoder that', () => {
  const another = (transaction: Transaction): Transaction => ({
    ...transaction,
    recipient: { ...transaction.recipient, payload: transaction.recipient.payload.map(byte => byte ^ 1) },
  });
  test.each<[string, Encode, RegExp]>([
    ['forgets the message', each => encodeTransaction({ ...each, message: new Uint8Array() }), /Message/],
    ['pays a different fee', each => encodeTransaction({ ...each, fee: each.fee ^ 1n }), /Fee/],
    ['pays a different recipient', each => encodeTransaction(another(each)), /Recipient/],
    [
      'leaves out the last byte',
      each => encodeTransaction(each).subarray(0, -1),
      /instead of showing a review/,
    ],
    [
      'changes the timestamp',
      each => encodeTransaction({ ...each, timestamp: each.timestamp + 1n }),
      /the encoder's bytes are/,
    ],
    [
      'fails',
      () => {
        throw new Error('no encoder');
      },
      /no encoder/,
    ],
  ])('%s', async (_what, encode, message) => {
    await expect(holds(validTransactions(), encode, true)).rejects.toThrow(message);
    expect(emulator.texts()).toEqual(['ZBC Signer', 'is ready']);
  });
});

test('accepts an encoder that itself rejects invalid fields', async () => {
  const refusing = (transaction: Transaction) => {
    if (transaction.timestamp === 0n) throw new RangeError('no timestamp');
    return encodeTransaction(transaction);
  };
  await holds(nearValidTransactions(), refusing);
});

test('reports a device that shows a review instead of a refusal, or refuses instead of showing a review', async () => {
  const [valid] = fc.sample(validTransactions(), { numRuns: 1, seed: 1 });
  const refusal = { status: 'MALFORMED', field: 3, offset: 5, reason: 'timestamp-zero' } as const;
  await expect(expectCase(emulator, { ...valid!, expected: { refusal } })).rejects.toThrow(
    'shows a review instead of refusing with 0305000f6a80: timestamp-zero, field 3',
  );
  const early = { ...valid!, isEncoding: false, bytes: valid!.bytes.subarray(0, -1) };
  await expect(expectCase(emulator, early)).rejects.toThrow('instead of showing a review');
});
