import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parse, stringify } from 'lossless-json';
import { DevelopmentChain } from '#devnet/node/chain/development-chain.js';
import { checkState } from '#devnet/node/chain/state-check.js';
import { type Fields, type Signed, Wallet } from '../../../testkit/chain/wallet.js';
import { FEE, GRANT_ATOMS, signPayment } from '../../../testkit/devnet/payment.js';
import { type RunningProcess, startFullNode } from '../../../testkit/network/network-processes.js';
import { endProcess } from '../../../testkit/process/child.js';

const KILLS = 3;
const SENDS_A_LIFE = 12;

const alice = Wallet.numbered(1);
const bob = Wallet.numbered(2);

let directory: string;
let running: RunningProcess | undefined;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'zbc-test-'));
});
afterEach(async () => {
  await kill();
  rmSync(directory, { recursive: true });
});

async function start(): Promise<RunningProcess> {
  const quiet = { stderr: 'ignore' } as const;
  return (running = await startFullNode({ dataDir: directory, blockTimeSeconds: 0.1 }, quiet));
}

async function kill(): Promise<void> {
  if (running) await endProcess(running);
  running = undefined;
}

async function post(url: string, body: unknown): Promise<{ status: number; body: Fields }> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: stringify(body)!,
  });
  return { status: response.status, body: (await response.json()) as Fields };
}

function send(amount: bigint): Signed {
  return signPayment(alice, bob, amount);
}

/**
 * Broadcasts all transactions at once, and kills the process after the first `wanted` answers. Returns the
 * transactions that were answered.
 */
async function loadAndKill({ url }: RunningProcess, sends: Signed[], wanted: number): Promise<Signed[]> {
  const taken: Signed[] = [];
  let reached = () => {};
  const enough = new Promise<void>(resolve => {
    reached = resolve;
  });
  const asked = sends.map(async signed => {
    const { status } = await post(`${url}/api/v1/transactions`, signed.fields);
    expect(status).toBe(202);
    if (taken.push(signed) >= wanted) reached();
  });
  await enough;
  await kill();
  await Promise.allSettled(asked);
  return taken;
}

async function untilConfirmed(url: string, hash: string): Promise<void> {
  for (;;) {
    const response = await fetch(`${url}/api/v1/transactions/${hash}/status`);
    expect(response.status).toBe(200);
    const { status } = parse(await response.text()) as Fields;
    if (status === 'confirmed') return;
    await pause(20);
  }
}

test('a node that is killed repeatedly loses no transaction that it answered with 202 and applies none of them twice', async () => {
  await post(`${(await start()).url}/faucet`, { address: alice.hex });
  const all: Signed[] = [];
  const taken: Signed[] = [];
  for (let life = 0; life < KILLS; life++) {
    const sends = Array.from({ length: SENDS_A_LIFE }, (_, at) => send(BigInt(1 + life * SENDS_A_LIFE + at)));
    all.push(...sends);
    taken.push(...(await loadAndKill(running!, sends, 2 * life + 1)));
    await start();
  }
  for (const { hash } of taken) await untilConfirmed(running!.url, hash);
  // A repeated broadcast is a duplicate, or new if the process was killed before it answered the first one.
  // In both cases it counts once.
  for (const { fields, hash } of all) {
    const { status, body } = await post(`${running!.url}/api/v1/transactions`, fields);
    expect([status, body.transaction_hash]).toEqual([202, hash]);
  }
  for (const { hash } of all) await untilConfirmed(running!.url, hash);
  await kill();
  await expectSentOnce(all.length);
});

/** Checks that each payment was made once. The amounts are 1, 2, 3 and so on. */
async function expectSentOnce(count: number): Promise<void> {
  const sum = BigInt((count * (count + 1)) / 2);
  const chain = await DevelopmentChain.open(directory, Date.now);
  expect(checkState(chain.store)).toEqual([]);
  expect(chain.store.balances.get(`${bob.hex}/0`)).toEqual({ balance: sum, pending: 0n, held: 0n });
  const left = GRANT_ATOMS - sum - BigInt(count) * FEE;
  expect(chain.store.balances.get(`${alice.hex}/0`)).toEqual({ balance: left, pending: 0n, held: 0n });
  await chain.close();
}

test('a node keeps staging and the mempool across a restart', async () => {
  const before = await DevelopmentChain.open(directory, Date.now, { namedChain: true });
  before.grant({ kind: 0, payload: alice.publicKey });
  const [first, second] = [send(1n), send(2n)];
  before.submit(first.fields);
  before.produceBlock();
  before.submit(second.fields);
  await before.close();

  const after = await DevelopmentChain.open(directory, Date.now);
  expect([first, second].map(({ hash }) => after.store.transactions.get(hash)?.stage)).toEqual([
    'mempool',
    'staging',
  ]);
  after.produceBlock();
  after.produceBlock();
  expect([first, second].map(({ hash }) => after.store.transactions.get(hash)?.height)).toEqual([3n, 4n]);
  await after.close();
});
