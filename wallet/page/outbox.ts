import { toHex } from '@zbc-signer/chain';
import { formatDocument, parseSignedDocument, type SignedTransaction } from '@zbc-signer/host';
import type { BrowserStorage } from '@zbc-signer/web';

const PREFIX = 'zbc-wallet signed ';

/** A transaction that the user approved, kept until the chain is known to have it. */
export interface SignedEntry {
  /** For the user, such as `Send 1.5 ZBC`. */
  title: string;
  signed: SignedTransaction;
}

/**
 * Signed transactions that are not known to be on the chain, kept over a reload: a signature is never lost,
 * and sending one again is the same transaction. Each has a key of its own, with its hash: of a list that two
 * tabs write at a time, browsers keep one.
 */
export class Outbox {
  /** By document, since each check verifies a signature. */
  readonly #checked = new Map<string, SignedTransaction | undefined>();

  constructor(private readonly storage: BrowserStorage | undefined) {}

  /** From now on the chain may have it, whatever becomes of this page. */
  add({ title, signed }: SignedEntry): void {
    const document = formatDocument({ ...signed, sent: 'maybe' });
    try {
      this.storage?.setItem(keyOf(signed), JSON.stringify({ title, document }));
    } catch {}
  }

  remove(signed: SignedTransaction): void {
    try {
      this.storage?.removeItem(keyOf(signed));
    } catch {}
  }

  /** The oldest first. */
  list(): SignedEntry[] {
    return this.#keys()
      .flatMap(key => this.#read(key) ?? [])
      .sort((a, b) => Number(a.signed.transaction.timestamp - b.signed.transaction.timestamp));
  }

  #keys(): string[] {
    const { storage } = this;
    const keys = Array.from({ length: storage?.length ?? 0 }, (_, i) => storage?.key(i) ?? '');
    return keys.filter(key => key.startsWith(PREFIX));
  }

  #read(key: string): SignedEntry | undefined {
    try {
      const { title, document } = JSON.parse(this.storage?.getItem(key) ?? '');
      const signed = this.#check(document);
      return typeof title === 'string' && signed !== undefined && keyOf(signed) === key
        ? { title, signed }
        : undefined;
    } catch {
      return undefined;
    }
  }

  #check(document: string): SignedTransaction | undefined {
    if (!this.#checked.has(document)) this.#checked.set(document, readDocument(document));
    return this.#checked.get(document);
  }
}

function keyOf({ transactionHash }: SignedTransaction): string {
  return PREFIX + toHex(transactionHash);
}

function readDocument(document: string): SignedTransaction | undefined {
  try {
    return parseSignedDocument(document);
  } catch {
    return undefined;
  }
}
