import { BasePeripheral, type RP2040 } from 'rp2040js';

/** The page of 4 KB of the ring oscillator. */
export const ROSC = 0x40060;
const [STATUS, RANDOMBIT] = [0x18, 0x1c];
const RUNNING = (1 << 31) | (1 << 12);
/** Bits read in a shorter time may be identical. */
const BIT_MICROSECONDS = 10;

/** The ring oscillator with given random bits; afterwards it is stuck. */
export class Rosc extends BasePeripheral {
  isRunning = true;
  #used = 0;
  #readAt = Number.NEGATIVE_INFINITY;

  /** `bits` start with the highest of the first byte; `microseconds` is the chip's time. */
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
    if (now - this.#readAt < BIT_MICROSECONDS) this.complain('random bits are read too fast');
    this.#readAt = now;
    const at = this.#used++;
    return ((this.bits[at >> 3] ?? 0) >> (7 - (at & 7))) & 1;
  }
}
