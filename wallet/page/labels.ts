import { cleanText, decodeAddress, encodeAddress } from '@zbc-signer/chain';
import type { BrowserStorage } from '@zbc-signer/web';
import { t } from './language.js';
import { PageError } from './words.js';

const KEY = 'zbc-wallet labels';
const FORMAT = 'zbc-wallet-labels';
const MAX_NAME = 40;
const MAX_LABELS = 1000;

/** Names that the user gave to addresses, own and others'; they stay in this browser. */
export class Labels {
  constructor(private readonly storage: BrowserStorage | undefined) {}

  /** Names by address, in the order in which they were given. */
  get all(): ReadonlyMap<string, string> {
    try {
      const kept: unknown = JSON.parse(this.storage?.getItem(KEY) ?? '[]');
      return new Map((kept as [string, string][]).map(([address, name]) => [`${address}`, `${name}`]));
    } catch {
      return new Map();
    }
  }

  nameOf(address: string): string | undefined {
    return this.all.get(address);
  }

  /** An empty name removes the label. */
  set(address: string, name: string): void {
    const labels = new Map(this.all);
    const clean = cleanText(name.trim(), MAX_NAME);
    if (clean === '') labels.delete(address);
    else labels.set(address, clean);
    this.#keep(labels);
  }

  /** The names as a document for `load`. */
  format(): string {
    return JSON.stringify({ format: FORMAT, labels: [...this.all] });
  }

  /** Adds the names of a document; returns how many. Throws for another document, and keeps nothing of it. */
  load(text: string): number {
    const labels = readLabels(text);
    this.#keep(new Map([...this.all, ...labels]));
    return labels.length;
  }

  #keep(labels: ReadonlyMap<string, string>): void {
    try {
      this.storage?.setItem(KEY, JSON.stringify([...labels]));
    } catch {}
  }
}

function readLabels(text: string): [address: string, name: string][] {
  try {
    const { format, labels } = JSON.parse(text) as { format: unknown; labels: [string, string][] };
    if (format !== FORMAT || labels.length > MAX_LABELS) throw new Error('it has another format');
    return labels.map(([address, name]) => [
      encodeAddress(decodeAddress(address)),
      cleanText(name, MAX_NAME),
    ]);
  } catch (error) {
    throw new PageError(t`the file holds no names of this wallet: ${(error as Error).message}`);
  }
}
