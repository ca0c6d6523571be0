import { toHex } from '@zbc-signer/chain';
import { formatDocument, parseSignedDocument, type SignedTransaction } from '@zbc-signer/host';
import type { BrowserStorage } from '@zbc-signer/web';

const KEY = 'zbc-wallet signed';
const MAX_KEPT = 20;

/** A transaction that the user approved, kept until the chain is known to have it. */
export interface SignedEntry {
  /** For the user, such as `Send 1.5 ZBC`. */
  title: string;
  signed: SignedTransaction;
}

/** What the storage has of an entry: `document` is the library's. */
interface KeptEntry {
  title: string;
  document: string;
}

/**
 * Signed transactions that are not known to be on the chain, kept over a reload: a signature is never lost,
 * and sending one again is the same transaction.
 */
export class Outbox {
  /** By document, since each check verifies a signature. */
  readonly #checked = new Map<string, SignedTransaction | undefined>();

  constructor(private readonly storage: BrowserStorage | undefined) {}

  /** From now on the chain may have it, whatever becomes of this page. */
  add({ title, signed }: SignedEntry): void {
    const document = formatDocument({ ...signed, sent: 'maybe' });
    this.#write([...this.#without(toHex(signed.transactionHash)), { title, document }].slice(-MAX_KEPT));
  }

  remove(hash: string): void {
    this.#write(this.#without(hash));
  }

  list(): SignedEntry[] {
    return this.#read().flatMap(({ title, document }) => {
      const signed = this.#check(document);
      return signed === undefined ? [] : [{ title, signed }];
    });
  }

  #without(hash: string): KeptEntry[] {
    return this.#read().filter(({ document }) => {
      const signed = this.#check(document);
      return signed !== undefined && toHex(signed.transactionHash) !== hash;
    });
  }

  #check(document: string): SignedTransaction | undefined {
    if (!this.#checked.has(document)) this.#checked.set(document, readDocument(document));
    return this.#checked.get(document);
  }

  #read(): KeptEntry[] {
    try {
      const kept: unknown = JSON.parse(this.storage?.getItem(KEY) ?? '[]');
      return Array.isArray(kept) ? kept.filter(isKept) : [];
    } catch {
      return [];
    }
  }

  #write(entries: readonly KeptEntry[]): void {
    try {
      this.storage?.setItem(KEY, JSON.stringify(entries));
    } catch {}
  }
}

function readDocument(document: string): SignedTransaction | undefined {
  try {
    return parseSignedDocument(document);
  } catch {
    return undefined;
  }
}

function isKept(value: unknown): value is KeptEntry {
  return ['title', 'document'].every(name => typeof Reflect.get(Object(value), name) === 'string');
}
