import { join } from 'node:path';
import { root } from '../repository/repository.js';

/** Path of the compiled command line, in which each module is a file. */
export const COMPILED_PROGRAM = join(root, 'cli/dist/main.js');

/** Path of the published command line, which is one bundle. */
export const BUNDLED_PROGRAM = join(root, 'cli/dist/bundle/main.js');

/**
 * Path of the program that tests start. `npm test` sets `BUNDLED=1`, which selects the bundle, because it
 * starts in half the time. A proof that changes compiled files does not set the variable.
 */
export const PROGRAM = process.env.BUNDLED === '1' ? BUNDLED_PROGRAM : COMPILED_PROGRAM;
