import type { WireReader } from '../wire-reader.js';
import type { WireWriter } from '../wire-writer.js';

/** What sets the transactions of one type apart from the others. */
export interface TransactionFormat<Body> {
  /** What the signer's Type and Escrow type screens show (docs/APDU.md). */
  shownName: string;
  /** Has a recipient, and may have an escrow; the others have neither. */
  isPayment: boolean;
  /** The body lengths that a signer accepts. */
  bodyLengths: readonly number[];
  /** Reads field 8, of `length` bytes. */
  read(reader: WireReader, length: number): Body;
  /** Writes field 8. */
  write(writer: WireWriter, body: Body): void;
}
