import { createHash } from 'node:crypto';
import { decodeLinked, decodeTransaction, fromHex, toHex } from '@zbc-signer/chain';
import { expectedReview, formatText } from '#host/device/expected-review.js';
import { NETWORKS, networkName } from '#host/networks.js';
import { readText } from '../../../testkit/repository/repository.js';
import { messages, transactions } from '../../../testkit/repository/vectors.js';

test.each(transactions.cases.map(vector => [vector.name, vector] as const))(
  'the expected review of "%s" equals the review in its vector',
  (_name, { genesis, tx, linked, token, expect: { review } }) => {
    const items = expectedReview({
      genesisHash: fromHex(genesis),
      transaction: decodeTransaction(fromHex(tx)),
      linked: linked === undefined ? undefined : decodeLinked(fromHex(linked)).transaction,
      token,
    });
    expect(items).toEqual(review);
  },
);

test('the expected review of a message equals the review in its vector', () => {
  for (const { message, expect: expected } of messages.cases) {
    if ('review' in expected) expect(['Message', formatText(fromHex(message))]).toEqual(expected.review[1]);
  }
});

test.each([1, 136, 137, 257, 512, 1000])(
  'the hash of a binary text of %d bytes covers all of them',
  length => {
    const bytes = Uint8Array.from({ length }, (_, i) => (i * 31 + 128) & 0xff);
    const digits = createHash('sha3-256').update(bytes).digest('hex').slice(0, 8);
    expect(formatText(bytes)).toBe(`${length} bytes (binary) ${digits}`);
  },
);

test('the table of networks equals that of the firmware', () => {
  const known = JSON.parse(readText('firmware/networks.json'));
  expect(NETWORKS.map(({ name, genesisHash }) => ({ name, genesis_hash: toHex(genesisHash) }))).toEqual(
    known,
  );
});

test('a known network is shown by its name', () => {
  const { name, genesisHash } = NETWORKS[0]!;
  expect(networkName(genesisHash)).toBe(name);
});

test('a network whose hash differs in any digit is unknown', () => {
  const { genesisHash } = NETWORKS[0]!;
  for (let at = 0; at < 64; at++) {
    const other = Uint8Array.from(genesisHash);
    other[at >> 1]! ^= at % 2 === 0 ? 0x10 : 0x01;
    expect(networkName(other)).toBe(`UNKNOWN CHAIN ${Buffer.from(other).toString('hex').slice(0, 8)}`);
  }
});
