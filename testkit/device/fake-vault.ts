import { createHmac } from 'node:crypto';

const DONE = 1;
const FAILED = 0;
const NOT_YET = 2;

/** A vault in the memory of this process. It follows docs/KEYSTORE.md#with-a-vault, and records its calls. */
export class FakeVault {
  record: Uint8Array | undefined;
  /** The proof of the PIN of the record. */
  proof: Uint8Array | undefined;
  count = 0;
  readonly calls: string[] = [];
  /** Index of the call that fails. */
  failing: number | undefined;
  /** A call that answers NOT_YET although it has had its effect, and whether it was reached. */
  unfinished: string | undefined;
  isStuck = false;
  /** Whether each call first answers NOT_YET once. */
  slow = false;
  #mayStretch = false;
  #isLate = false;

  constructor(private readonly chipKey = 'of this chip only') {}

  read(out: Uint8Array): number {
    return this.#answer('read', () => out.set(this.record ?? new Uint8Array(82)));
  }

  write(record: Uint8Array, oldProof: Uint8Array, newProof: Uint8Array): number {
    return this.#answer('write', () => {
      if (this.record && !this.#proves(oldProof)) return FAILED;
      this.record = record;
      this.proof = newProof;
      return DONE;
    });
  }

  erase(): number {
    return this.#answer('erase', () => {
      this.record = undefined;
      this.proof = undefined;
      this.count = 0;
    });
  }

  attempts(out: Uint8Array): number {
    return this.#answer('attempts', () => out.set(Buffer.from(Uint32Array.of(this.count).buffer)));
  }

  beginAttempt(): number {
    return this.#answer('begin_attempt', () => {
      this.count += 1;
      this.#mayStretch = true;
    });
  }

  stretch(from: Uint8Array, out: Uint8Array): number {
    out.fill(0);
    if (!this.#mayStretch) return FAILED;
    return this.#answer('stretch', () => {
      this.#mayStretch = false;
      out.set(createHmac('sha512', this.chipKey).update(from).digest().subarray(0, 32));
    });
  }

  clearAttempts(proof: Uint8Array): number {
    return this.#answer('clear_attempts', () => {
      if (!this.#proves(proof)) return FAILED;
      this.count = 0;
      return DONE;
    });
  }

  #proves(proof: Uint8Array): boolean {
    return this.proof !== undefined && Buffer.compare(proof, this.proof) === 0;
  }

  #answer(call: string, act: () => unknown): number {
    if (this.slow && !this.#isLate) {
      this.#isLate = true;
      return NOT_YET;
    }
    this.#isLate = false;
    if (this.calls.push(call) - 1 === this.failing) return FAILED;
    const answer = act() === FAILED ? FAILED : DONE;
    this.isStuck = call === this.unfinished;
    return this.isStuck ? NOT_YET : answer;
  }
}
