import { BasePeripheral, type RP2040 } from 'rp2040js';

/** Number of the 4 KB page of the ring oscillator. */
export const ROSC = 0x40060;
const [STATUS, RANDOMBIT] = [0x18, 0x1c];
const RUNNING = (1 << 31) | (1 << 12);
/** Minimum time between two reads. On silicon, faster reads may return the same bit. */
const BIT_MICROSECONDS = 10;

/** A ring oscillator that returns given random bits. After the last bit, it is stuck. */
export class Rosc extends BasePeripheral {
  isRunning = true;
  #used = 0;
  #readAt = Number.NEGATIVE_INFINITY;

  /**
   * `bits` are read from the highest bit of the first byte on. `microseconds` returns the time of the chip.
   */
  constructor(
    chip: RP2040,
    private readonly bits: Uint8Array,
    private readonly microseconds: () => number,
    private readonly complain: (text: string) => void,
  ) {
    super(chip, 'ROSC');
  }

  override readUint32(offset: number): number {
    if (offset === STATUS) return this.isRunning ? RUNNING >>> 0 : 0;
    if (offset === RANDOMBIT) return this.#next();
    return super.readUint32(offset);
  }

  #next(): number {
    const now = this.microseconds();
    if (now - this.#readAt < BIT_MICROSECONDS) this.complain('random bits were read too fast');
    this.#readAt = now;
    const at = this.#used++;
    return ((this.bits[at >> 3] ?? 0) >> (7 - (at & 7))) & 1;
  }
}
