import type { Account } from '../account.js';
import type { ReviewItem } from '../review-item.js';
import type { WireReader } from '../wire-reader.js';
import type { WireWriter } from '../wire-writer.js';

/** The escrow of a transfer; `commission` is in atomic units, `timeout` in Unix seconds. */
export interface Escrow {
  approver: Account;
  commission: bigint;
  timeout: bigint;
  instruction: Uint8Array;
  multiParty: boolean;
}

/**
 * The fields that transactions of every type have. `timestamp` is in Unix seconds, `fee` in atomic units, and
 * `message` is empty if there is no message.
 */
export interface TransactionBase {
  timestamp: bigint;
  sender: Account;
  recipient: Account;
  fee: bigint;
  escrow?: Escrow;
  message: Uint8Array;
}

/** Token details that the device shows under "As reported by the app". */
export interface TokenDetails {
  /** Number of decimals, 0 to 8. */
  decimals?: number | undefined;
  /** Symbol of up to 12 printable ASCII characters, without spaces. */
  symbol?: string | undefined;
}

/** A field of a body, for display and for JSON. */
export interface BodyField {
  /** Name in JSON. `value` is an amount in atomic units, a text, or bytes in hex. */
  key: string;
  value: bigint | string | boolean;
  name: string;
  text: string;
}

/** The properties that distinguish the transactions of one type. */
export interface TransactionFormat<Body> {
  /** The text of the signer's Type and Escrow type screens (docs/TRANSACTION.md#review-items). */
  shownName: string;
  /** Whether the type has a recipient and may have an escrow. */
  isPayment: boolean;
  /** The body lengths that a signer accepts. */
  bodyLengths: readonly number[];
  /** Reads field 8, of `length` bytes. */
  read(reader: WireReader, length: number): Body;
  /** Writes field 8. */
  write(writer: WireWriter, body: Body): void;
  /** Returns the body's fields in wire order. */
  fields(body: Body): BodyField[];
  /**
   * Returns the coins in atomic units that leave the sender's account, without the commission of an escrow.
   */
  coinsLeaving(transaction: TransactionBase & Body): bigint;
  /** Returns the items that a signer shows between the type and the message. */
  itemsBeforeMessage(transaction: TransactionBase & Body): ReviewItem[];
  /** Returns the items that a signer shows last. `linked` are the items of the escrow to decide on. */
  itemsAfterEscrow(
    transaction: TransactionBase & Body,
    token: TokenDetails,
    linked: readonly ReviewItem[],
  ): ReviewItem[];
  /** Returns the items for this body in the review of a decision on its escrow. */
  itemsInEscrow(body: Body): ReviewItem[];
}
