import { join } from 'node:path';
import { root } from '../repository/repository.js';

/** The command line as compiled, a file a module. */
export const COMPILED_PROGRAM = join(root, 'cli/dist/main.js');

/** The command line as it is published. */
export const BUNDLED_PROGRAM = join(root, 'cli/dist/bundle/main.js');

/**
 * What tests start: with `BUNDLED=1`, as `npm test` sets it, the bundle, which starts in half the time. A
 * proof that changes compiled files leaves the variable unset.
 */
export const PROGRAM = process.env.BUNDLED === '1' ? BUNDLED_PROGRAM : COMPILED_PROGRAM;
