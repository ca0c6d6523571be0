import { cleanText, decodeAddress, encodeAddress } from '@zbc-signer/chain';
import type { BrowserStorage } from '@zbc-signer/web';
import { readStored, store } from './storage.js';
import { PageError } from './words.js';

const KEY = 'zbc-wallet labels';
const FORMAT = 'zbc-wallet-labels';
const MAX_NAME = 40;
const MAX_LABELS = 1000;

/** Names that the user has given to their own and to other addresses. They stay in this browser. */
export class Labels {
  /** The stored text when it was last read. `#names` has the names in it. */
  #text = '';
  #names: ReadonlyMap<string, string> = new Map();

  constructor(private readonly storage: BrowserStorage | undefined) {}

  /** Names by address, in the order in which they were given. */
  get all(): ReadonlyMap<string, string> {
    const text = readStored(this.storage, KEY);
    if (text !== this.#text) {
      this.#names = parseNames(text);
      this.#text = text;
    }
    return this.#names;
  }

  nameOf(address: string): string | undefined {
    return this.all.get(address);
  }

  /** Gives an address a name. An empty name removes the name. */
  set(address: string, name: string): void {
    const labels = new Map(this.all);
    const clean = cleanName(name);
    if (clean === '') labels.delete(address);
    else labels.set(address, clean);
    this.#keep(labels);
  }

  /** Formats the names as a document for `load`. */
  format(): string {
    return JSON.stringify({ format: FORMAT, labels: [...this.all] });
  }

  /**
   * Adds the names of a document, and returns their number. Throws if the document is invalid or the browser
   * cannot store the names; then none of them is added.
   */
  load(text: string): number {
    const labels = readLabels(text);
    if (!this.#keep(new Map([...this.all, ...labels])))
      throw new PageError('the browser cannot keep the names');
    return labels.length;
  }

  /** Stores the names. Returns whether the browser has stored them. */
  #keep(labels: ReadonlyMap<string, string>): boolean {
    return store(this.storage, KEY, JSON.stringify([...labels]));
  }
}

/** Reads stored names; empty if the text is damaged. */
function parseNames(text: string): Map<string, string> {
  try {
    const stored = JSON.parse(text) as [string, string][];
    return new Map(stored.map(([address, name]) => [`${address}`, `${name}`]));
  } catch {
    return new Map();
  }
}

const cleanName = (name: string): string => cleanText(name, MAX_NAME).trim();

function readLabels(text: string): [address: string, name: string][] {
  try {
    const { format, labels } = JSON.parse(text) as { format: unknown; labels: [string, string][] };
    if (format !== FORMAT || labels.length > MAX_LABELS) throw new Error('the file has a different format');
    return labels
      .map(([address, name]): [string, string] => [encodeAddress(decodeAddress(address)), cleanName(name)])
      .filter(([, name]) => name !== '');
  } catch (error) {
    throw new PageError(`the file holds no names of this wallet: ${(error as Error).message}`);
  }
}
