import { fixedQuestionOf, neverChanges } from '#gateway/cache/fixed-question.js';
import { Wallet } from '../../../testkit/chain/wallet.js';
import { Network } from '../../../testkit/devnet/network.js';

const alice = Wallet.numbered(1);
const bob = Wallet.numbered(2);
const carol = Wallet.numbered(3);

let network: Network;
beforeAll(async () => {
  network = await Network.open();
  await network.fund(alice, carol);
});
afterAll(() => network.close());

const escrow = { approver: carol.account, commission: 1n, timeout: 2n ** 64n - 1n, instruction: 'x' };

/** Whether a gateway would cache a node's answer if the node reported this height. */
async function isKept(path: string, height: bigint | undefined = 1000n): Promise<boolean> {
  const { status, text } = await network.get(path);
  expect(status).toBe(200);
  return neverChanges(fixedQuestionOf(path)!, Buffer.from(text), height);
}

const transaction = (hash: string) => `/api/v1/transactions/${hash}`;
const blockOf = async (hash: string) =>
  `/api/v1/blocks/${(await network.get(transaction(hash))).body.block_height}`;

test.each([
  '/api/v1/node/info',
  '/api/v1/blocks',
  '/api/v1/blocks/latest',
  '/api/v1/blocks/7?x=1',
  '/api/v1/blocks/-7',
  '/api/v1/tokens',
  '/api/v1/transactions',
  `/api/v1/transactions/${'a'.repeat(63)}`,
  `/api/v1/transactions/${'a'.repeat(64)}/status/x`,
  '/api/v1/accounts/7',
  '/api/v1/release/list',
])('the answer to %s may always change', path => {
  expect(fixedQuestionOf(path)).toBeUndefined();
});

test('a payment and its status are kept once they are confirmed below the known height of the chain', async () => {
  const signed = network.send(alice, bob.account, 5n);
  await network.broadcast(signed.fields);
  const [whole, status] = [transaction(signed.hash), `${transaction(signed.hash)}/status`];
  expect([await isKept(whole), await isKept(status)]).toEqual([false, false]);
  network.blocks(1);
  expect([await isKept(whole), await isKept(status)]).toEqual([false, false]);
  network.blocks(1);
  expect([await isKept(whole), await isKept(status)]).toEqual([true, true]);
  expect(await isKept(transaction(signed.hash.toUpperCase()))).toBe(true);
  const block = await blockOf(signed.hash);
  const height = BigInt(block.split('/').at(-1)!);
  for (const path of [whole, status, block]) {
    expect([await isKept(path, height), await isKept(path, height + 1n)]).toEqual([false, true]);
  }
});

test('a transaction with an escrow, and its block, are kept once the escrow has ended', async () => {
  const signed = network.send(alice, bob.account, 6n, { escrow });
  await network.confirm(signed);
  const paths = [transaction(signed.hash), await blockOf(signed.hash)];
  expect(await Promise.all(paths.map(path => isKept(path)))).toEqual([false, false]);
  expect(await isKept(`${paths[0]}/status`)).toBe(true);
  await network.confirm(network.decide(carol, signed.hash, 1));
  expect(await Promise.all(paths.map(path => isKept(path)))).toEqual([true, true]);
});

test('the answer about a token is kept', async () => {
  expect(await isKept('/api/v1/tokens/1', undefined)).toBe(true);
});

test.each([
  ['an unknown field', (text: string) => text.replace('{', '{"confirmations":9,')],
  ['another token', (text: string) => text.replace('"token_id":1', '"token_id":2')],
  ['a duplicate field', (text: string) => text.replace('{', '{"token_id":1,')],
  ['a missing end', (text: string) => text.slice(0, -1)],
  ['a list around it', (text: string) => `[${text}]`],
])('an answer with %s is not kept', async (_what, change) => {
  const { text } = await network.get('/api/v1/tokens/1');
  const question = fixedQuestionOf('/api/v1/tokens/1')!;
  expect(neverChanges(question, Buffer.from(text), 1000n)).toBe(true);
  expect(neverChanges(question, Buffer.from(change(text)), 1000n)).toBe(false);
});

test('a transaction or block that was not asked for is not kept', async () => {
  const signed = network.send(alice, bob.account, 7n);
  await network.confirm(signed);
  const { text } = await network.get(transaction(signed.hash));
  const other = fixedQuestionOf(transaction('ab'.repeat(32)))!;
  expect(neverChanges(other, Buffer.from(text), 1000n)).toBe(false);
  const block = await network.get('/api/v1/blocks/1');
  expect(neverChanges(fixedQuestionOf('/api/v1/blocks/2')!, Buffer.from(block.text), 1000n)).toBe(false);
});

test.each([
  ['as many values as a block may have', 8000, true],
  ['more values than a block may have', 9000, false],
])('whether an answer with %s (%i) is kept: %p', (_what, count, kept) => {
  const block = { height: 7, transactions: [], expired_escrows: Array(count).fill(1) };
  const body = Buffer.from(JSON.stringify(block));
  expect(neverChanges(fixedQuestionOf('/api/v1/blocks/7')!, body, 1000n)).toBe(kept);
});
