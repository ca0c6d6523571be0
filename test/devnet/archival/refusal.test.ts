import { checkState } from '#devnet/node/chain/state-check.js';
import type { Table } from '#devnet/node/store/table.js';
import { type Fields, type Signed, Wallet } from '../../../testkit/chain/wallet.js';
import { u32, u64 } from '../../../testkit/crypto/little-endian.js';
import { sha3 } from '../../../testkit/crypto/sha3.js';
import { Archive } from '../../../testkit/devnet/archive.js';
import { Network, START } from '../../../testkit/devnet/network.js';
import { FEE } from '../../../testkit/devnet/payment.js';

const [alice, bob, carol] = [Wallet.numbered(1), Wallet.numbered(2), Wallet.numbered(3)];

let network: Network;
let archive: Archive;
beforeEach(async () => {
  [network, archive] = [await Network.open(), await Archive.open()];
  await network.fund(alice, carol);
});
afterEach(async () => {
  await Promise.all([network.close(), archive.close()]);
});

/** Computes a block's hash as defined in docs/gateway/devnet.md#blocks. */
function hashBlock(block: Fields): string {
  const transactions = (block.transactions as Fields[]).map(({ transaction_hash }) => transaction_hash);
  const hashes = (list: unknown[]) => [
    u32(list.length),
    ...list.map(hash => Buffer.from(String(hash), 'hex')),
  ];
  return sha3(
    u64(block.height as bigint),
    Buffer.from(String(block.previous_block_hash), 'hex'),
    u64(block.timestamp as bigint),
    ...hashes(transactions),
    ...hashes(block.expired_escrows as unknown[]),
  ).toString('hex');
}

/** Returns the block with changed content and the hash of that content. */
function remade(block: Fields, changes: Fields): Fields {
  const changed = { ...block, ...changes };
  return { ...changed, block_hash: hashBlock(changed) };
}

async function blockAt(height: bigint): Promise<Fields> {
  return (await network.get(`/api/v1/blocks/${height}`)).body;
}

/** Returns the transaction as a node reports it in its own block. */
function shown({ fields, hash }: Signed): Fields {
  return { ...fields, transaction_hash: hash };
}

function everything(): unknown {
  const {
    balances,
    transactions,
    history,
    pending,
    escrows,
    deadlines,
    blocks,
    movements,
    counters,
    signed,
  } = archive.chain.store;
  const tables = [balances, transactions, history, pending, escrows, deadlines, blocks, movements, counters];
  return [...tables.map(table => (table as Table<string | number, unknown>).entries()), signed.count()];
}

async function expectRefused(json: unknown, reason: RegExp): Promise<void> {
  const before = everything();
  await expect(archive.apply(json)).rejects.toMatchObject({
    name: 'FollowError',
    message: expect.stringMatching(reason),
  });
  expect(everything()).toEqual(before);
}

test('computes the block hash that the JSON of the block contains', async () => {
  for (const height of [1n, 2n]) {
    const block = await blockAt(height);
    expect(hashBlock(block)).toBe(block.block_hash);
  }
});

describe('refuses a block', () => {
  let block: Fields;
  let first: Fields;
  beforeEach(async () => {
    await archive.follow(network);
    await network.confirm(network.send(alice, bob.account, 5n));
    await archive.apply(await blockAt(3n));
    block = await blockAt(4n);
    [first] = block.transactions as [Fields];
  });
  afterEach(async () => {
    // The correct block is still accepted.
    await archive.apply(block);
    expect(checkState(archive.chain.store)).toEqual([]);
  });

  const withFirst = (changes: Fields) => ({ ...block, transactions: [{ ...first, ...changes }] });

  test.each<[string, (block: Fields) => Fields, RegExp?]>([
    ['another hash', block => ({ ...block, block_hash: 'ab'.repeat(32) })],
    ['another time', block => ({ ...block, timestamp: START + 9n })],
    ['another parent', block => remade(block, { previous_block_hash: 'cd'.repeat(32) }), /does not follow/],
    ['an earlier time than its parent', block => remade(block, { timestamp: START - 1n }), /earlier time/],
    ['a skipped height', block => remade(block, { height: 5n }), /expected block 4, received block 5/],
    ['a missing transaction', block => ({ ...block, transactions: [] })],
    [
      'an escrow that does not exist',
      block => remade(block, { expired_escrows: ['ef'.repeat(32)] }),
      /expired/,
    ],
  ])('with %s', async (_what, forge, reason = /its hash does not match its content/) => {
    await expectRefused(forge(block), reason);
  });

  test.each<[string, Fields, RegExp]>([
    ['amount', { transaction_body_bytes: '0600000000000000' }, /no valid signature/],
    ['recipient', { recipient_account_address: carol.hex }, /no valid signature/],
    ['signature', { signature: '00'.repeat(64) }, /no valid signature/],
    ['hash', { transaction_hash: 'ab'.repeat(32) }, /does not match its hash/],
  ])('with an altered %s of a transaction', async (_what, changes, reason) => {
    await expectRefused(withFirst(changes), reason);
  });

  test.each<[string, unknown]>([
    ['null', null],
    ['a list', []],
    ['no transactions', { height: 4n }],
    ['a negative height', { height: -1n }],
  ])('that is malformed: %s', async (_what, changes) => {
    const json = changes !== null && !Array.isArray(changes) ? { ...block, ...changes } : changes;
    const forged = _what === 'no transactions' ? { ...block, transactions: undefined } : json;
    await expectRefused(forged, /malformed block/);
  });

  test.each<[string, () => Signed]>([
    ['spends more than the balance', () => network.send(bob, alice.account, 6n)],
    ['comes from an account that does not exist', () => network.send(Wallet.numbered(9), alice.account, 0n)],
    ['pays too low a fee', () => network.send(alice, bob.account, 1n, { fee: FEE - 1n })],
    ['decides on an escrow that does not exist', () => network.decide(alice, '12'.repeat(32), 0)],
  ])('with a transaction that %s', async (_what, sign) => {
    const transactions = [...(block.transactions as Fields[]), shown(sign())];
    await expectRefused(remade(block, { transactions }), /cannot be applied/);
  });

  test('with a transaction that an earlier block already contains', async () => {
    const [earlier] = (await blockAt(1n)).transactions as Fields[];
    const transactions = [...(block.transactions as Fields[]), earlier];
    await expectRefused(remade(block, { transactions }), /repeats a transaction of an earlier block/);
  });
});

describe('an escrow that is settled against its rules', () => {
  let hash: string;
  beforeEach(async () => {
    const escrow = { approver: carol.account, commission: 1n, timeout: START + 100n };
    const signed = network.send(alice, bob.account, 5n, { escrow });
    hash = signed.hash;
    await network.confirm(signed);
    await archive.follow(network);
    network.blocks(1);
  });

  test('is refused if a block expires it before its timeout', async () => {
    const next = await blockAt(5n);
    await expectRefused(remade(next, { expired_escrows: [hash] }), /has not expired/);
    await expectRefused(
      remade(next, { expired_escrows: [hash], timestamp: START + 100n }),
      /has not expired/,
    );
    await archive.apply(remade(next, { expired_escrows: [hash], timestamp: START + 101n }));
  });

  test('is refused if an account other than its approver decides', async () => {
    const transactions = [shown(network.decide(alice, hash, 0))];
    await expectRefused(remade(await blockAt(5n), { transactions }), /not the escrow's approver/);
  });

  test('is refused if a block expires it twice', async () => {
    const forged = { expired_escrows: [hash, hash], timestamp: START + 101n };
    await expectRefused(remade(await blockAt(5n), forged), /is not held/);
  });
});
