import { decodeTransaction, fromHex, type Transaction, toHex } from '@zbc-signer/chain';

const KEY = 'zbc-wallet signed';
const MAX_KEPT = 20;

/** A transaction that the user approved, kept until the chain is known to have it. */
export interface SignedEntry {
  /** Lower-case hex, as all bytes here. */
  hash: string;
  genesisHash: string;
  unsigned: string;
  signature: string;
  /** For the user, such as `Send 1.5 ZBC`. */
  title: string;
}

/**
 * Signed transactions that are not known to be on the chain, kept over a reload: a signature is never lost,
 * and sending one again is the same transaction.
 */
export class Outbox {
  add(entry: SignedEntry): void {
    this.#write([...this.list().filter(({ hash }) => hash !== entry.hash), entry].slice(-MAX_KEPT));
  }

  remove(hash: string): void {
    this.#write(this.list().filter(entry => entry.hash !== hash));
  }

  list(): SignedEntry[] {
    try {
      const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
      return Array.isArray(kept) ? kept.filter(isEntry) : [];
    } catch {
      return [];
    }
  }

  #write(entries: readonly SignedEntry[]): void {
    try {
      localStorage.setItem(KEY, JSON.stringify(entries));
    } catch {}
  }
}

export function readEntry({ unsigned, signature }: SignedEntry): {
  transaction: Transaction;
  signature: Uint8Array;
} {
  return { transaction: decodeTransaction(fromHex(unsigned)), signature: fromHex(signature) };
}

export function makeEntry(
  request: { genesisHash: Uint8Array; transaction: Uint8Array },
  signed: { signature: Uint8Array; transactionHash: Uint8Array },
  title: string,
): SignedEntry {
  return {
    hash: toHex(signed.transactionHash),
    genesisHash: toHex(request.genesisHash),
    unsigned: toHex(request.transaction),
    signature: toHex(signed.signature),
    title,
  };
}

function isEntry(value: unknown): value is SignedEntry {
  const names = ['hash', 'genesisHash', 'unsigned', 'signature', 'title'];
  return names.every(name => typeof Reflect.get(Object(value), name) === 'string');
}
