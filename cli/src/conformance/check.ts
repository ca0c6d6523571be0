import type { SignerUnderTest } from '@zbc-signer/emulator/rig';
import type { Bench } from './bench.js';

/** One thing that a signer has to do. */
export interface Check {
  name: string;
  /** Resolves when the signer does it; throws Nonconformity or NotTested, or what the transport throws. */
  run(bench: Bench): Promise<void>;
}

export interface CheckGroup {
  name: string;
  /** Absent: every signer has to do it. */
  applies?(signer: SignerUnderTest): boolean;
  checks: readonly Check[];
}
