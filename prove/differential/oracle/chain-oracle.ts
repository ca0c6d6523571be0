import { createHash } from 'node:crypto';
import {
  type Account,
  decodeLinked,
  decodeTransaction,
  type Transaction,
  TransactionError,
} from '@zbc-signer/chain';
import { MAX_LINKED, MAX_TRANSACTION, SIGN_TX_HEADER_LENGTH } from '@zbc-signer/protocol/limits';
import { APPROVAL_ESCROW, TRANSFER_TOKEN } from '@zbc-signer/protocol/transaction-types';
import { expectedReview } from '#host/device/expected-review.js';
import type { Upload } from '../case/upload.js';
import type { Refusal, Verdict } from './verdict.js';

// Offset of the two lengths in the header of SIGN_TX (docs/APDU.md#sign_tx).
const TRANSACTION_LENGTH_AT = 36;
const LINKED_LENGTH_AT = 40;

/**
 * Returns the verdict that a signer with this account must give, by chain/'s decoder, docs/APDU.md#sign_tx
 * and docs/TRANSACTION.md#signer-rules.
 */
export function chainVerdict(upload: Upload, own: Account): Verdict {
  const early = headerRefusal(upload);
  if (early) return { refused: early };
  try {
    const transaction = decodeTransaction(upload.transaction, own);
    return linkedVerdict(upload, transaction, own);
  } catch (error) {
    return { refused: refusalOf(error) };
  }
}

function headerRefusal({ transaction, linked, token }: Upload): Refusal | undefined {
  const refuse = (status: string, offset: number, reason: string) => ({ status, field: 0, offset, reason });
  if (transaction.length === 0) return refuse('MALFORMED', TRANSACTION_LENGTH_AT, 'tx-empty');
  if (transaction.length > MAX_TRANSACTION) return refuse('TOO_LARGE', TRANSACTION_LENGTH_AT, 'tx-too-large');
  if (linked.length > MAX_LINKED) return refuse('TOO_LARGE', LINKED_LENGTH_AT, 'linked-too-large');
  if (token && transaction.length >= 4 && transaction.readUInt32LE() !== TRANSFER_TOKEN) {
    return refuse('MALFORMED', SIGN_TX_HEADER_LENGTH, 'token-tail-unexpected');
  }
  return undefined;
}

function linkedVerdict(upload: Upload, transaction: Transaction, own: Account): Verdict {
  const { linked: bytes, genesisHash, token } = upload;
  if (transaction.type !== APPROVAL_ESCROW) {
    return bytes.length > 0
      ? { refused: { status: 'MALFORMED', field: 12, offset: 0, reason: 'linked-unexpected' } }
      : show({ genesisHash, transaction, token });
  }
  if (!createHash('sha3-256').update(bytes).digest().equals(transaction.escrowHash)) {
    // The offset of an approval's hash is fixed: 65 bytes of fields 1 to 7 and the decision precede it.
    return { refused: { status: 'ESCROW_HASH_MISMATCH', field: 8, offset: 69, reason: 'escrow-hash' } };
  }
  return show({ genesisHash, transaction, token, linked: decodeLinked(bytes, own).transaction });
}

/** On the screen, a line break looks like a line feed. So line feeds are removed before the comparison. */
function show(subject: Parameters<typeof expectedReview>[0]): Verdict {
  return {
    shown: expectedReview(subject).map(([title, value]) => [title, value.replaceAll('\n', '')]),
  };
}

function refusalOf(error: unknown): Refusal {
  if (!(error instanceof TransactionError)) throw error;
  const { status, field, offset, reason } = error;
  return { status, field, offset, reason };
}
