import { BasePeripheral, type RP2040 } from 'rp2040js';

/** Its page of 4 KB. */
export const ROSC = 0x40060;
const [STATUS, RANDOMBIT] = [0x18, 0x1c];
const RUNNING = (1 << 31) | (1 << 12);
/** Bits that are read in a shorter time may be one and the same. */
const BIT_MICROSECONDS = 10;

/** The ring oscillator, whose random bits are given; behind them it is stuck. */
export class Rosc extends BasePeripheral {
  isRunning = true;
  #used = 0;
  #readAt = Number.NEGATIVE_INFINITY;

  /** `bits` from the highest of the first byte on; `microseconds` is the chip's time. */
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
