import { hash as hashOf } from 'node:crypto';
import { SIGNATURE_LENGTH } from '@zbc-signer/protocol/limits';
import type { Database } from 'lmdb';
import { decodeEnvelope } from '../transaction/envelope.js';
import type { SignedTransaction } from '../transaction/signed-transaction.js';

/** Signed transactions by hash; a value is the hash's input, unsigned bytes followed by the signature. */
export class SignedTable {
  readonly #database: Database<Buffer, string>;

  constructor(database: Database<Buffer, string>) {
    this.#database = database;
  }

  /** Inside `Store.write`. */
  put({ hash, unsigned, broadcast }: SignedTransaction): void {
    this.#database.putSync(hash, Buffer.concat([unsigned, broadcast.signature]));
  }

  /** Undefined when the bytes are missing or do not match the hash. */
  find(hash: string): SignedTransaction | undefined {
    const bytes = this.#database.get(hash);
    // This uses Node's SHA3-256, which is faster than noble's: lists of transactions are hashed on every
    // read.
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
      throw new Error(`transaction ${hash} is missing from the store or altered`);
    }
    return transaction;
  }

  /** Size in bytes, with the signature. */
  sizeOf(hash: string): number {
    return this.#database.get(hash)?.length ?? 0;
  }

  count(): number {
    return this.#database.getCount();
  }
}
