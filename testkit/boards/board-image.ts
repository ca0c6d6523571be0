import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../repository/repository.js';
import { readSymbols } from './symbols.js';

/** The image of a board under test; mutation tests set another directory. */
export class BoardImage {
  readonly directory: string;
  readonly #symbols: Map<string, number>;

  /** `name` is the base name of its files. */
  constructor(board: string, name = 'zbc-signer') {
    this.directory = process.env.ZBC_BOARD_IMAGE ?? join(root, 'dist/boards', board);
    this.#symbols = readSymbols(join(this.directory, `${name}.sym`));
  }

  /** The content of flash from its start. */
  get bytes(): Uint8Array {
    return readFileSync(join(this.directory, 'zbc-signer.bin'));
  }

  symbol(name: string): number {
    const address = this.#symbols.get(name);
    if (address === undefined) throw new Error(`the image has no ${name}`);
    return address;
  }

  /** Number of bytes between a symbol and the next. */
  sizeOf(name: string): number {
    const start = this.symbol(name);
    return Math.min(...[...this.#symbols.values()].filter(address => address > start)) - start;
  }
}
