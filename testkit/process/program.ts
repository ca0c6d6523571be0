import { join } from 'node:path';
import { root } from '../repository/repository.js';

/** The compiled command line, one file per module. */
export const COMPILED_PROGRAM = join(root, 'cli/dist/main.js');

/** The published command line. */
export const BUNDLED_PROGRAM = join(root, 'cli/dist/bundle/main.js');

/**
 * The program that tests start: with `BUNDLED=1`, which `npm test` sets, the bundle, which starts in half the
 * time. A proof that changes compiled files leaves the variable unset.
 */
export const PROGRAM = process.env.BUNDLED === '1' ? BUNDLED_PROGRAM : COMPILED_PROGRAM;
