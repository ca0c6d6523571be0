import { Follower } from '#devnet/archival/follower.js';
import { type Fields, Wallet } from '../../../testkit/chain/wallet.js';
import { Archive } from '../../../testkit/devnet/archive.js';
import { Network } from '../../../testkit/devnet/network.js';
import { until } from '../../../testkit/time/until.js';
import { type Forger, Upstream } from './upstream.js';

const [alice, bob] = [Wallet.numbered(1), Wallet.numbered(2)];
const LONG_MS = 20_000;

let network: Network;
let archive: Archive;
let upstream: Upstream;
let follower: Follower;
let faults: string[];
beforeEach(async () => {
  [network, archive] = [await Network.open(), await Archive.open()];
  upstream = await Upstream.start(network);
  faults = [];
  follower = new Follower(archive.chain, upstream.url, error => faults.push(error.message));
});
afterEach(async () => {
  await follower.stop();
  await upstream.stop();
  await Promise.all([archive.close(), network.close()]);
});

const untilHeight = (height: bigint) => until(async () => (await archive.height()) >= height);

test('copies the existing blocks, then each new block', async () => {
  await network.fund(alice);
  network.blocks(120);
  follower.start();
  await follower.inStep(LONG_MS);
  expect(await archive.height()).toBe(121n);
  await network.fund(bob);
  await untilHeight(122n);
  const newest = '/api/v1/blocks/latest';
  expect((await archive.get(newest)).text).toBe((await network.get(newest)).text);
  expect(faults).toEqual([]);
});

test('asks once for each block that it waits for', async () => {
  follower.start();
  await follower.inStep(LONG_MS);
  for (const height of [1n, 2n, 3n]) {
    await until(() => upstream.requests.some(url => url.includes(`from=${height}&`)));
    network.blocks(1);
    await untilHeight(height);
  }
  expect(upstream.requests.slice(0, 4)).toEqual([
    '/api/v1/node/info',
    ...[1, 2, 3].map(from => `/api/v1/blocks?from=${from}&limit=100&wait_ms=10000`),
  ]);
});

test('reports signing rules exactly as the followed node does', async () => {
  follower.start();
  await follower.inStep(LONG_MS);
  const { body } = await archive.get('/api/v1/node/info');
  expect(body).toMatchObject({ signing_version: 2n, signing_tag: 'ZBC-TX', synced: true, peer_count: 1n });
});

test.each<[string, Fields]>([
  ['no signing rules', { signing_version: undefined, signing_tag: undefined }],
  ['other signing rules', { signing_version: 9_007_199_254_740_993n, signing_tag: 'OTHER' }],
])('reports %s if the followed node does', async (_what, signing) => {
  upstream.forge = (path, body) => (path.endsWith('info') ? { ...body, ...signing } : body);
  follower.start();
  await follower.inStep(LONG_MS);
  const { body } = await archive.get('/api/v1/node/info');
  const { signing_version, signing_tag } = body;
  expect({ signing_version, signing_tag }).toEqual(signing);
});

/** Returns a Forger that alters only the answer with the block of this height. */
const atHeight =
  (height: bigint, lie: (block: Fields) => Fields): Forger =>
  (_path, body) =>
    Array.isArray(body.blocks)
      ? { blocks: body.blocks.map(block => (block.height === height ? lie(block) : block)) }
      : body;

describe('reports a faulty followed node once, rejects its answers, and resumes after it recovers:', () => {
  test.each<[string, Forger, RegExp, bigint]>([
    [
      'another genesis',
      (path, body) => (path.endsWith('info') ? { ...body, genesis_hash: 'ab'.repeat(32) } : body),
      /is on another chain, with the genesis abab/,
      0n,
    ],
    [
      'a block with another hash',
      atHeight(2n, block => ({ ...block, block_hash: 'ab'.repeat(32) })),
      /block 2 cannot be applied: its hash/,
      1n,
    ],
    [
      'a block without its parent',
      (path, body) => (path.includes('from=1&') ? { blocks: (body.blocks as []).slice(1) } : body),
      /expected block 1, received block 2/,
      0n,
    ],
    [
      'a transaction that was altered',
      atHeight(3n, block => ({
        ...block,
        transactions: (block.transactions as Fields[]).map(each => ({ ...each, fee: 3_000_000n })),
      })),
      /transaction 1 of block 3 has no valid signature/,
      2n,
    ],
    ['answers that are not JSON', () => '<html>', /invalid JSON/, 0n],
    [
      'an answer without a genesis hash',
      path => (path.endsWith('info') ? '{}' : '[]'),
      /does not report its genesis hash/,
      0n,
    ],
    ['an answer that is too long', () => ' '.repeat(16_777_217), /more than 16777216 bytes/, 0n],
    ['deep nesting', () => '['.repeat(100_000), /invalid JSON/, 0n],
    ['no answer', () => undefined, /does not answer \(/, 0n],
    [
      'unrecognised signing rules',
      (path, body) => (path.endsWith('info') ? { ...body, signing_version: '2' } : body),
      /unrecognised signing rules/,
      0n,
    ],
  ])('%s', async (_what, forge, fault, kept) => {
    network.blocks(2);
    await network.fund(alice);
    network.blocks(1);
    upstream.forge = forge;
    follower.start();
    await until(() => faults.length > 0);
    const asked = upstream.requests.length;
    await until(() => upstream.requests.length > asked);
    expect(faults).toEqual([expect.stringMatching(fault)]);
    expect(await archive.height()).toBe(kept);
    upstream.becomeHonest();
    await untilHeight(4n);
    expect(await archive.get(`/api/v1/accounts/${alice.hex}`)).toMatchObject({ status: 200 });
  });
});

test('refuses a followed node that lacks our newest block or has a different one', async () => {
  network.blocks(2);
  follower.start();
  await untilHeight(2n);
  await follower.stop();
  const other = await Network.open();
  const [others, reported]: [Upstream, string[]] = [await Upstream.start(other), []];
  const second = new Follower(archive.chain, others.url, error => reported.push(error.message));
  second.start();
  await until(() => reported.length > 0);
  other.timestamp += 5n;
  other.blocks(3);
  await until(() => others.requests.filter(url => url.includes('from=2')).length > 2);
  await second.stop();
  expect(reported).toEqual(['the followed node does not have our newest block 2']);
  expect(await archive.height()).toBe(2n);
  await others.stop();
  await other.close();
});

test('stops while it waits for a block', async () => {
  follower.start();
  await until(() => upstream.requests.some(url => url.includes('wait_ms=10000')));
  await follower.stop();
  expect(faults).toEqual([]);
});
