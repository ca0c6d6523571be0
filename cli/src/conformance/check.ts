import type { WrongScreen } from '@zbc-signer/emulator/rig';
import type { Bench } from './bench.js';

/** One thing that a signer has to do. */
export interface Check {
  name: string;
  /** Resolves when the signer does it; throws Nonconformity or NotTested, or what the transport throws. */
  run(bench: Bench): Promise<void>;
}

export interface CheckGroup {
  name: string;
  checks: readonly Check[];
}

/** The signer does something else than it has to. */
export class Nonconformity extends Error {
  override readonly name = 'Nonconformity';
  constructor(
    message: string,
    readonly screen?: WrongScreen,
  ) {
    super(message);
  }
}

/** Nobody can do what the check needs. */
export class NotTested extends Error {
  override readonly name = 'NotTested';
}
