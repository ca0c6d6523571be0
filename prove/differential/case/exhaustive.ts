import { type TransactionCase, transactions } from '../../../testkit/repository/vectors.js';
import { type Upload, uploadOfVector } from './upload.js';
import { withLinked } from './upload-edits.js';

/**
 * The bytes that are inserted at every place. `some` are bytes that are meaningful to a parser, and the
 * neighbouring byte; `all` are all 256 bytes.
 */
export type Insertions = 'some' | 'all';

const TELLING_BYTES = [0x00, 0x01, 0x02, 0x7f, 0x80, 0xff];
const ALL_BYTES = [...Array(256).keys()];

/** Yields every bit flip, every truncation and every insertion of one byte. */
export function* neighbours(bytes: Buffer, insertions: Insertions): Generator<Buffer> {
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const flipped = Buffer.from(bytes);
    flipped[bit >> 3]! ^= 1 << (bit & 7);
    yield flipped;
  }
  for (let length = 0; length < bytes.length; length++) yield bytes.subarray(0, length);
  for (let at = 0; at <= bytes.length; at++) {
    const values = insertions === 'all' ? ALL_BYTES : [...TELLING_BYTES, bytes[at] ?? bytes[at - 1]!];
    for (const value of new Set(values)) {
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
  insertions: Insertions,
  vectors: readonly TransactionCase[] = transactions.cases.filter(isShort),
): Generator<Upload> {
  for (const upload of vectors.map(uploadOfVector)) {
    for (const transaction of neighbours(upload.transaction, insertions)) yield { ...upload, transaction };
    if (upload.linked.length > 0) {
      for (const linked of neighbours(upload.linked, insertions)) {
        yield { ...upload, linked };
        yield withLinked(upload, linked);
      }
    }
  }
}
