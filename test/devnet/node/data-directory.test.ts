import { existsSync, mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { DEVNET_GENESIS_HASH, type Devnet, type DevnetOptions, startDevnet } from '@zbc-signer/devnet';
import { ArchivalChain } from '#devnet/archival/archival-chain.js';
import { genesisBlock } from '#devnet/node/chain/block.js';
import { DevelopmentChain } from '#devnet/node/chain/development-chain.js';
import { startInDirectory } from '#devnet/node/data-directory.js';
import type { Balance } from '#devnet/node/store/records.js';
import { Store } from '#devnet/node/store/store.js';
import { Wallet } from '../../../testkit/chain/wallet.js';
import { sha3 } from '../../../testkit/crypto/sha3.js';
import { type RunningProcess, startFullNode } from '../../../testkit/network/network-processes.js';
import { endProcess } from '../../../testkit/process/child.js';

const HOUR_MS = 3_600_000;
const COIN_SUPPLY = 10n ** 17n;
const TREASURY = `${new Wallet(sha3(Buffer.from('ZBC development network treasury'))).hex}/0`;
const alice = Wallet.numbered(1);

let directory: string;
/** The full node's directory within the network's. */
let nodeDirectory: string;
let other: RunningProcess | undefined;
const devnets: Devnet[] = [];
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'zbc-test.'));
  nodeDirectory = join(directory, 'node');
});
afterEach(async () => {
  await Promise.all(devnets.splice(0).map(devnet => devnet.stop()));
  await killChild();
  rmSync(directory, { recursive: true, force: true });
});

async function spawnChild(): Promise<void> {
  other = await startFullNode({ dataDir: nodeDirectory });
}

async function killChild(): Promise<void> {
  if (other) await endProcess(other);
  other = undefined;
}

async function start(options: DevnetOptions): Promise<Devnet> {
  const devnet = await startDevnet(options);
  devnets.push(devnet);
  return devnet;
}

/** Changes the store of a chain while the chain is closed. */
async function tamper(change: (store: Store) => void): Promise<void> {
  await (await DevelopmentChain.open(nodeDirectory, Date.now)).close();
  const store = new Store(nodeDirectory);
  store.write(() => change(store));
  await store.close();
}

describe('a data directory', () => {
  test('keeps the chain from one start to the next', async () => {
    const options = { dataDir: join(directory, 'made', 'anew'), blockTimeMs: HOUR_MS };
    const first = await start(options);
    const body = JSON.stringify({ address: alice.hex });
    await fetch(`${first.url}/faucet`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    await first.stop();
    const second = await start(options);
    const status = await (await fetch(`${second.url}/api/v1/blockchain/status`)).json();
    expect(status).toMatchObject({ height: 1 });
    await second.stop();
  });

  test('is refused while this process has it open', async () => {
    const first = await start({ dataDir: directory, blockTimeMs: HOUR_MS });
    await expect(start({ dataDir: directory })).rejects.toMatchObject({
      name: 'DevnetError',
      code: 'DATA_IN_USE',
      message: `the data directory is in use by process ${process.pid}`,
    });
    expect((await fetch(`${first.url}/api/v1/node/info`)).status).toBe(200);
    await first.stop();
  });

  test('is refused while another process has it open, and is free after that process is killed', async () => {
    await spawnChild();
    await expect(start({ dataDir: directory })).rejects.toMatchObject({ code: 'DATA_IN_USE' });
    await killChild();
    await (await start({ dataDir: directory, blockTimeMs: HOUR_MS })).stop();
  });

  test('is free after its owner died, even if another process now has the same process id', async () => {
    await tamper(store => store.meta.put('owner', { pid: process.pid, started: 'earlier' }));
    await (await DevelopmentChain.open(nodeDirectory, Date.now)).close();
  });

  test('keeps its own chain across a restart', async () => {
    const options = { dataDir: directory, blockTimeMs: HOUR_MS };
    const first = await start(options);
    await first.stop();
    const second = await start(options);
    expect(second.genesisHash).toBe(first.genesisHash);
    expect(second.genesisHash).not.toBe(DEVNET_GENESIS_HASH);
    await second.stop();
  });

  test('keeps the named chain when it is opened again without the option', async () => {
    const options = { dataDir: directory, blockTimeMs: HOUR_MS };
    await (await start({ ...options, namedChain: true })).stop();
    const again = await start(options);
    expect(again.genesisHash).toBe(DEVNET_GENESIS_HASH);
    await again.stop();
  });

  test('is refused for the named chain when it holds another chain', async () => {
    await tamper(store => store.meta.put('genesis', 'ab'.repeat(32)));
    await expect(start({ dataDir: directory, namedChain: true })).rejects.toMatchObject({
      code: 'DATA_OF_ANOTHER_NETWORK',
    });
    await (await DevelopmentChain.open(nodeDirectory, Date.now)).close();
  });

  test.each([3, 5])('is refused when it was made in format %i', async format => {
    await tamper(store => store.meta.put('format', format));
    await expect(start({ dataDir: directory })).rejects.toMatchObject({
      code: 'DATA_OF_ANOTHER_VERSION',
      message: `the data directory has format ${format}, but this version reads only format 4: choose another directory`,
    });
  });

  test('is refused when it belongs to an archival node', async () => {
    await (await ArchivalChain.open(nodeDirectory, async () => DEVNET_GENESIS_HASH)).close();
    await expect(start({ dataDir: directory })).rejects.toMatchObject({
      code: 'DATA_UNUSABLE',
      message: 'the data directory belongs to another kind of node: expected full, found archival',
    });
  });

  test('is refused when a block is missing', async () => {
    await tamper(store => store.blocks.put(2, { ...genesisBlock(store), height: 2n }));
    await expect(start({ dataDir: directory })).rejects.toMatchObject({ code: 'DATA_BROKEN' });
  });

  test('is refused when its balances do not add up to the supply', async () => {
    await tamper(store => store.balances.put(`${alice.hex}/0`, { balance: 1n, pending: 0n, held: 0n }));
    await expect(start({ dataDir: directory })).rejects.toMatchObject({ code: 'DATA_BROKEN' });
    // The failed start leaves the directory free for another attempt.
    await expect(start({ dataDir: directory })).rejects.toMatchObject({ code: 'DATA_BROKEN' });
  });

  test.each<[string, Partial<Balance>]>([
    ['held', { balance: COIN_SUPPLY - 1n, held: 1n }],
    ['pending', { pending: 1n }],
  ])('is refused when amounts are %s for no reason', async (reason, change) => {
    await tamper(store =>
      store.balances.put(TREASURY, { balance: COIN_SUPPLY, pending: 0n, held: 0n, ...change }),
    );
    await expect(start({ dataDir: directory })).rejects.toMatchObject({
      code: 'DATA_BROKEN',
      message: expect.stringContaining(`1 is ${reason}`),
    });
  });

  test('is refused when it is a file', async () => {
    const file = join(directory, 'file');
    writeFileSync(file, '');
    await expect(start({ dataDir: file })).rejects.toMatchObject({ code: 'DATA_UNUSABLE' });
  });

  test('is refused when its data file is truncated', async () => {
    await (await DevelopmentChain.open(nodeDirectory, Date.now)).close();
    truncateSync(join(nodeDirectory, 'data.mdb'), 4096);
    await expect(start({ dataDir: directory })).rejects.toMatchObject({ code: 'DATA_UNUSABLE' });
  });

  test.each([10, 4096, 8192])(
    'is refused when its data file contains %s bytes of another format',
    async length => {
      mkdirSync(nodeDirectory);
      writeFileSync(join(nodeDirectory, 'data.mdb'), Buffer.alloc(length, 0x5a));
      await expect(start({ dataDir: directory })).rejects.toMatchObject({ code: 'DATA_UNUSABLE' });
    },
  );
});

describe('a network without a data directory', () => {
  let made: string;
  const startAt = (port: number) =>
    startInDirectory(undefined, dataDir => {
      made = dataDir;
      return start({ dataDir, port, blockTimeMs: HOUR_MS });
    });

  test('removes its temporary directory when it is stopped once or twice', async () => {
    const devnet = await startAt(0);
    expect(existsSync(made)).toBe(true);
    await Promise.all([devnet.stop(), devnet.stop()]);
    expect(existsSync(made)).toBe(false);
  });

  test('removes its temporary directory when the port is taken', async () => {
    const first = await startAt(0);
    await expect(startAt(Number(new URL(first.url).port))).rejects.toMatchObject({ code: 'LISTEN_FAILED' });
    expect(existsSync(made)).toBe(false);
    await first.stop();
  });
});

describe('a running network', () => {
  test('makes blocks by itself, with timestamps from the given clock', async () => {
    const devnet = await start({ blockTimeMs: 5, now: () => 1_900_000_000_500 });
    let latest = { height: 0, timestamp: 0 };
    while (latest.height < 3) {
      latest = (await (await fetch(`${devnet.url}/api/v1/blocks/latest`)).json()) as typeof latest;
    }
    expect(latest.timestamp).toBe(1_900_000_000);
    await devnet.stop();
  });

  test('continues after a block that failed, and reports a failure that persists once', async () => {
    const errors: string[] = [];
    let broken = false;
    const now = () => {
      if (broken) throw new Error('no clock');
      return 1_900_000_000_000;
    };
    const devnet = await start({ blockTimeMs: 5, now, onError: error => errors.push(error.message) });
    broken = true;
    while (errors.length < 1) await pause(1);
    await pause(50);
    broken = false;
    expect(errors).toEqual(['no clock']);
    const height = async () =>
      ((await (await fetch(`${devnet.url}/api/v1/node/info`)).json()) as { height: number }).height;
    const then = await height();
    while ((await height()) < then + 2) {}
    await devnet.stop();
  });
});
