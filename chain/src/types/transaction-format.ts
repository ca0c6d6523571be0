import type { Account } from '../account.js';
import type { ReviewItem } from '../review-item.js';
import type { WireReader } from '../wire-reader.js';
import type { WireWriter } from '../wire-writer.js';

/** Amounts in atomic units, `timeout` in Unix seconds. */
export interface Escrow {
  approver: Account;
  commission: bigint;
  timeout: bigint;
  instruction: Uint8Array;
  multiParty: boolean;
}

/** The fields of every type: `timestamp` in Unix seconds, `fee` in atomic units, `message` empty for none. */
export interface TransactionBase {
  timestamp: bigint;
  sender: Account;
  recipient: Account;
  fee: bigint;
  escrow?: Escrow;
  message: Uint8Array;
}

/** Token details that the device shows as reported by the app. */
export interface TokenDetails {
  /** 0 to 8. */
  decimals?: number | undefined;
  /** Up to 12 printable ASCII characters without spaces. */
  symbol?: string | undefined;
}

/** A field of a body, for people and programs. */
export interface BodyField {
  /** In JSON; `value` is an amount in atomic units, a text, or bytes in hex. */
  key: string;
  value: bigint | string | boolean;
  name: string;
  text: string;
}

/** What sets the transactions of one type apart from the others. */
export interface TransactionFormat<Body> {
  /** What the signer's Type and Escrow type screens show (docs/TRANSACTION.md#review-items). */
  shownName: string;
  /** Has a recipient, and may have an escrow; the others have neither. */
  isPayment: boolean;
  /** The body lengths that a signer accepts. */
  bodyLengths: readonly number[];
  /** Reads field 8, of `length` bytes. */
  read(reader: WireReader, length: number): Body;
  /** Writes field 8. */
  write(writer: WireWriter, body: Body): void;
  /** In the order of the wire. */
  fields(body: Body): BodyField[];
  /** The atomic units of the coin that leave the sender's account beside an escrow's commission. */
  coinsLeaving(transaction: TransactionBase & Body): bigint;
  /** The items that a signer shows between the type and the message. */
  itemsBeforeMessage(transaction: TransactionBase & Body): ReviewItem[];
  /** The items that a signer shows last; `linked` are those of an escrow that is decided about. */
  itemsAfterEscrow(
    transaction: TransactionBase & Body,
    token: TokenDetails,
    linked: readonly ReviewItem[],
  ): ReviewItem[];
  /** The items of what an escrow holds. */
  itemsInEscrow(body: Body): ReviewItem[];
}
