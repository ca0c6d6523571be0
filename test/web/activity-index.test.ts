import { createHash } from 'node:crypto';
import { accountMovements, GatewayClient } from '@zbc-signer/host';
import { ActivityIndex, type ActivityProgress } from '@zbc-signer/web';
import { IDBFactory } from 'fake-indexeddb';
import { OTHER, OWN } from '../../testkit/gateway/chain-answers.js';
import { accounts, transactionCases } from '../../testkit/repository/vectors.js';

const THIRD = accounts.cases[2]!.address;
const GENESIS = new Uint8Array(32).fill(7);
const SIGNED = transactionCases.find(({ name }) => name === 'send to self, reference length 113')!;
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

interface ModelBlock {
  height: number;
  block_hash: string;
  previous_block_hash: string;
  timestamp: number;
  transactions: object[];
}

/** A gateway in front of a chain whose blocks name the block before them. */
class BlockGateway {
  readonly blocks: ModelBlock[] = [];
  readonly asked: string[] = [];
  /** If this function returns an answer for a route, that answer replaces the usual one. */
  instead: ((route: string) => Response | undefined) | undefined;
  /** The most blocks in an answer. */
  most = 100;

  grow(count: number, transactionsOf: (height: number) => object[] = () => []): void {
    for (let added = 0; added < count; added++) {
      const height = this.blocks.length;
      const previous_block_hash = this.blocks.at(-1)?.block_hash ?? '00'.repeat(32);
      const transactions = transactionsOf(height);
      const block_hash = sha256(`${previous_block_hash} ${JSON.stringify(transactions)}`);
      const timestamp = 1_800_000_000 + height;
      this.blocks.push({ height, block_hash, previous_block_hash, timestamp, transactions });
    }
  }

  url = 'http://gateway.test';

  get client(): GatewayClient {
    return new GatewayClient(this.url, { fetch: async url => this.#answer(`${url}`) });
  }

  #answer(url: string): Response {
    const { pathname, search, searchParams } = new URL(url);
    this.asked.push(`${pathname.slice('/api/v1'.length)}${search}`);
    const instead = this.instead?.(pathname);
    if (instead) return instead;
    if (pathname.endsWith('/status')) return Response.json({ height: this.blocks.length - 1 });
    const from = Number(searchParams.get('from'));
    const limit = Math.min(Number(searchParams.get('limit')), this.most);
    return Response.json({ blocks: this.blocks.slice(from, from + limit) });
  }
}

const transfer = (text: string, sender: string, recipient: string, rest: object = {}) => ({
  transaction_hash: sha256(text),
  transaction_type: 1,
  timestamp: 1_800_000_000,
  sender_account_address: sender,
  recipient_account_address: recipient,
  fee: 2_500_000,
  transaction_body_bytes: '80d1f00800000000',
  ...rest,
});

/**
 * Every tenth block has either a payment to the account and one between others, or a payment from the account
 * with an approver.
 */
const OF_BLOCKS = (height: number) =>
  height % 10 === 0
    ? [
        transfer(`in ${height}`, OTHER, OWN),
        transfer(`others ${height}`, OTHER, THIRD),
        transfer(`approver ${height}`, OTHER, THIRD, {
          escrow: { approver_address: height === 0 ? OWN : OTHER, commission: 1, timeout: 1_900_000_000 },
        }),
      ]
    : [];

let gateway: BlockGateway;
let indexedDB: InstanceType<typeof IDBFactory>;
beforeEach(() => {
  gateway = new BlockGateway();
  indexedDB = new IDBFactory();
});

const indexOf = (accounts: readonly string[] = [OWN]) =>
  new ActivityIndex(gateway.client, GENESIS, accounts, { indexedDB } as never);

async function follow(index: ActivityIndex): Promise<ActivityProgress[]> {
  const all: ActivityProgress[] = [];
  await index.follow(AbortSignal.timeout(10_000), progress => all.push(progress));
  return all;
}

const heights = (index: ActivityIndex, account = OWN) =>
  accountMovements(account, index.span)
    .map(({ height }) => Number(height))
    .reverse();
const TENTHS = Array.from({ length: 25 }, (_, at) => 240 - 10 * at);

test('finds the transactions of an account as payer, payee or approver, back to the first block', async () => {
  gateway.grow(250, OF_BLOCKS);
  const index = indexOf();
  const progress = await follow(index);
  expect(heights(index)).toEqual([...TENTHS, 0]);
  expect(index.span!.activities.at(-1)).toMatchObject({
    sender: OTHER,
    recipient: OWN,
    blockTime: 1_800_000_240n,
  });
  expect(progress.at(-1)).toEqual({ from: 0n, to: 249n, newest: 249n });
});

test('continues where an earlier visit ended, and requests only new blocks', async () => {
  gateway.grow(250, OF_BLOCKS);
  await follow(indexOf());
  gateway.grow(50, OF_BLOCKS);
  gateway.asked.length = 0;
  const index = indexOf();
  expect((await follow(index))[0]).toMatchObject({ from: 0n, to: 249n });
  expect(gateway.asked).toEqual(['/blockchain/status', '/blocks?from=250&limit=50']);
  expect(heights(index)).toEqual([290, 280, 270, 260, 250, ...TENTHS, 0]);
});

test('reads the blocks of another gateway itself', async () => {
  gateway.grow(30, OF_BLOCKS);
  await follow(indexOf());
  gateway.url = 'http://other.test';
  const index = indexOf();
  await index.load();
  expect(index.span).toBeUndefined();
});

test('blocks that were read are kept when the gateway fails', async () => {
  gateway.grow(250, OF_BLOCKS);
  const index = indexOf();
  gateway.instead = () => (gateway.asked.length === 3 ? new Response('', { status: 500 }) : undefined);
  await expect(follow(index)).rejects.toMatchObject({ code: 'GATEWAY_STATUS' });
  expect(heights(index)).toEqual(TENTHS.filter(height => height >= 150));
  gateway.instead = undefined;
  gateway.asked.length = 0;
  const next = indexOf();
  await follow(next);
  expect(gateway.asked).not.toContain('/blocks?from=150&limit=100');
  expect(heights(next)).toEqual([...TENTHS, 0]);
});

test("the remaining blocks are requested if a node's answer has fewer blocks than requested", async () => {
  gateway.grow(250, OF_BLOCKS);
  gateway.most = 7;
  const index = indexOf();
  await follow(index);
  expect(heights(index)).toEqual([...TENTHS, 0]);
});

test.each([
  ['other blocks', 260],
  ['fewer blocks', 235],
])('a block that the chain has replaced is removed if the chain now has %s', async (_, length) => {
  gateway.grow(250, OF_BLOCKS);
  await follow(indexOf());
  gateway.blocks.length = 231;
  gateway.grow(length - 231, height => [transfer(`new ${height}`, OWN, OTHER)]);
  const index = indexOf();
  await follow(index);
  const fresh = Array.from({ length: length - 231 }, (_, at) => length - 1 - at);
  expect(heights(index)).toEqual([...fresh, ...TENTHS.filter(height => height <= 230), 0]);
});

test('blocks that are not linked are refused, and no entry from them is kept', async () => {
  gateway.grow(250, OF_BLOCKS);
  gateway.blocks[120]!.previous_block_hash = 'ee'.repeat(32);
  const index = indexOf();
  await expect(follow(index)).rejects.toMatchObject({ code: 'GATEWAY_MALFORMED' });
  expect(heights(index).every(height => height >= 150)).toBe(true);
});

test('an account that is added later is read from the first block', async () => {
  gateway.grow(30, OF_BLOCKS);
  await follow(indexOf());
  const index = indexOf([OWN, THIRD]);
  await follow(index);
  expect(heights(index, THIRD)).toEqual([20, 20, 10, 10, 0, 0]);
  expect(heights(index)).toEqual([20, 10, 0, 0]);
});

test.each([
  [0, true],
  [1, false],
])('with a fee that is %d too high, whether the hash matches the fields is %p', async (more, isVerified) => {
  const bytes = Buffer.from(SIGNED.tx, 'hex');
  const fields = {
    transaction_hash: SIGNED.expect.tx_hash,
    transaction_type: 1,
    timestamp: Number(bytes.readBigInt64LE(5)),
    sender_account_address: OWN,
    recipient_account_address: OWN,
    fee: Number(bytes.readBigInt64LE(85)) + more,
    transaction_body_bytes: bytes.toString('hex', 97, 105),
    signature: SIGNED.expect.signature,
  };
  gateway.grow(1, () => [fields]);
  const index = indexOf();
  await follow(index);
  expect(index.span!.activities).toMatchObject([{ isVerified }]);
});

test('works in a browser without storage', async () => {
  gateway.grow(120, OF_BLOCKS);
  const index = new ActivityIndex(gateway.client, GENESIS, [OWN], {} as never);
  await follow(index);
  expect(heights(index)).toEqual([...TENTHS.filter(height => height < 120), 0]);
});
