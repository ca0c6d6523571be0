import { TREASURY_HEX } from '#devnet/node/genesis.js';
import { type Numbers, pick } from '../../../testkit/chain/numbers.js';

/** Data that requests can ask for and each node has. */
export class KnownChainData {
  /** Hashes of confirmed payments. */
  readonly hashes: string[] = [];
  height = 0n;

  constructor(
    /** Accounts in wire hex. */
    private readonly accounts: readonly string[],
    private readonly numbers: Numbers,
  ) {}

  learn(hash: string, height: bigint): void {
    this.hashes.push(hash);
    if (height > this.height) this.height = height;
  }

  /** Replaces each name in a path by data of the chain. */
  fill(path: string): string {
    return path
      .replace(':treasury', TREASURY_HEX)
      .replace(':account', () => pick(this.numbers, this.accounts))
      .replace(':hash', () => pick(this.numbers, this.hashes))
      .replace(':height', () => `${this.numbers(Number(this.height) + 1)}`);
  }
}
