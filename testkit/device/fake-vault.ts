import { createHmac } from 'node:crypto';

const DONE = 1;
const FAILED = 0;
const NOT_YET = 2;

/** The content of a vault. */
export interface VaultState {
  record: Uint8Array | undefined;
  /** The proof of the PIN of the record. */
  proof: Uint8Array | undefined;
  count: number;
  mayStretch: boolean;
}

export const EMPTY_VAULT: VaultState = { record: undefined, proof: undefined, count: 0, mayStretch: false };

/**
 * A change of one call: another answer without the effect, a success without the effect (`silent`), or a power
 * cut.
 */
export type VaultFault = number | 'silent' | 'cut before' | 'cut after';

/** Thrown where the power fails. */
class PowerCut extends Error {
  override readonly name = 'PowerCut';
}

/** A vault in the memory of this process. It follows docs/KEYSTORE.md#with-a-vault, and records its calls. */
export class FakeVault implements VaultState {
  record: Uint8Array | undefined;
  proof: Uint8Array | undefined;
  count = 0;
  mayStretch = false;
  readonly calls: string[] = [];
  /** Index of the call that fails. */
  failing: number | undefined;
  /** Called before each call, with the bytes that are passed to it. */
  onCall: ((call: string, passed: readonly Uint8Array[]) => VaultFault | undefined) | undefined;
  /** A call that answers NOT_YET although it has had its effect, and whether it was reached. */
  unfinished: string | undefined;
  isStuck = false;
  /** Whether each call first answers NOT_YET once. */
  slow = false;
  #isLate = false;

  constructor(private readonly chipKey = 'of this chip only') {}

  read(out: Uint8Array): number {
    return this.#answer('read', [], () => out.set(this.record ?? new Uint8Array(82)));
  }

  write(record: Uint8Array, oldProof: Uint8Array, newProof: Uint8Array): number {
    return this.#answer('write', [record, oldProof, newProof], () => {
      if (this.record && !this.#proves(oldProof)) return FAILED;
      this.record = record;
      this.proof = newProof;
      return DONE;
    });
  }

  erase(): number {
    return this.#answer('erase', [], () => {
      this.record = undefined;
      this.proof = undefined;
      this.count = 0;
    });
  }

  attempts(out: Uint8Array): number {
    return this.#answer('attempts', [], () => out.set(Buffer.from(Uint32Array.of(this.count).buffer)));
  }

  beginAttempt(): number {
    // A chip whose count fails may nevertheless use its key.
    this.mayStretch = true;
    return this.#answer('begin_attempt', [], () => {
      this.count += 1;
    });
  }

  stretch(from: Uint8Array, out: Uint8Array): number {
    out.fill(0);
    if (!this.mayStretch) return FAILED;
    return this.#answer('stretch', [from], () => {
      this.mayStretch = false;
      out.set(createHmac('sha512', this.chipKey).update(from).digest().subarray(0, 32));
    });
  }

  clearAttempts(proof: Uint8Array): number {
    return this.#answer('clear_attempts', [proof], () => {
      if (!this.#proves(proof)) return FAILED;
      this.count = 0;
      return DONE;
    });
  }

  #proves(proof: Uint8Array): boolean {
    return this.proof !== undefined && Buffer.compare(proof, this.proof) === 0;
  }

  #answer(call: string, passed: readonly Uint8Array[], act: () => unknown): number {
    if (this.slow && !this.#isLate) {
      this.#isLate = true;
      return NOT_YET;
    }
    this.#isLate = false;
    if (this.calls.push(call) - 1 === this.failing) return FAILED;
    const fault = this.onCall?.(call, passed);
    if (typeof fault === 'number') return fault;
    if (fault === 'cut before') throw new PowerCut();
    const answer = fault !== 'silent' && act() === FAILED ? FAILED : DONE;
    if (fault === 'cut after') throw new PowerCut();
    this.isStuck = call === this.unfinished;
    return this.isStuck ? NOT_YET : answer;
  }
}
