import {
  type BroadcastState,
  type LinkedTransaction,
  type ReviewItem,
  type TokenDetails,
  type Transaction,
  toHex,
} from '@zbc-signer/chain';
import type { TransactionContacts } from '../device/contact.js';

/** An escrowed transaction to decide on; `bytes` are the unsigned bytes and the signature. */
export interface EscrowedPayment extends LinkedTransaction {
  bytes: Uint8Array;
}

/** A transaction that passed every check and waits for its signature. `formatDocument` writes it as JSON. */
export interface PreparedTransaction {
  /** Index of the signing account, 0 to 2^31 - 1. */
  account: number;
  /** 32 bytes. */
  genesisHash: Uint8Array;
  /** The sender's public key, 32 bytes, which is the only one that may sign. */
  publicKey: Uint8Array;
  transaction: Transaction;
  /** The escrowed transaction of an ApprovalEscrow. */
  escrowed?: EscrowedPayment | undefined;
  /** Token details of a TransferToken, which the device shows as reported by the app. */
  token?: TokenDetails | undefined;
  /** Contacts whose names the device shows. */
  contacts?: TransactionContacts | undefined;
  /** The items that the device must show, for the user to compare. */
  review: ReviewItem[];
  /**
   * Height of the newest block when the transaction was prepared; 0 if unknown. Only a later block can
   * contain the transaction.
   */
  height: bigint;
}

/** A prepared transaction with its signature, which was verified. `formatDocument` writes it as JSON. */
export interface SignedTransaction extends PreparedTransaction {
  /** 64 bytes. */
  signature: Uint8Array;
  /** 32 bytes. */
  transactionHash: Uint8Array;
  /** The first 8 bytes of the hash as a signed integer. */
  transactionId: bigint;
  /** Whether the chain may have the transaction. */
  sent: BroadcastState;
}

/** A transaction that a node has accepted. */
export interface SubmittedTransaction extends SignedTransaction {
  sent: 'yes';
  /** Whether the node had the transaction already, from an earlier attempt. */
  duplicate: boolean;
}

/** A submitted transaction with its last reported status. JSON.stringify writes it. */
export interface TransactionOutcome extends SubmittedTransaction {
  /** The status is `submitted` if `waitsForConfirmation` was false and the gateway reported no other status. */
  status: 'submitted' | 'staging' | 'mempool' | 'confirmed';
  blockHeight?: bigint;
}

/**
 * Lets JSON.stringify write the object: integers as strings of decimal digits, bytes as lower-case hex. The
 * method is not enumerable, so that structuredClone can copy the object.
 */
export function withJson<Result extends object>(result: Result): Result {
  return Object.defineProperty(result, 'toJSON', { value: () => toPlain(result) });
}

/**
 * Copies an object with its lists, bytes and fields, for a callback that may modify what it is given. Errors
 * and functions are not copied.
 */
export function copyOf<Value>(value: Value): Value {
  return copyAny(value) as Value;
}

function copyAny(value: unknown): unknown {
  if (value instanceof Uint8Array) return Uint8Array.from(value);
  if (Array.isArray(value)) return value.map(copyAny);
  if (typeof value !== 'object' || value === null || value instanceof Error) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, copyAny(field)]));
}

function toPlain(value: unknown): unknown {
  if (typeof value === 'bigint') return `${value}`;
  if (value instanceof Uint8Array) return toHex(value);
  if (Array.isArray(value)) return value.map(toPlain);
  if (typeof value !== 'object' || value === null) return value;
  const message = value instanceof Error ? [['message', value.message]] : [];
  return Object.fromEntries([
    ...message,
    ...Object.entries(value).map(([name, field]) => [name, toPlain(field)]),
  ]);
}
