import { spawnSync } from 'node:child_process';
import {
  decodeTransaction,
  encodeTransaction,
  signingDigest,
  transactionHash,
  verify,
} from '@zbc-signer/chain';
import { Emulator } from '@zbc-signer/emulator';
import { linkedBytes, type SigningRequest } from '@zbc-signer/emulator/arbitrary';
import { expectedReview } from '@zbc-signer/host';
import { pick, seededNumbers } from '../../testkit/chain/numbers.js';
import { randomRequests } from '../../testkit/chain/random-transaction.js';
import { send, signTransaction } from '../../testkit/device/apdu.js';
import { caseCount } from '../../testkit/repository/case-count.js';
import { readText, root } from '../../testkit/repository/repository.js';
import { accounts, type TransactionCase } from '../../testkit/repository/vectors.js';

const CASES = caseCount(2000);
const PUBLIC_KEY = Buffer.from(accounts.cases[0]!.public_key, 'hex');
const [KNOWN] = JSON.parse(readText('firmware/networks.json')) as [{ genesis_hash: string }];

let emulator: Emulator;
beforeAll(async () => {
  emulator = await Emulator.start();
});
afterAll(() => emulator.stop());

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const withoutLineFeeds = (items: readonly (readonly [string, string])[]) =>
  items.map(([title, value]) => [title, value.replaceAll('\n', '')]);

function caseOf({ transaction, escrowed, signature, genesisHash, token }: SigningRequest) {
  return {
    account: 0,
    genesis: hex(genesisHash),
    tx: hex(encodeTransaction(transaction)),
    ...(escrowed && { linked: hex(linkedBytes(escrowed, signature!)) }),
    ...(token && { token }),
  };
}

/** Adds the expected values of the implementation that computes the vectors. */
function expectedCases(cases: readonly ReturnType<typeof caseOf>[]): TransactionCase[] {
  const input = JSON.stringify({ mnemonic: accounts.mnemonic, cases });
  const options = { cwd: `${root}/vectors`, input, encoding: 'utf8', maxBuffer: 2 ** 28 } as const;
  return JSON.parse(spawnSync('python3', ['-B', 'make.py', '--cases'], options).stdout).cases;
}

/** The presses that toggle a setting and return, from and to the first page of the menu. */
const TOGGLES = {
  'unknown chains': ['right', 'both', 'both', 'right', 'right', 'right', 'both'],
  details: ['right', 'both', 'right', 'both', 'right', 'right', 'both'],
} as const;

// Neighbours of valid transactions are in test/prove/neighbours.test.ts.
test(`in random settings, ${CASES} random transactions decode, are shown as they are, and their signatures verify`, async () => {
  const numbers = seededNumbers(1);
  const requests = randomRequests(CASES, 1).map(request => ({
    ...request,
    genesisHash: numbers(2) === 0 ? Buffer.from(KNOWN.genesis_hash, 'hex') : request.genesisHash,
  }));
  const cases = expectedCases(requests.map(caseOf));
  const settings = { 'unknown chains': false, details: false };
  for (const [i, { transaction, genesisHash, escrowed, token }] of requests.entries()) {
    const { expect: expected, ...request } = cases[i]!;
    const bytes = encodeTransaction(transaction);
    expect(decodeTransaction(bytes)).toEqual(transaction);
    const setting = pick(numbers, ['unknown chains', 'details'] as const);
    for (const button of TOGGLES[setting]) emulator.press(button);
    settings[setting] = !settings[setting];
    const done = send(apdu => emulator.exchange(apdu), signTransaction(request));
    if (settings['unknown chains'] && request.genesis !== KNOWN.genesis_hash) {
      expect((await done).status).toBe('6985');
      continue;
    }
    const review = await emulator.review();
    await emulator.approve();
    const { status, data } = await done;
    expect(review).toEqual(withoutLineFeeds(settings.details ? expected.details : expected.review));
    expect(expectedReview({ genesisHash, transaction, linked: escrowed, token })).toEqual(expected.review);
    expect([status, hex(data)]).toEqual(['9000', expected.signature + expected.tx_hash]);
    const signature = data.subarray(0, 64);
    expect(verify(signature, signingDigest(genesisHash, bytes), PUBLIC_KEY)).toBe(true);
    expect(hex(transactionHash(bytes, signature))).toBe(expected.tx_hash);
  }
});
