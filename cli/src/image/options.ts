import { BOARDS, type Board, findBoard } from '@zbc-signer/image';
import { UsageError } from '../errors/errors.js';

/** Far above the flash of any board. */
export const MAX_IMAGE_BYTES = 64 * 1024 * 1024;

const NAMES = BOARDS.map(({ name }) => name);

export const BOARD_OPTION = {
  board: {
    demandOption: true,
    describe: `the board: ${NAMES.join(', ')}`,
  },
} as const;

export const OUTPUT_OPTIONS = {
  output: { alias: 'o', demandOption: true, describe: 'file to write' },
  force: { type: 'boolean', describe: 'replace what exists' },
} as const;

/** Throws UsageError for a board that is none. */
export function parseBoard(name: string): Board {
  const board = findBoard(name);
  if (board === undefined) throw new UsageError(`--board must be one of ${NAMES.join(', ')}`);
  return board;
}

export const VERIFY_KEY_OPTIONS = {
  'public-key': {
    describe: 'file with the Ed25519 public key that you trust, in PEM or hex',
  },
  development: { type: 'boolean', describe: 'the development key, which everyone knows' },
} as const;
