import {
  type Account,
  decodeLinked,
  formatAccount,
  fromHex,
  type LinkedTransaction,
  sameAccount,
  toHex,
  transactionHash,
} from '@zbc-signer/chain';
import { secondsOf } from '../../clock.js';
import { reasonOf } from '../../errors.js';
import { GatewayMalformedError } from '../../gateway/errors.js';
import type { StoredTransaction } from '../../gateway/index.js';
import { askOthers } from '../chain/chain.js';
import { retryRead } from '../chain/retry.js';
import { escrowDecidedError, escrowMismatchError, escrowNotFoundError, notApproverError } from '../errors.js';
import type { GatewayStep } from '../flow-step.js';
import type { EscrowedPayment } from '../prepared.js';

const DECIDED_STATES = ['approved', 'rejected', 'expired'];

/**
 * Fetches the escrowed transaction. Checks its hash, that no gateway knows a decision, and that `own` is its
 * approver. If there are other gateways, at least one must know the transaction.
 */
export async function readEscrowed(
  step: GatewayStep,
  escrowHash: Uint8Array,
  own: Account,
): Promise<EscrowedPayment> {
  const hash = toHex(escrowHash);
  const stored = await fetchStored(step, hash);
  if (toHex(transactionHash(stored.unsigned, stored.signature)) !== hash) {
    throw escrowMismatchError(hash, 'has a different hash');
  }
  const bytes = new Uint8Array([...stored.unsigned, ...stored.signature]);
  const linked = decodeEscrowed(hash, bytes);
  const others = await askOthers(step, (gateway, options) => gateway.storedTransaction(escrowHash, options));
  const known = others.answers.flatMap(({ answer }) => answer ?? []);
  if (known.length === 0 && step.otherGateways.length > 0) throw others.failure ?? escrowNotFoundError(hash);
  for (const each of [stored, ...known]) checkUndecided(step, hash, each, linked);
  const approver = linked.transaction.escrow?.approver;
  if (approver === undefined || !sameAccount(approver, own)) {
    throw notApproverError(formatAccount(approver ?? own), formatAccount(own));
  }
  return { ...linked, bytes };
}

function checkUndecided(
  step: GatewayStep,
  hash: string,
  { escrowState }: StoredTransaction,
  { transaction: { escrow } }: LinkedTransaction,
): void {
  if (escrowState !== undefined && DECIDED_STATES.includes(escrowState)) {
    throw escrowDecidedError(hash, escrowState);
  }
  if (escrow !== undefined && escrow.timeout <= secondsOf(step.clock))
    throw escrowDecidedError(hash, 'expired');
}

async function fetchStored(step: GatewayStep, hash: string): Promise<StoredTransaction> {
  try {
    const stored = await retryRead(step, options => step.gateway.storedTransaction(fromHex(hash), options));
    if (stored === undefined) throw escrowNotFoundError(hash);
    return stored;
  } catch (error) {
    throw error instanceof GatewayMalformedError
      ? escrowMismatchError(hash, 'has a missing or invalid field', error)
      : error;
  }
}

function decodeEscrowed(hash: string, bytes: Uint8Array): LinkedTransaction {
  try {
    return decodeLinked(bytes);
  } catch (error) {
    throw escrowMismatchError(hash, `is not an escrowed transfer (${reasonOf(error)})`, error);
  }
}
