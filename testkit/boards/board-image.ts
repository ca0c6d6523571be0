import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../repository/repository.js';
import { readSymbols } from './symbols.js';

/** The image of a board under test. Mutation tests set ZBC_BOARD_IMAGE to the directory of another image. */
export class BoardImage {
  readonly directory: string;
  readonly #symbols: Map<string, number>;

  /** `name` is the base name of the image's files. */
  constructor(board: string, name = 'zbc-signer') {
    this.directory = process.env.ZBC_BOARD_IMAGE ?? join(root, 'dist/boards', board);
    this.#symbols = readSymbols(join(this.directory, `${name}.sym`));
  }

  /** The image as the content of flash, from the start of flash. */
  get bytes(): Uint8Array {
    return readFileSync(join(this.directory, 'zbc-signer.bin'));
  }

  symbol(name: string): number {
    const address = this.#symbols.get(name);
    if (address === undefined) throw new Error(`the image has no symbol ${name}`);
    return address;
  }

  /** Returns the number of bytes between a symbol and the next symbol. */
  sizeOf(name: string): number {
    const start = this.symbol(name);
    return Math.min(...[...this.#symbols.values()].filter(address => address > start)) - start;
  }
}
