// Kills the nodes repeatedly while clients pay through the gateway, and checks the sums afterwards. Reads
// `KILLS=` and `SEED=`.
import { setTimeout as pause } from 'node:timers/promises';
import { DevelopmentChain } from '#devnet/node/chain/development-chain.js';
import { checkState } from '#devnet/node/chain/state-check.js';
import { seededNumbers } from '../../../testkit/chain/numbers.js';
import { Wallet } from '../../../testkit/chain/wallet.js';
import { Network } from '../../../testkit/network/network.js';
import { endProcess } from '../../../testkit/process/child.js';
import { openDirectory } from '../../../testkit/process/temporary-directory.js';
import { ask } from './ask.js';
import { Client, type Payment } from './client.js';
import {
  expectBalances,
  expectKnown,
  expectOnce,
  expectSameBlocks,
  readBlocks,
  untilConfirmed,
} from './tally.js';

const KILLS = Number(process.env.KILLS ?? 30);
const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000);
const CLIENTS = 8;
/** Number of accepted payments that are looked up and sent again after each restart. */
const LOOKED_FOR = 5;
const BLOCK_TIME_SECONDS = 0.1;
const MAX_LIFE_MS = 600;
const KILLS_PER_ARCHIVAL_KILL = 8;
const KILLS_PER_LINE = 20;

const numbers = seededNumbers(SEED);
const recipient = Wallet.numbered(99);
let amount = 0n;
const clients = Array.from(
  { length: CLIENTS },
  (_, at) => new Client(Wallet.numbered(at + 1), recipient, () => (amount += 1n), numbers),
);
const payments = () => clients.flatMap(client => client.payments);
/** Accepted payments in the order of their creation. */
const taken = () =>
  payments()
    .filter(payment => payment.taken)
    .sort((one, other) => Number(one.amount - other.amount));

async function fund(network: Network): Promise<void> {
  for (const { wallet } of clients) {
    const { status } = await ask(`${network.gateway.url}/faucet`, { address: wallet.hex });
    if (status !== 200) throw new Error(`the faucet answered ${status}`);
  }
}

/** Kills the full node, checks the sums in its directory, and starts it again; throws if they are wrong. */
async function killFull(network: Network): Promise<void> {
  await endProcess(network.full);
  await checkLedger(network);
  await network.startFull();
}

async function killArchival(network: Network): Promise<void> {
  await endProcess(network.archival);
  await network.startArchival();
}

/** Checks the ledger in the full node's directory, which no full node may use meanwhile. */
async function checkLedger({ fullDir }: Network): Promise<void> {
  const chain = await DevelopmentChain.open(fullDir, Date.now);
  const faults = checkState(chain.store);
  await chain.close();
  if (faults.length > 0) throw new Error(`the ledger does not add up: ${faults.join('; ')}`);
}

async function killAgainAndAgain(network: Network): Promise<void> {
  for (let kill = 1; kill <= KILLS; kill++) {
    await pause(numbers(MAX_LIFE_MS));
    const both = kill % KILLS_PER_ARCHIVAL_KILL === 0;
    await Promise.all([killFull(network), ...(both ? [killArchival(network)] : [])]);
    await lookForTaken(network.full.url);
    if (kill % KILLS_PER_LINE === 0) {
      console.log(
        `${kill} kills: ${taken().length} payments accepted, ${payments().length - taken().length} not answered with 202`,
      );
    }
  }
}

async function lookForTaken(url: string): Promise<void> {
  const all = taken();
  const looks = Array.from({ length: Math.min(LOOKED_FOR, all.length) }, (_, look) => {
    // The newest payments are the most likely to be lost. So the first lookup is one of the last 10 payments,
    // the second is one of the last 100, and so on.
    const payment = all[Math.max(0, all.length - 1 - numbers(10 ** (look + 1)))]!;
    return expectKnown(url, payment);
  });
  await Promise.all(looks);
}

/** Sends every payment without a 202 again. Returns how many of them the node already knew. */
async function sendTheRest(network: Network): Promise<number> {
  let known = 0;
  for (const client of clients) {
    for (const payment of client.payments.filter(({ taken }) => !taken)) {
      known += await wasKnown(network.full.url, payment);
      while (!payment.taken) await client.broadcast(network.full.url, payment);
    }
  }
  return known;
}

async function wasKnown(url: string, { signed: { hash } }: Payment): Promise<number> {
  return (await ask(`${url}/api/v1/transactions/${hash}`)).status === 200 ? 1 : 0;
}

async function addUp(network: Network): Promise<void> {
  for (const payment of payments()) await untilConfirmed(network.full.url, payment);
  const blocks = await readBlocks(network.full.url);
  expectOnce(blocks, payments());
  await expectBalances(network.full.url, clients, recipient);
  await expectSameBlocks(blocks, network.archival.url);
  await expectBalances(network.archival.url, clients, recipient);
  console.log(
    `${blocks.length} blocks, which the archival node has too; every payment is in exactly one of them`,
  );
}

async function testDurability(network: Network): Promise<void> {
  await fund(network);
  const end = new AbortController();
  const paying = Promise.all(clients.map(client => client.run(network.gateway.url, end.signal)));
  await Promise.race([killAgainAndAgain(network), paying]);
  end.abort();
  await paying;
  const answered = taken().length;
  const known = await sendTheRest(network);
  console.log(
    `${answered} payments were answered with 202; the node knew ${known} of ${payments().length - answered} others`,
  );
  await addUp(network);
}

console.log(`${KILLS} kills, seed ${SEED}, ${CLIENTS} clients`);
const network = await Network.start(openDirectory('zbc-durability-'), {
  blockTimeSeconds: BLOCK_TIME_SECONDS,
  gateway: { health_interval_ms: 100 },
  // The error output of killed nodes and of their peers is ignored.
  processes: { stderr: 'ignore' },
});
try {
  await testDurability(network);
} finally {
  await network.stop();
}
await checkLedger(network);
const statuses = new Map<number, number>();
for (const [status, count] of clients.flatMap(client => [...client.statuses])) {
  statuses.set(status, (statuses.get(status) ?? 0) + count);
}
console.log(
  `broadcasts by status: ${[...statuses]
    .sort()
    .map(([status, count]) => `${status} ${count}`)
    .join(', ')}`,
);
console.log('no payment was lost or applied twice, and the ledger added up after every kill');
