import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEVNET_GENESIS_HASH } from '@zbc-signer/devnet';
import { ArchivalChain } from '#devnet/archival/archival-chain.js';
import { Follower } from '#devnet/archival/follower.js';
import { checkState } from '#devnet/node/chain/state-check.js';
import { type Fields, Wallet } from '../../../testkit/chain/wallet.js';
import { Network } from '../../../testkit/devnet/network.js';
import { type RunningProcess, startArchivalNode } from '../../../testkit/network/network-processes.js';
import { endProcess } from '../../../testkit/process/child.js';
import { Upstream } from './upstream.js';

/** Number of lists of blocks that each process receives before it is killed. */
const LIVES = [1, 2, 3, 5];
const BLOCKS_AT_ONCE = 10;

const alice = Wallet.numbered(1);

let directory: string;
let network: Network;
let upstream: Upstream;
let node: RunningProcess | undefined;
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'zbc-test-'));
  network = await Network.open();
  upstream = await Upstream.start(network);
  // The lists are short, so that a process receives several of them.
  upstream.forge = (_path, body) =>
    Array.isArray(body.blocks) ? { blocks: body.blocks.slice(0, BLOCKS_AT_ONCE) } : body;
});
afterEach(async () => {
  await kill();
  await upstream.stop();
  await network.close();
  rmSync(directory, { recursive: true });
});

async function kill(): Promise<void> {
  if (node) await endProcess(node);
  node = undefined;
}

/** Lets an archival node process some lists of blocks, and kills it during the last. */
async function liveFor(lists: number): Promise<void> {
  const before = upstream.requests.length;
  node = await startArchivalNode({ dataDir: directory, follow: upstream.url }, { stderr: 'ignore' });
  const asked = () => upstream.requests.slice(before).filter(url => url.includes('wait_ms=10000')).length;
  while (asked() < lists) await new Promise(resolve => setTimeout(resolve, 1));
  await kill();
}

async function blockOf(height: bigint): Promise<Fields> {
  return (await network.get(`/api/v1/blocks/${height}`)).body;
}

test('an archival node that is killed repeatedly continues exactly where it was', async () => {
  for (let made = 0; made < 40; made++) await network.fund(alice, Wallet.numbered(2 + made));
  for (const lists of LIVES) {
    await liveFor(lists);
    const chain = await ArchivalChain.open(directory, async () => DEVNET_GENESIS_HASH);
    expect(checkState(chain.store)).toEqual([]);
    const [newest] = chain.store.blocks.entries({ reverse: true, limit: 1 });
    if (newest) expect(newest.value.hash).toBe((await blockOf(newest.value.height)).block_hash);
    await chain.close();
  }
  await expectWhole();
});

async function expectWhole(): Promise<void> {
  const chain = await ArchivalChain.open(directory, async () => DEVNET_GENESIS_HASH);
  const faults: Error[] = [];
  const follower = new Follower(chain, upstream.url, error => faults.push(error));
  follower.start();
  await follower.inStep(20_000);
  await follower.stop();
  for (const table of ['balances', 'blocks', 'movements', 'transactions'] as const) {
    const [here, there] = [chain.store, network.chain.store].map(store => store[table].entries());
    expect(here).toEqual(there);
  }
  for (const { key } of chain.store.transactions.entries()) {
    expect(chain.store.signed.get(key)).toEqual(network.chain.store.signed.get(key));
  }
  expect(faults).toEqual([]);
  await chain.close();
}
