import { BlockFeed, type FeedListener } from '#gateway/push/block-feed.js';
import { BlockHistory } from '#gateway/push/block-history.js';
import { EventStreams } from '#gateway/push/event-streams.js';
import { OversizedResponseError } from '#gateway/upstream/response-body.js';
import { until } from '../../../testkit/time/until.js';

const FIRST = 9_000_000_000_000_000;
const hashOf = (height: number) => height.toString(16).padStart(64, '0');
const headOf = (height: number) => ({
  height,
  block_hash: hashOf(height),
  previous_block_hash: hashOf(height - 1),
  timestamp: FIRST,
  transaction_count: FIRST,
});

/** Starts a feed of a chain that gets `count` more blocks after listening has begun. */
async function follow(count: number, describe: (height: number) => object): Promise<BlockFeed> {
  const feed = new BlockFeed(async (path, limits) => {
    if (path === '/api/v1/blockchain/status') return { height: FIRST };
    const from = Number(new URL(path, 'http://node').searchParams.get('from'));
    if (from <= FIRST + count) return { blocks: [describe(from)] };
    return new Promise((_, reject) => limits?.cancellation?.ends(() => reject(new Error('cancelled'))));
  }, new BlockHistory());
  let seen = 0;
  const listener: FeedListener = { onBlock: () => (seen += 1), onReplaced: () => {} };
  await feed.listen(listener);
  await until(() => seen === count);
  feed.stop();
  return feed;
}

test('keeps only the heads of the last 256 blocks, without transactions', async () => {
  const transactions = [{ transaction_hash: hashOf(1) }];
  const feed = await follow(300, height => ({ ...headOf(height), transactions }));
  const kept = feed.after(BigInt(FIRST));
  expect(kept).toHaveLength(256);
  const { height, timestamp, transaction_count, ...hashes } = headOf(FIRST + 300);
  const integers = {
    height: BigInt(height),
    timestamp: BigInt(timestamp),
    transaction_count: BigInt(transaction_count),
  };
  expect(kept.at(-1)).toEqual({ ...integers, ...hashes });
});

test('all kept heads together are smaller than the data that a client may leave unread', async () => {
  const feed = await follow(300, height => ({ ...headOf(height), transactions: [] }));
  const streams = new EventStreams({ total: 0, perClient: 0 }, 3_600_000);
  const stream = streams.open('client', () => {});
  for (const head of feed.after(0n)) stream.send('block', String(head.height), head);
  expect(stream.body.destroyed).toBe(false);
  expect(stream.body.readableLength).toBeGreaterThan(256 * 256);
  stream.send('block', '0', { text: 'x'.repeat(65_536) });
  expect(stream.body.destroyed).toBe(true);
  streams.close();
});

test('skips a block after three responses that were too large, and reports the blocks after it', async () => {
  const large = FIRST + 2;
  const seen: bigint[] = [];
  let refused = 0;
  const feed = new BlockFeed(async path => {
    if (path === '/api/v1/blockchain/status') return { height: FIRST };
    const from = Number(new URL(path, 'http://node').searchParams.get('from'));
    if (from === large) {
      refused += 1;
      throw new OversizedResponseError();
    }
    if (from > large + 1) return new Promise(() => undefined);
    return { blocks: [{ ...headOf(from), transactions: [] }] };
  }, new BlockHistory());
  await feed.listen({ onBlock: ({ head }) => seen.push(head.height), onReplaced: () => seen.push(0n) });
  await until(() => seen.length >= 2);
  feed.stop();
  expect([refused, ...seen.slice(0, 2)]).toEqual([3, BigInt(large - 1), BigInt(large + 1)]);
});

const malformed = [
  ['a height above 2^53', { height: 2 ** 53 }],
  ['a height that is no integer', { height: 1.5 }],
  ['a height in text', { height: '1' }],
  ['a missing height', {}],
] as const;
test.each(malformed)('%s is not accepted as the height of the chain', async (_what, status) => {
  const feed = new BlockFeed(async () => status, new BlockHistory());
  const listener: FeedListener = { onBlock: () => {}, onReplaced: () => {} };
  await expect(feed.listen(listener)).rejects.toThrow('malformed');
  feed.stop();
});
