import { TREASURY_HEX } from '#devnet/node/genesis.js';
import { type Numbers, pick } from '../../testkit/chain/numbers.js';

/** What requests can ask for: each node has it. */
export class Known {
  /** Of confirmed payments. */
  readonly hashes: string[] = [];
  height = 0n;

  constructor(
    /** Wire hex. */
    private readonly accounts: readonly string[],
    private readonly numbers: Numbers,
  ) {}

  learn(hash: string, height: bigint): void {
    this.hashes.push(hash);
    if (height > this.height) this.height = height;
  }

  /** Puts something of the chain for each name in a path. */
  fill(path: string): string {
    return path
      .replace(':treasury', TREASURY_HEX)
      .replace(':account', () => pick(this.numbers, this.accounts))
      .replace(':hash', () => pick(this.numbers, this.hashes))
      .replace(':height', () => `${this.numbers(Number(this.height) + 1)}`);
  }
}
