import { DevelopmentChain } from '#devnet/node/chain/development-chain.js';
import { checkState } from '#devnet/node/chain/state-check.js';
import { endProcess } from '../../testkit/process/child.js';
import type { Network } from '../network/network.js';

/** Kills the full node, adds up what it left behind, and starts it again; throws when the sums are wrong. */
export async function killFull(network: Network): Promise<void> {
  await endProcess(network.full);
  await checkLedger(network);
  await network.startFull();
}

export async function killArchival(network: Network): Promise<void> {
  await endProcess(network.archival);
  await network.startArchival();
}

/** While no full node runs. */
export async function checkLedger({ fullDir }: Network): Promise<void> {
  const chain = await DevelopmentChain.open(fullDir, Date.now);
  const faults = checkState(chain.store);
  await chain.close();
  if (faults.length > 0) throw new Error(`the ledger does not add up: ${faults.join('; ')}`);
}
