import {
  type Account,
  decodeLinked,
  formatAccount,
  type LinkedTransaction,
  sameAccount,
  toHex,
  transactionHash,
} from '../../../chain/src/index.js';
import { GatewayAnswerError } from '../gateway/errors.js';
import type { StoredTransaction } from '../gateway/index.js';
import { EscrowMismatchError, EscrowNotFoundError, NotApproverError } from './errors.js';
import { retryRead } from './retry.js';
import type { Run } from './run.js';

/** The escrowed transaction, and its bytes with the signature behind them, as SIGN_TX wants them. */
export interface Escrowed extends LinkedTransaction {
  bytes: Uint8Array;
}

/** Fetches the transaction whose escrow `own` is to decide on, and makes sure that it is the one with that hash. */
export async function readEscrowed(run: Run, escrowHash: Uint8Array, own: Account): Promise<Escrowed> {
  const hash = toHex(escrowHash);
  const stored = await fetchStored(run, hash);
  if (toHex(transactionHash(stored.unsigned, stored.signature)) !== hash) {
    throw new EscrowMismatchError(hash, 'has another hash');
  }
  const bytes = new Uint8Array([...stored.unsigned, ...stored.signature]);
  const linked = decodeEscrowed(hash, bytes);
  const approver = linked.transaction.escrow?.approver;
  if (approver === undefined || !sameAccount(approver, own)) {
    throw new NotApproverError(formatAccount(approver ?? own), formatAccount(own));
  }
  return { ...linked, bytes };
}

async function fetchStored(run: Run, hash: string): Promise<StoredTransaction> {
  try {
    const stored = await retryRead(run, options => run.gateway.storedTransaction(hash, options));
    if (stored === undefined) {
      throw new EscrowNotFoundError(hash);
    }
    return stored;
  } catch (error) {
    throw error instanceof GatewayAnswerError
      ? new EscrowMismatchError(hash, 'cannot be rebuilt', error)
      : error;
  }
}

function decodeEscrowed(hash: string, bytes: Uint8Array): LinkedTransaction {
  try {
    return decodeLinked(bytes);
  } catch (error) {
    const fault = error instanceof Error ? error.message : 'is not valid';
    throw new EscrowMismatchError(hash, `is not one to decide on (${fault})`, error);
  }
}
