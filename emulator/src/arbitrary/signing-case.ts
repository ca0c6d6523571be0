import { createHash } from 'node:crypto';
import {
  type Account,
  decodeLinked,
  decodeTransaction,
  encodeTransaction,
  type RefusalReason,
  type ReviewItem,
  type Transaction,
  TransactionError,
  type TransactionErrorStatus,
} from '@zbc-signer/chain';
import { expectedReview } from '@zbc-signer/host';
import { MAX_LINKED, MAX_TRANSACTION, SIGN_TX_HEADER_LENGTH } from '@zbc-signer/protocol/limits';
import { APPROVAL_ESCROW, TRANSFER_TOKEN } from '@zbc-signer/protocol/transaction-types';
import { linkedBytes, type SigningRequest } from './requests.js';

/** A refusal as docs/APDU.md#refusal-details describes it. */
export interface ExpectedRefusal {
  status: TransactionErrorStatus | 'ESCROW_HASH_MISMATCH';
  field: number;
  offset: number;
  reason: RefusalReason;
}

/** The required behaviour: show these items, or refuse. */
export type ExpectedOutcome = { review: ReviewItem[] } | { refusal: ExpectedRefusal };

/** The arguments of SIGN_TX for account 0, and the required behaviour. */
export interface SigningCase {
  /** Description for the report of a failed property. */
  name: string;
  request: SigningRequest;
  /** The unsigned transaction. */
  bytes: Uint8Array;
  /** The escrowed transaction and its signature; may be empty. */
  linked: Uint8Array;
  /** Whether `bytes` are the correct encoding of `request.transaction`. */
  isEncoding: boolean;
  expected: ExpectedOutcome;
}

/** Bytes of a case that replace those encoded from its request. */
type CaseEdits = Partial<Pick<SigningCase, 'bytes' | 'linked'>>;

/** The case of a request, with the outcome for the signer of the account `own`. */
export function signingCase(
  name: string,
  request: SigningRequest,
  own: Account,
  edits: CaseEdits = {},
): SigningCase {
  const { transaction, escrowed, signature } = request;
  const {
    bytes = encodeTransaction(transaction),
    linked = escrowed && signature ? linkedBytes(escrowed, signature) : new Uint8Array(),
  } = edits;
  const expected = expectedOutcome(request, bytes, linked, own);
  return { name, request, bytes, linked, isEncoding: edits.bytes === undefined, expected };
}

// Offsets of the two lengths in the header of SIGN_TX (docs/APDU.md#sign_tx).
const TRANSACTION_LENGTH_AT = 36;
const LINKED_LENGTH_AT = 40;
/**
 * Offset of the hash in an approval, whose layout is fixed. Fields 1 to 7 (65 bytes) and the decision (4
 * bytes) precede the hash.
 */
const ESCROW_HASH_AT = 69;

/** The arguments of SIGN_TX beside the bytes. */
type Arguments = Pick<SigningRequest, 'genesisHash'> & { token?: SigningRequest['token'] | undefined };

/** The outcome according to the host's decoder and reviews, which share no code with the firmware. */
export function expectedOutcome(
  request: Arguments,
  bytes: Uint8Array,
  linked: Uint8Array,
  own: Account,
): ExpectedOutcome {
  const early = headerRefusal(request, bytes, linked);
  if (early) return { refusal: early };
  try {
    return decodedOutcome(request, decodeTransaction(bytes, own), linked, own);
  } catch (error) {
    if (!(error instanceof TransactionError)) throw error;
    const { status, field, offset, reason } = error;
    return { refusal: { status, field, offset, reason } };
  }
}

function headerRefusal(
  { token }: Arguments,
  bytes: Uint8Array,
  linked: Uint8Array,
): ExpectedRefusal | undefined {
  if (bytes.length === 0)
    return { status: 'MALFORMED', field: 0, offset: TRANSACTION_LENGTH_AT, reason: 'tx-empty' };
  if (bytes.length > MAX_TRANSACTION) {
    return { status: 'TOO_LARGE', field: 0, offset: TRANSACTION_LENGTH_AT, reason: 'tx-too-large' };
  }
  if (linked.length > MAX_LINKED)
    return { status: 'TOO_LARGE', field: 0, offset: LINKED_LENGTH_AT, reason: 'linked-too-large' };
  if (
    token &&
    bytes.length >= 4 &&
    new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true) !== TRANSFER_TOKEN
  ) {
    return { status: 'MALFORMED', field: 0, offset: SIGN_TX_HEADER_LENGTH, reason: 'token-tail-unexpected' };
  }
  return undefined;
}

function decodedOutcome(
  { genesisHash, token }: Arguments,
  transaction: Transaction,
  linked: Uint8Array,
  own: Account,
): ExpectedOutcome {
  if (transaction.type !== APPROVAL_ESCROW) {
    return linked.length > 0
      ? { refusal: { status: 'MALFORMED', field: 12, offset: 0, reason: 'linked-unexpected' } }
      : { review: expectedReview({ genesisHash, transaction, token }) };
  }
  if (!createHash('sha3-256').update(linked).digest().equals(transaction.escrowHash)) {
    const reason = 'escrow-hash';
    return { refusal: { status: 'ESCROW_HASH_MISMATCH', field: 8, offset: ESCROW_HASH_AT, reason } };
  }
  const escrowed = decodeLinked(linked, own).transaction;
  return { review: expectedReview({ genesisHash, transaction, linked: escrowed, token }) };
}
