import { hash as hashOf } from 'node:crypto';
import { SIGNATURE_LENGTH } from '@zbc-signer/protocol/limits';
import type { Database } from 'lmdb';
import { decodeEnvelope } from '../transaction/envelope.js';
import type { SignedTransaction } from '../transaction/signed-transaction.js';

/** Signed transactions by hash. A value is the hash's input: the unsigned bytes followed by the signature. */
export class SignedTable {
  readonly #database: Database<Buffer, string>;

  constructor(database: Database<Buffer, string>) {
    this.#database = database;
  }

  /** Stores a transaction. Must be called inside `Store.write`. */
  put({ hash, unsigned, broadcast }: SignedTransaction): void {
    this.#database.putSync(hash, Buffer.concat([unsigned, broadcast.signature]));
  }

  /** Returns a transaction; undefined if its bytes are missing or do not match the hash. */
  find(hash: string): SignedTransaction | undefined {
    const bytes = this.#database.get(hash);
    // Node's SHA3-256 is used because it is faster than that of noble: each read of a list of transactions
    // hashes all of them.
    if (bytes === undefined || bytes.length < SIGNATURE_LENGTH || hashOf('sha3-256', bytes) !== hash) {
      return undefined;
    }
    const [unsigned, signature] = [bytes.subarray(0, -SIGNATURE_LENGTH), bytes.subarray(-SIGNATURE_LENGTH)];
    return { hash, unsigned, broadcast: { ...decodeEnvelope(unsigned), signature } };
  }

  /** Like `find`, but throws instead of returning undefined. */
  get(hash: string): SignedTransaction {
    const transaction = this.find(hash);
    if (transaction === undefined) {
      throw new Error(`transaction ${hash} is missing from the store or altered in it`);
    }
    return transaction;
  }

  /** Returns the size in bytes, with the signature; 0 for an unknown transaction. */
  sizeOf(hash: string): number {
    return this.#database.get(hash)?.length ?? 0;
  }

  count(): number {
    return this.#database.getCount();
  }
}
