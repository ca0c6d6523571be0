import { createHash } from 'node:crypto';
import { type TransactionCase, transactions } from '../../testkit/repository/vectors.js';
import { type Upload, uploadOfVector } from './upload.js';

/** Bytes that are meaningful to a parser; they and the neighbouring byte are inserted at every place. */
const TELLING_BYTES = [0x00, 0x01, 0x02, 0x7f, 0x80, 0xff];
/** Offset of the hash in an approval's body, after 65 bytes of fields 1 to 7 and the decision. */
const HASH_AT = 69;

/** Yields every bit flip, every truncation and some insertions of one byte at every place. */
function* neighbours(bytes: Buffer): Generator<Buffer> {
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const flipped = Buffer.from(bytes);
    flipped[bit >> 3]! ^= 1 << (bit & 7);
    yield flipped;
  }
  for (let length = 0; length < bytes.length; length++) yield bytes.subarray(0, length);
  for (let at = 0; at <= bytes.length; at++) {
    for (const value of new Set([...TELLING_BYTES, bytes[at] ?? bytes[at - 1]!])) {
      yield Buffer.concat([bytes.subarray(0, at), Buffer.of(value), bytes.subarray(at)]);
    }
  }
}

/** A long vector has too many neighbours; most of them differ only in the middle of a text. */
const isShort = ({ tx, linked = '' }: TransactionCase) => tx.length + linked.length < 1400;

/**
 * Yields the neighbours of each short vector's transaction, and of its linked bytes. With changed linked bytes, the
 * hash of them in the transaction is once the old one and once corrected.
 */
export function* vectorCases(
  vectors: readonly TransactionCase[] = transactions.cases.filter(isShort),
): Generator<Upload> {
  for (const upload of vectors.map(uploadOfVector)) {
    for (const transaction of neighbours(upload.transaction)) yield { ...upload, transaction };
    if (upload.linked.length > 0) {
      for (const linked of neighbours(upload.linked)) {
        yield { ...upload, linked };
        const transaction = Buffer.from(upload.transaction);
        createHash('sha3-256').update(linked).digest().copy(transaction, HASH_AT);
        yield { ...upload, transaction, linked };
      }
    }
  }
}
