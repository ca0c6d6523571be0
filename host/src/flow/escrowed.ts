import {
  type Account,
  decodeLinked,
  formatAccount,
  type LinkedTransaction,
  sameAccount,
  toHex,
  transactionHash,
} from '@zbc-signer/chain';
import { GatewayMalformedError } from '../gateway/errors.js';
import type { StoredTransaction } from '../gateway/index.js';
import { escrowDecidedError, escrowMismatchError, escrowNotFoundError, notApproverError } from './errors.js';
import { retryRead } from './retry.js';
import type { Run } from './run.js';

const DECIDED_STATES = ['approved', 'rejected', 'expired'];

/** The escrowed transaction; `bytes` are the unsigned bytes and the signature. */
export interface Escrowed extends LinkedTransaction {
  bytes: Uint8Array;
}

/** Fetches the escrowed transaction, and checks its hash and that `own` is its approver. */
export async function readEscrowed(run: Run, escrowHash: Uint8Array, own: Account): Promise<Escrowed> {
  const hash = toHex(escrowHash);
  const stored = await fetchStored(run, hash);
  if (toHex(transactionHash(stored.unsigned, stored.signature)) !== hash) {
    throw escrowMismatchError(hash, 'has a different hash');
  }
  const bytes = new Uint8Array([...stored.unsigned, ...stored.signature]);
  const linked = decodeEscrowed(hash, bytes);
  checkUndecided(run, hash, stored, linked);
  const approver = linked.transaction.escrow?.approver;
  if (approver === undefined || !sameAccount(approver, own)) {
    throw notApproverError(formatAccount(approver ?? own), formatAccount(own));
  }
  return { ...linked, bytes };
}

function checkUndecided(
  run: Run,
  hash: string,
  { escrowState }: StoredTransaction,
  { transaction: { escrow } }: LinkedTransaction,
): void {
  if (escrowState !== undefined && DECIDED_STATES.includes(escrowState)) {
    throw escrowDecidedError(hash, escrowState);
  }
  const now = BigInt(Math.floor(run.clock.now() / 1000));
  if (escrow !== undefined && escrow.timeout <= now) throw escrowDecidedError(hash, 'expired');
}

async function fetchStored(run: Run, hash: string): Promise<StoredTransaction> {
  try {
    const stored = await retryRead(run, options => run.gateway.storedTransaction(hash, options));
    if (stored === undefined) throw escrowNotFoundError(hash);
    return stored;
  } catch (error) {
    throw error instanceof GatewayMalformedError
      ? escrowMismatchError(hash, 'cannot be rebuilt', error)
      : error;
  }
}

function decodeEscrowed(hash: string, bytes: Uint8Array): LinkedTransaction {
  try {
    return decodeLinked(bytes);
  } catch (error) {
    const fault = error instanceof Error ? error.message : 'is not valid';
    throw escrowMismatchError(hash, `is not an escrowed transfer (${fault})`, error);
  }
}
